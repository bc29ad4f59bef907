#include "aliquot/cluster/profile_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "aliquot/cluster/lowered_model.hpp"
#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

TEST(ModelScale, ScalesAsLimepyDoes) {
    // Models of 1e5 solar masses and a half-mass radius of 3 pc with limepy's constant of gravity; edges as limepy extrapolates
    // them.
    const auto golden = test::golden("lowered_models.json");
    for (const auto& row : golden.at("scaled_examples")) {
        const double ra =
            row.at("ra_over_r0").is_null() ? std::numeric_limits<double>::infinity() : row.at("ra_over_r0").get<double>();
        ClusterSpec spec;
        spec.model = std::make_shared<LoweredModel>(LoweredSpec{row.at("W0"), row.at("g"), {{1.0, 1.0, ra}}});
        spec.units = pc_msun_km_s();
        spec.units.gravitational_constant = row.at("G");
        spec.length_unit = row.at("rh").get<double>() / spec.model->half_mass_radius();
        const ModelScale scale = model_scale(spec, row.at("M"));
        const Energies energies = spec.model->energies();
        expect_relative(scale.length, row.at("r0"), 1e-9, "r_0");
        expect_relative(spec.model->edge() * scale.length, row.at("rt"), 2e-8, "r_t");
        expect_relative(spec.model->virial_radius() * scale.length, row.at("rv"), 1e-8, "r_v");
        expect_relative(scale.velocity * scale.velocity, row.at("s2"), 1e-8, "s^2");
        expect_relative(scale.density(), row.at("rho0"), 1e-8, "rho_0");
        expect_relative(energies.potential * scale.energy(), row.at("U"), 1e-8, "U");
        expect_relative(energies.kinetic() * scale.energy(), row.at("K"), 1e-8, "K");
        const Moments centre = spec.model->moments(0.0);
        expect_relative((centre.radial + centre.tangential) * scale.velocity * scale.velocity, row.at("v2_0"), 1e-8, "<v^2>(0)");
    }
}

}  // namespace
}  // namespace aliquot::cluster
