#include "aliquot/cluster/mass_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

TEST(MassFunction, KroupaHasItsTextbookMeanAndShares) {
    // Integrals of the three power laws from 0.08 to 150 by hand: n = [(0.5^-0.3 - 0.08^-0.3) / -0.3] + 0.5 [(150^-1.3 -
    // 0.5^-1.3) / -1.3].
    const MassFunction kroupa = MassFunction::kroupa();
    const double low = (std::pow(0.5, -0.3) - std::pow(0.08, -0.3)) / -0.3;
    const double high = 0.5 * (std::pow(150.0, -1.3) - std::pow(0.5, -1.3)) / -1.3;
    const double low_mass = (std::pow(0.5, 0.7) - std::pow(0.08, 0.7)) / 0.7;
    const double high_mass = 0.5 * (std::pow(150.0, -0.3) - std::pow(0.5, -0.3)) / -0.3;
    EXPECT_NEAR(kroupa.mean(), (low_mass + high_mass) / (low + high), 1e-12);
    EXPECT_NEAR(kroupa.number_below(0.5), low / (low + high), 1e-13);
    EXPECT_NEAR(kroupa.mass_below(0.5), low_mass / (low_mass + high_mass), 1e-13);
    // Below 0.08 the slope is 0.3.
    const MassFunction brown = MassFunction::kroupa(0.01, 0.08);
    EXPECT_NEAR(brown.quantile(0.5), std::pow(0.5 * (std::pow(0.01, 0.7) + std::pow(0.08, 0.7)), 1.0 / 0.7), 1e-14);
}

TEST(MassFunction, QuantilesInvertTheDistribution) {
    for (const MassFunction& function : {MassFunction::kroupa(0.01, 100.0), MassFunction::salpeter(), MassFunction::chabrier(),
                                         MassFunction::chabrier(0.01, 0.7), MassFunction::chabrier(2.0, 50.0),
                                         MassFunction::maschberger(), MassFunction::power_law({0.1, 1.0, 10.0}, {1.0, 2.0})}) {
        double previous = 0.0;
        double mean = 0.0;
        constexpr int steps = 20000;
        for (int i = 0; i < steps; ++i) {
            const double u = (i + 0.5) / steps;
            const double mass = function.quantile(u);
            EXPECT_GE(mass, previous);
            EXPECT_NEAR(function.number_below(mass), u, 1e-11);
            previous = mass;
            mean += mass / steps;
        }
        EXPECT_NEAR(mean / function.mean(), 1.0, 3e-3);
        EXPECT_NEAR(function.quantile(0.0), function.low(), 1e-12);
        EXPECT_NEAR(function.quantile(1.0), function.high(), 1e-9 * function.high());
        EXPECT_NEAR(function.mass_below(function.high()), 1.0, 1e-10);
    }
}

TEST(MassFunction, MaschbergerFollowsHisEquations) {
    // Equation 1: dN/dm ~ (m / mu)^-alpha (1 + (m / mu)^(1 - alpha))^-beta.
    const MassFunction l3 = MassFunction::maschberger(0.01, 150.0);
    const auto density = [](double m) { return std::pow(m / 0.2, -2.3) * std::pow(1.0 + std::pow(m / 0.2, -1.3), -1.4); };
    const double h = 1e-5;
    const double one = l3.number_below(1.0 + h) - l3.number_below(1.0 - h);
    const double ten = l3.number_below(10.0 + h) - l3.number_below(10.0 - h);
    EXPECT_NEAR(one / ten, density(1.0) / density(10.0), 1e-5 * one / ten);
}

TEST(MassFunction, SingleMassesAreAllAlike) {
    const MassFunction one = MassFunction::single(0.5);
    EXPECT_EQ(one.quantile(0.3), 0.5);
    EXPECT_EQ(one.mean(), 0.5);
    EXPECT_EQ(one.number_below(0.4), 0.0);
    EXPECT_EQ(one.number_below(0.6), 1.0);
}

TEST(MassFunction, RefusesWhatCannotBe) {
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)MassFunction::by_name("kropa", 0.1, 10.0); }),
              "mass function \"kropa\" (no such function); did you mean \"kroupa\"?");
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)MassFunction::kroupa(10.0, 1.0); }),
              "stellar masses from 10 to 1 (limits must be positive and ascending)");
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)MassFunction::single(-1.0); }), "stellar mass = -1 (must be positive)");
}

}  // namespace
}  // namespace aliquot::cluster
