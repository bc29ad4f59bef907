#include "aliquot/cluster/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/plummer.hpp"
#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

TEST(Projection, MatchesTheIndependentQuadrature) {
    const auto golden = test::golden("lowered_models.json");
    for (const auto& row : golden.at("projected").at("models")) {
        const double ra = row.at("ra").is_null() ? std::numeric_limits<double>::infinity() : row.at("ra").get<double>();
        const LoweredModel model({row.at("W0"), row.at("g"), {{1.0, 1.0, ra}}});
        const Projection projection(model);
        for (const auto& point : row.at("rows")) {
            const ProjectedMoments moments = projection(point.at("R"));
            expect_relative(moments.surface_density, point.at("Sigma"), 3e-8, point.dump());
            expect_relative(moments.line_of_sight, point.at("v2p"), 3e-8, point.dump());
            expect_relative(moments.radial, point.at("v2R"), 3e-8, point.dump());
            expect_relative(moments.tangential, point.at("v2T"), 3e-8, point.dump());
        }
    }
}

TEST(Projection, PlummersSphereInClosedForm) {
    const Plummer model;
    const Projection projection(model);
    for (const double r : {0.0, 0.5, 1.0, 3.0, 30.0}) {
        const double s = 1.0 + r * r;
        expect_relative(projection(r).surface_density, 1.0 / (std::numbers::pi * s * s), 1e-9, "Sigma");
        expect_relative(projection(r).line_of_sight, 3.0 * std::numbers::pi / 64.0 / std::sqrt(s), 1e-9, "v2_los");
    }
    EXPECT_NEAR(projection.half_mass_radius(), 1.0, 1e-8);
}

TEST(Projection, HalfMassRadiusMatchesLimepy) {
    const auto golden = test::golden("lowered_models.json");
    for (const auto& row : golden.at("scaled_examples")) {
        const double ra =
            row.at("ra_over_r0").is_null() ? std::numeric_limits<double>::infinity() : row.at("ra_over_r0").get<double>();
        const LoweredModel model({row.at("W0"), row.at("g"), {{1.0, 1.0, ra}}});
        // limepy's projected figures are good to a few 1e-3 at its default settings.
        expect_relative(Projection(model).half_mass_radius() / model.half_mass_radius(),
                        row.at("rhp").get<double>() / row.at("rh").get<double>(), 3e-3, row.dump());
    }
}

}  // namespace
}  // namespace aliquot::cluster
