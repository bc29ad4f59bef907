#include "aliquot/infer/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aliquot/core/random.hpp"

namespace aliquot::infer {
namespace {

TEST(UniformPValue, IsKolmogorovsDistribution) {
    std::vector<double> even;
    for (int i = 0; i < 1000; ++i)
        even.push_back((i + 0.5) / 1000.0);
    EXPECT_NEAR(uniform_p_value(even), 1.0, 1e-12);
    // Squeezed into [0, 0.9]: D = 1 - 0.9 * 999.5 / 1000 = 0.10045, x = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) D = 3.18891, p = 2
    // exp(-2 x^2)
    for (double& v : even)
        v *= 0.9;
    EXPECT_NEAR(uniform_p_value(even), 2.93909624250452e-09, 1e-4 * 2.94e-09);
    // One value in the middle: D = 1/2, x = 0.615, Kolmogorov's survival function there is 0.84382
    EXPECT_NEAR(uniform_p_value({0.5}), 0.8438198245415608, 1e-12);
    EXPECT_EQ(uniform_p_value({}), 1.0);
}

TEST(RankCorrelation, IsZeroForIndependentAndOneForEqualRanks) {
    RankCorrelation independent;
    RankCorrelation equal;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        RandomStream random(1, 1, i);
        const double a = random.uniform();
        independent.add(a, random.uniform());
        equal.add(a, a);
    }
    EXPECT_NEAR(independent.value(), 0.0, 5.0 * independent.error());
    EXPECT_NEAR(equal.value(), 1.0, 0.05);
    EXPECT_DOUBLE_EQ(equal.error(), 1.0 / std::sqrt(20000.0));
    equal.reset();
    EXPECT_EQ(equal.count(), 0U);
    EXPECT_EQ(equal.value(), 0.0);
}

}  // namespace
}  // namespace aliquot::infer
