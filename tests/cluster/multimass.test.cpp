#include "aliquot/cluster/multimass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>

#include "support/files.hpp"
#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Multimass, MatchesConvergedLimepyModels) {
    const auto golden = test::golden("lowered_models.json");
    for (const auto& row : golden.at("multimass")) {
        const auto& input = row.at("input");
        const std::vector<double> stellar = input.at("mj");
        const std::vector<double> total = input.at("Mj");
        Segregation segregation;
        if (input.contains("delta")) segregation.delta = input.at("delta");
        if (input.contains("eta")) segregation.eta = input.at("eta");
        if (input.contains("ra")) segregation.anisotropy_radius = input.at("ra");
        const MeanMass mean = input.value("meanmassdef", "global") == "central" ? MeanMass::central : MeanMass::global;
        const auto solve = [&] { return solve_multimass(input.at("phi0"), input.at("g"), stellar, total, segregation, mean); };
        if (row.value("error", "").find("rmax reached") != std::string::npos) {
            EXPECT_THROW((void)solve(), NoFiniteEdge) << input.dump();
            continue;
        }
        const LoweredModel model = solve();
        const double sum = std::accumulate(total.begin(), total.end(), 0.0);
        EXPECT_NEAR(model.energies().virial_ratio(), 0.5, 1e-12) << input.dump();
        for (std::size_t j = 0; j < stellar.size(); ++j)
            expect_relative(model.mass_fraction(j), total[j] / sum, 2e-12, input.dump() + " fraction");
        if (!row.contains("alpha")) continue;  // limepy does not converge there
        expect_relative(model.edge(), row.at("independent").at("rt"), 1e-9, input.dump() + " r_t");
        expect_relative(model.total_mass(), row.at("independent").at("M"), 1e-9, input.dump() + " M");
        for (std::size_t j = 0; j < stellar.size(); ++j) {
            expect_relative(model.spec().components[j].central_fraction, row.at("alpha")[j], 1e-7, input.dump() + " alpha");
            expect_relative(model.energies(j).kinetic(), row.at("Kj")[j], 1e-6, input.dump() + " K_j");
            expect_relative(model.lagrangian_radius(0.5, j), row.at("rhj")[j], 5e-5,
                            input.dump() + " r_h,j");  // limepy interpolates
        }
    }
}

TEST(Multimass, ComponentMassIsTheIntegralOfItsDensity) {
    const LoweredModel model(segregated_spec(7.0, 1.0, {1.0, 4.0}, {0.5, 0.5}, {0.5, 0.0, infinity}, 2.5));
    for (std::size_t j = 0; j < 2; ++j) {
        const double radius = model.lagrangian_radius(0.5, j);
        constexpr int steps = 20000;
        double mass = 0.0;
        for (int i = 0; i < steps; ++i) {
            const double r = (i + 0.5) * radius / steps;
            mass += 4.0 * std::numbers::pi * r * r * model.moments(r, j).density * radius / steps;
        }
        expect_relative(mass, 0.5 * model.mass_fraction(j) * model.total_mass(), 1e-8, "half of the mass");
    }
}

TEST(Multimass, SegregationGrowsWithDelta) {
    // m (1, 4), alpha (.5, .5), W0 7, g 1: edges by RKF7(8); ratios of r_h by interpolation there, good to 4e-5.
    for (const auto& [delta, edge, ratio] : {std::tuple{0.0, 33.7085703, 1.0},
                                             {0.3, 15.1615174147, 1.98959},
                                             {0.5, 11.0580840096, 2.43571},
                                             {0.6, 10.0071859880, 2.63393}}) {
        const LoweredModel model(segregated_spec(7.0, 1.0, {1.0, 4.0}, {0.5, 0.5}, {delta, 0.0, infinity}, 2.5));
        expect_relative(model.edge(), edge, 2e-9, "r_t");
        expect_relative(model.lagrangian_radius(0.5, 0) / model.lagrangian_radius(0.5, 1), ratio, 4e-5, "r_h ratio");
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_NEAR(model.energies(j).virial_ratio(), 0.5, 1e-12);
    }
}

TEST(Multimass, MatchesTheLimepyParityPair) {
    const std::vector<double> stellar = {0.3, 1.0};
    const std::vector<double> total = {0.7, 0.3};
    for (const auto& [ra, eta, alpha, edge, half] : {std::tuple{infinity, 0.0, 0.3804036488, 8.4304646667, 1.99094866},
                                                     {5.0, 0.0, 0.3682861824, 9.0804459959, 2.03544213},
                                                     {5.0, 0.5, 0.3822148907, 9.4982334936, 2.04189539}}) {
        const LoweredModel model = solve_multimass(5.0, 1.0, stellar, total, {0.5, eta, ra}, MeanMass::central);
        expect_relative(model.spec().components[0].central_fraction, alpha, 3e-10, "alpha");
        expect_relative(model.edge(), edge, 1e-9, "r_t");
        expect_relative(model.half_mass_radius(), half, 5e-9, "r_h");
    }
}

TEST(Multimass, TwentyBinsOfAMassFunctionConverge) {
    std::vector<double> stellar;
    std::vector<double> total;
    for (int j = 0; j < 20; ++j) {
        stellar.push_back(0.1 * std::pow(1.13, j));
        total.push_back(std::pow(stellar.back(), -0.35));
    }
    const LoweredModel model = solve_multimass(5.0, 1.2, stellar, total, {0.4, 0.3, 200.0}, MeanMass::global);
    const double sum = std::accumulate(total.begin(), total.end(), 0.0);
    for (std::size_t j = 0; j < total.size(); ++j)
        expect_relative(model.mass_fraction(j), total[j] / sum, 2e-12, "fraction");
    EXPECT_NEAR(model.energies().virial_ratio(), 0.5, 1e-12);
}

TEST(Multimass, RefusesListsThatDoNotFit) {
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)solve_multimass(5.0, 1.0, {1.0, 2.0}, {1.0}, {}, MeanMass::global); }),
              "2 stellar masses for 1 component masses (one of each per component)");
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)solve_multimass(5.0, 1.0, {1.0}, {-1.0}, {}, MeanMass::global); }),
              "component mass = -1 (masses must be positive)");
}

}  // namespace
}  // namespace aliquot::cluster
