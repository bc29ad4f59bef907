#include "aliquot/cluster/lowered_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_relative(double value, double truth, double tolerance, const std::string& what) {
    EXPECT_LE(std::abs(value - truth), tolerance * std::abs(truth)) << what << ": " << value << " for " << truth;
}

LoweredSpec spec_of(const nlohmann::json& model) {
    const double ra = model.at("ra").is_null() ? infinity : model.at("ra").get<double>();
    return {model.at("W0"), model.at("g"), {{1.0, 1.0, ra}}};
}

TEST(LoweredModel, MatchesTheIndependentSolver) {
    const auto golden = test::golden("lowered_models.json");
    int finite = 0;
    for (const auto& row : golden.at("models")) {
        const std::string what = row.at("W0").dump() + " " + row.at("g").dump() + " " + row.at("ra").dump();
        if (!row.at("finite").get<bool>()) {
            EXPECT_THROW(LoweredModel{spec_of(row)}, NoFiniteEdge) << what;
            continue;
        }
        ++finite;
        const LoweredModel model(spec_of(row));
        const auto& exact = row.at("exact");
        expect_relative(model.edge(), exact.at("rt"), 1e-9, what + " r_t");
        expect_relative(model.half_mass_radius(), exact.at("rh"), 1e-10, what + " r_h");
        expect_relative(model.virial_radius(), exact.at("rv"), 1e-10, what + " r_v");
        expect_relative(model.total_mass(), exact.at("M"), 1e-10, what + " M");
        expect_relative(model.energies().potential, exact.at("U"), 1e-10, what + " U");
        expect_relative(model.energies().radial, exact.at("Kr"), 1e-10, what + " K_r");
        expect_relative(model.energies().tangential, exact.at("Kt"), 1e-10, what + " K_t");
        expect_relative(model.radial_orbit_ratio(), exact.at("kappa"), 1e-10, what + " kappa");
        for (const auto& point : exact.at("profile")) {
            const double r = point.at("r");
            const Moments moments = model.moments(r);
            expect_relative(model.potential(r), point.at("phihat"), 1e-9, what + " W");
            expect_relative(moments.density, point.at("rhohat"), 1e-9, what + " rho");
            expect_relative(moments.radial, point.at("v2r"), 1e-9, what + " v2r");
            expect_relative(moments.tangential, point.at("v2t"), 1e-9, what + " v2t");
            EXPECT_NEAR(moments.anisotropy(), point.at("beta").get<double>(), 1e-9) << what;
            expect_relative(model.enclosed_mass(r) / model.total_mass(), point.at("mc_over_M"), 1e-9, what + " M(r)");
        }
    }
    EXPECT_EQ(finite, 41);
}

TEST(LoweredModel, VirialTheoremHoldsToRounding) {
    for (const double w0 : {0.1, 1.0, 3.0, 7.0, 12.0, 20.0}) {
        for (const double g : {0.0, 0.35, 1.0, 1.5, 2.0}) {
            const LoweredModel isotropic({w0, g});
            for (const double ra : {infinity, 4.0 * isotropic.half_mass_radius()}) {
                const Energies energies = LoweredModel({w0, g, {{1.0, 1.0, ra}}}).energies();
                EXPECT_NEAR(2.0 * energies.kinetic() / -energies.potential, 1.0, 1e-12) << w0 << " " << g << " " << ra;
            }
        }
    }
}

}  // namespace
}  // namespace aliquot::cluster
