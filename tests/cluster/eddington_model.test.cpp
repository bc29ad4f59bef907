#include "aliquot/cluster/eddington_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>

#include "support/files.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

constexpr double infinity = std::numeric_limits<double>::infinity();
using std::numbers::pi;

/// Plummer(r_h = 2, 60 %) and EFF(a, gamma 5, r_t 9, 40 %), the halo and core of progenax's examples.
EddingtonModel halo_core(double core) {
    const double a = 2.0 * std::sqrt(std::cbrt(4.0) - 1.0);
    return EddingtonModel({{"halo", eff_profile(a, 5.0), 0.6}, {"core", eff_profile(core, 5.0, 9.0), 0.4}});
}

TEST(EddingtonModel, PlummersDistributionFunctionIsAPower) {
    // f = 24 sqrt 2 / (7 pi^3) E^(7/2) for G = M = a = 1; a far edge moves the zero of E by 1 / r_t.
    const double edge = 3000.0;
    const EddingtonModel model({{"plummer", eff_profile(1.0, 5.0), 1.0}}, edge);
    for (const double energy : {0.1, 0.3, 0.6, 0.9}) {
        const double truth = 24.0 * std::sqrt(2.0) / (7.0 * std::pow(pi, 3)) * std::pow(energy + 1.0 / edge, 3.5);
        expect_relative(model.phase_density(energy, 0), truth, 2e-6, "f at " + std::to_string(energy));
    }
    EXPECT_NEAR(model.energies().virial_ratio(), 0.5, 1e-8);
    expect_relative(model.energies().potential, -3.0 * pi / 32.0, 1e-6, "U");
}

TEST(EddingtonModel, OsipkovMerrittPlummerMatchesMerritt1985) {
    const double edge = 3000.0;
    const double q = 1.0 / (1.2 * 1.2);
    const EddingtonModel model({{"plummer", eff_profile(1.0, 5.0), 1.0, 1.2}}, edge);
    for (const double energy : {0.1, 0.3, 0.6, 0.9}) {
        const double e = energy + 1.0 / edge;
        const double truth =
            24.0 * std::sqrt(2.0) / (7.0 * std::pow(pi, 3)) * std::pow(e, 3.5) * (1.0 - q + 7.0 / 16.0 * q / (e * e));
        expect_relative(model.phase_density(energy, 0), truth, 1e-4, "f at " + std::to_string(energy));
    }
    for (const double r : {0.3, 1.0, 4.0})
        EXPECT_NEAR(model.moments(r, 0).anisotropy(), r * r / (r * r + 1.44), 1e-12);
}

TEST(EddingtonModel, DistributionFunctionGivesTheDensityBack) {
    const EddingtonModel model = halo_core(0.8);
    for (std::size_t j = 0; j < 2; ++j) {
        const double step = model.moments(model.edge() * (1.0 - 1e-12), j).density;
        for (const double r : {0.1, 0.7, 2.0, 6.0}) {
            const double depth = model.potential(r);
            constexpr int steps = 20000;
            double density = 0.0;
            double square = 0.0;
            for (int i = 0; i < steps; ++i) {
                // v = sqrt(2 Psi) sin(t): smooth at the escape speed too, where f grows like 1 / sqrt E.
                const double t = (i + 0.5) * (0.5 * pi / steps);
                const double v = std::sqrt(2.0 * depth) * std::sin(t);
                const double weight = 4.0 * pi * v * v * std::sqrt(2.0 * depth) * std::cos(t) * (0.5 * pi / steps) *
                                      model.phase_density(depth - 0.5 * v * v, j);
                density += weight;
                square += weight * v * v;
            }
            expect_relative(density, model.moments(r, j).density - step, 1e-6, "density");
            const Moments moments = model.moments(r, j);
            expect_relative(square / density, moments.radial + moments.tangential, 1e-6, "<v^2>");
        }
    }
}

TEST(EddingtonModel, HaloAndCoreHaveTheirVirialRatios) {
    // From rho - rho(r_t) and the pressure alone, without any distribution function (independent quadrature).
    const EddingtonModel model = halo_core(0.8);
    EXPECT_NEAR(model.energies(0).virial_ratio(), 0.494643, 1e-6);
    EXPECT_NEAR(model.energies(1).virial_ratio(), 0.498334, 1e-6);
}

TEST(EddingtonModel, DistributionFunctionMatchesAdaptiveQuadrature) {
    // scipy: d/dE int_0^E (d rho / dPsi) dPsi / sqrt(E - Psi), adaptive quadrature and central differences.
    const EddingtonModel model = halo_core(0.68);
    const double depth = model.potential(0.0);
    for (const auto& [x, f] : {std::pair{0.5, 0.0079357315}, {0.9, 0.0022288199}, {0.95, 0.0013304761}, {0.99, 0.0007146115}})
        expect_relative(model.phase_density(x * depth, 0), f, 1e-6, "f at " + std::to_string(x));
}

TEST(EddingtonModel, ACutProfileSitsBelowEquilibrium) {
    for (const auto& [gamma, edge, ratio] : {std::tuple{3.0, 10.0, .451342},
                                             {3.0, 20.0, .471460},
                                             {4.0, 10.0, .489743},
                                             {4.0, 20.0, .497109},
                                             {5.0, 10.0, .498417},
                                             {5.0, 20.0, .499788},
                                             {7.0, 10.0, .499973}})
        EXPECT_NEAR(EddingtonModel({{"eff", eff_profile(1.0, gamma, edge), 1.0}}).energies().virial_ratio(), ratio, 1e-6)
            << gamma << " " << edge;
}

TEST(EddingtonModel, AKingDensityGivesTheKingModelBack) {
    const LoweredModel king = LoweredModel::king(5.0);
    const EddingtonModel model({{"king", lowered_profile(5.0, 1.0, 1.0), 1.0}});
    expect_relative(model.edge(), king.edge(), 1e-12, "edge");
    EXPECT_NEAR(model.energies().virial_ratio(), 0.5, 1e-8);
    const double mass = king.total_mass();
    const double square = king.gravitational_constant() * mass;  // velocity^2 of the one unit in the other
    for (const double f : {0.05, 0.3, 0.6, 0.9}) {
        const double r = f * king.edge();
        expect_relative(model.moments(r, 0).density * mass, king.moments(r, 0).density, 1e-9, "density");
        expect_relative(model.moments(r, 0).radial * square, king.moments(r, 0).radial, 1e-8, "v2r");
        // f is a lowered exponential of the depth.
        const double energy = king.potential(r);
        const double other = king.potential(0.5 * king.edge());
        expect_relative(model.phase_density(energy / square, 0) / model.phase_density(other / square, 0),
                        std::expm1(energy) / std::expm1(other), 1e-5, "f");
    }
}

TEST(EddingtonModel, RefusesWhatCannotBe) {
    const std::string message = test::message_of<NotRealizable>([] { halo_core(0.4); });
    EXPECT_EQ(message.substr(0, 75), "component halo (its distribution function reaches -0.197 of its maximum, an") << message;
    // Where the halo's f(E) changes sign at the centre, by adaptive quadrature and differences of the Abel integral (scipy).
    EXPECT_THROW(halo_core(0.64), NotRealizable);
    EXPECT_NO_THROW(halo_core(0.65));
    EXPECT_EQ(test::message_of<ConfigError>(
                  [] { EddingtonModel({{"a", eff_profile(1.0, 5.0), 0.6}, {"b", eff_profile(2.0, 5.0), 0.3}}); }),
              "mass fractions sum to 0.9 (they share the whole mass): make them sum to 1");
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)eff_profile(1.0, 2.5); }),
              "gamma = 2.5 (the mass of an EFF profile without an edge grows without limit for gamma <= 3): give an edge radius");
    EXPECT_NE(test::message_of<ConfigError>([] {
                  EddingtonModel({{"king", lowered_profile(5.0, 1.0, 1.0), 1.0}}, 5.0);
              }).find("ends at 10.69"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::cluster
