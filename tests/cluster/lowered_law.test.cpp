#include "aliquot/cluster/lowered_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

TEST(LoweredLaw, VelocityIntegralsMatchMpmath) {
    const auto golden = test::golden("special_functions.json");
    for (const auto& row : golden.at("I")) {
        const double p = row[2];
        const LoweredLaw law(row[0], p > 0.0);
        const auto number = [&](std::size_t i) { return std::stod(row[i].get<std::string>()); };
        expect_relative(law.density(row[1], p), number(3), 3e-14, row.dump());
        const LoweredLaw::Pressures pressures = law.pressures(row[1], p);
        expect_relative(pressures.radial, number(4), 3e-14, row.dump());
        expect_relative(pressures.tangential, number(5), 3e-14, row.dump());
    }
}

TEST(LoweredLaw, RadialPressureIsTheIntegralOfDensityOverDepth) {
    // Jeans: dI_r / dW at fixed p = I_rho.
    for (const double g : {0.0, 0.7, 1.0, 2.3}) {
        for (const double p : {0.0, 0.4, 3.0}) {
            const LoweredLaw law(g, true);
            for (const double w : {0.1, 1.0, 7.0, 25.0}) {
                const double h = 1e-4 * w;
                const double slope = (8.0 * (law.pressures(w + h, p).radial - law.pressures(w - h, p).radial) -
                                      (law.pressures(w + 2 * h, p).radial - law.pressures(w - 2 * h, p).radial)) /
                                     (12.0 * h);
                expect_relative(slope, law.density(w, p), 1e-9, "g " + std::to_string(g) + " p " + std::to_string(p));
            }
        }
    }
}

TEST(LoweredLaw, AShiftKeepsDeepComponentsInRange) {
    const LoweredLaw law(1.0, true);
    expect_relative(law.density(900.0, 0.0, 900.0), 1.0, 1e-14, "deep");
    expect_relative(law.density(50.0, 0.5, 50.0) * std::exp(50.0), law.density(50.0, 0.5), 1e-13, "shifted");
    expect_relative(law.density(30.0, 0.5, 50.0) * std::exp(50.0), law.density(30.0, 0.5), 1e-13, "shifted");
}

}  // namespace
}  // namespace aliquot::cluster
