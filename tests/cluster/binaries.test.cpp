#include "aliquot/cluster/binaries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using std::numbers::pi;

TEST(Binaries, KeplersEquationHolds) {
    for (const double e : {0.0, 0.1, 0.7, 0.99, 0.9999999})
        for (double m = -3.0; m <= 3.0; m += 0.01) {
            const double anomaly = eccentric_anomaly(m, e);
            EXPECT_NEAR(anomaly - e * std::sin(anomaly), m, 1e-15 * 4.0) << e << " " << m;
        }
}

TEST(Binaries, OrbitsHaveTheEnergyAndAngularMomentumOfTheirElements) {
    // G in AU (km/s)^2 / Msun from the solar mass parameter and the astronomical unit.
    const double gravity = 1.3271244e20 / 149597870700.0 * 1e-6;
    const Orbit orbit{3.0, 0.6, 0.4, 1.1, 2.2, 0.9, 0.0};
    const double mass = 2.5;
    const RelativeOrbit at = relative_orbit(orbit, mass);
    const auto& x = at.position;
    const auto& v = at.velocity;
    const double r = std::hypot(x[0], x[1], x[2]);
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    EXPECT_NEAR(0.5 * square - gravity * mass / r, -gravity * mass / (2.0 * orbit.semi_major_axis), 1e-11 * square);
    const double lx = x[1] * v[2] - x[2] * v[1];
    const double ly = x[2] * v[0] - x[0] * v[2];
    const double lz = x[0] * v[1] - x[1] * v[0];
    const double momentum = std::sqrt(gravity * mass * orbit.semi_major_axis * (1.0 - 0.36));
    EXPECT_NEAR(std::hypot(lx, ly, lz), momentum, 1e-12 * momentum);
    EXPECT_NEAR(lz / momentum, std::cos(orbit.inclination), 1e-13);
}

TEST(Binaries, PeriodsAndEccentricitiesFollowTheirLaws) {
    constexpr std::size_t count = 40000;
    const auto median = [](std::vector<double> values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
    };
    BinaryLaw law;
    std::vector<double> periods;
    std::vector<double> eccentricities;
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(5, 1, i);
        const Orbit orbit = draw_orbit(law, 1.0, 1.5, random);
        periods.push_back(std::log10(orbit.period_days));
        eccentricities.push_back(orbit.eccentricity);
        ASSERT_GE(periods.back(), 0.0);
        ASSERT_LE(periods.back(), 8.0);
        // Kepler's third law: 1 AU and one solar mass make a year.
        const double years = orbit.period_days / 365.2568983840419;
        ASSERT_NEAR(std::pow(orbit.semi_major_axis, 3), 1.5 * years * years, 1e-9 * std::pow(orbit.semi_major_axis, 3));
    }
    // Normal(4.8, 2.3) truncated to [0, 8] has its median at 4.62; five standard errors are 0.06.
    EXPECT_NEAR(median(periods), 4.62, 0.06);
    EXPECT_NEAR(median(eccentricities), std::sqrt(0.5), 0.01);  // F(e) = e^2
    law.period = PeriodLaw::sana;
    law.low_log_period = 0.15;
    law.high_log_period = 3.5;
    periods.clear();
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(5, 2, i);
        periods.push_back(std::log10(draw_orbit(law, 20.0, 30.0, random).period_days));
    }
    const double a = std::pow(0.15, 0.45);
    const double b = std::pow(3.5, 0.45);
    EXPECT_NEAR(median(periods), std::pow(0.5 * (a + b), 1.0 / 0.45), 0.04);
}

TEST(Binaries, RefusesWhatCannotBe) {
    BinaryLaw law;
    law.fraction = 1.2;
    EXPECT_EQ(test::message_of<ConfigError>([&] { check(law); }), "binary fraction = 1.2 (binaries over systems, in [0, 1])");
    law.fraction = 0.5;
    law.low_log_period = 9.0;
    EXPECT_EQ(test::message_of<ConfigError>([&] { check(law); }), "binary periods from 10^9 to 10^8 days (limits must ascend)");
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)period_law("log-unifrom"); }),
              "period law \"log-unifrom\" (no such period law); did you mean \"log-uniform\"?");
}

}  // namespace
}  // namespace aliquot::cluster
