#include "aliquot/infer/prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "aliquot/core/error.hpp"
#include "support/golden.hpp"

namespace aliquot::infer {
namespace {

TEST(Prior, UniformIsLinear) {
    const Prior prior = Prior::uniform(-350.0, 200.0);
    EXPECT_DOUBLE_EQ(prior.transform(0.0), -350.0);
    EXPECT_DOUBLE_EQ(prior.transform(0.5), -75.0);
    EXPECT_DOUBLE_EQ(prior.transform(1.0), 200.0);
    EXPECT_EQ(prior.describe(), "Uniform(-350, 200)");
}

TEST(Prior, LogUniformIsGolden) {
    const auto golden = test::golden("spectra_golden.json")["prior LogUniform 1e-3..3"];
    const Prior prior = Prior::log_uniform(1e-3, 3.0);
    for (std::size_t i = 0; i < golden["x"].size(); ++i)
        EXPECT_NEAR(prior.transform(golden["x"][i]), golden["y"][i].get<double>(), 1e-15 * 3.0);
    EXPECT_EQ(prior.describe(), "LogUniform(0.001, 3)");
}

TEST(Prior, NormalIsGolden) {
    const auto golden = test::golden("spectra_golden.json")["prior Normal nsigma=5 mean=100 width=20"];
    const Prior prior = Prior::normal(100.0, 20.0, 5.0);
    for (std::size_t i = 0; i < golden["x"].size(); ++i)
        EXPECT_NEAR(prior.transform(golden["x"][i]), golden["y"][i].get<double>(), 1e-12 * 200.0);
    EXPECT_EQ(prior.lower(), 0.0);
    EXPECT_EQ(prior.upper(), 200.0);
    EXPECT_EQ(prior.describe(), "Normal(100, 20; 0 to 200)");
    EXPECT_EQ(Prior::normal(-1.5, 2.0).describe(), "Normal(-1.5, 2)");
    EXPECT_FALSE(Prior::normal(-1.5, 2.0).has_lower_end());
}

/// Quantiles of a law cut off far out in either tail, against its density integrated by the midpoint rule.
TEST(Prior, ANormalCutOffIsRenormalised) {
    for (const auto& [low, high] : {std::pair{-1.0, 2.0}, {4.0, 9.0}, {-9.0, -4.0}, {0.0, 30.0}}) {
        const Prior prior = Prior::normal(0.0, 1.0).within(low, high);
        EXPECT_NEAR(prior.transform(0.0), low, 1e-9);
        EXPECT_NEAR(prior.transform(1.0), high, 1e-9);
        constexpr int n = 200000;
        std::vector<double> mass(n + 1, 0.0);
        const double step = (high - low) / n;
        for (int i = 0; i < n; ++i) {
            const double x = low + (i + 0.5) * step;
            mass[static_cast<std::size_t>(i) + 1] = mass[static_cast<std::size_t>(i)] + std::exp(-0.5 * x * x) * step;
        }
        for (const double u : {0.01, 0.2, 0.5, 0.9, 0.999}) {
            const double x = prior.transform(u);
            const auto at = static_cast<std::size_t>((x - low) / step);
            EXPECT_NEAR(mass[at] / mass[n], u, 2e-4) << low << " " << u;
            EXPECT_NEAR(prior.cdf(x), u, 1e-12) << low << " " << u;
        }
    }
    EXPECT_THROW(Prior::normal(0.0, 1.0).within(50.0, 60.0).validate(), ConfigError);
    EXPECT_THROW(Prior::normal(0.0, 0.0).validate(), ConfigError);
    EXPECT_THROW(Prior::normal(0.0, std::numeric_limits<double>::infinity()).validate(), ConfigError);
}

TEST(Prior, ASpikeHasItsShare) {
    const Prior prior = Prior::uniform(0.0, 4.0).with_spike(0.25, 0.0);
    EXPECT_EQ(prior.transform(0.1), 0.0);
    EXPECT_EQ(prior.transform(0.2499), 0.0);
    EXPECT_DOUBLE_EQ(prior.transform(0.625), 2.0);
    EXPECT_DOUBLE_EQ(prior.cdf(2.0), 0.625);
    EXPECT_EQ(prior.cdf(0.0), 0.25);
    EXPECT_EQ(prior.cdf(-0.1), 0.0);
    EXPECT_EQ(prior.describe(), "SpikeAndSlab(0 with probability 0.25, else Uniform(0, 4))");
    EXPECT_THROW(Prior::uniform(0.0, 4.0).with_spike(0.25, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(0.0, 4.0).with_spike(1.0, 0.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(0.0, 4.0).with_spike(-0.5, 0.0).validate(), ConfigError);
}

TEST(Prior, FaultsAreRefused) {
    EXPECT_NO_THROW(Prior::uniform(0.0, 1.0).validate());
    EXPECT_NO_THROW(Prior::log_uniform(1e-9, 1.0).validate());
    EXPECT_THROW(Prior::uniform(1.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(2.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(0.0, std::numeric_limits<double>::infinity()).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(std::numeric_limits<double>::quiet_NaN(), 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::log_uniform(0.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::log_uniform(-1.0, 1.0).validate(), ConfigError);
}

/// Order statistics of k uniform numbers have the means j / (k + 1); here over a grid of midpoints, whose error for the roots'
/// singular ends is below 1e-3.
TEST(SortedUniforms, AreOrderedWithTheLawOfOrderStatistics) {
    constexpr int n = 60;
    double mean[3] = {};
    double square_of_first = 0.0;
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < n; ++b) {
            for (int c = 0; c < n; ++c) {
                double v[3] = {(a + 0.5) / n, (b + 0.5) / n, (c + 0.5) / n};
                sorted_uniforms(v);
                ASSERT_LT(v[0], v[1]);
                ASSERT_LT(v[1], v[2]);
                ASSERT_LT(v[2], 1.0);
                for (int k = 0; k < 3; ++k)
                    mean[k] += v[k] / (n * n * n);
                square_of_first += v[0] * v[0] / (n * n * n);
            }
        }
    }
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(mean[k], (k + 1) / 4.0, 1e-3);
    EXPECT_NEAR(square_of_first, 0.1, 1e-3);  // E[min^2] of three: 2 / (4 * 5)
}

TEST(Prior, TheInverseIsTheInverse) {
    for (const Prior& prior : {Prior::uniform(-2.0, 5.0), Prior::log_uniform(1e-3, 8.66493)}) {
        for (const double u : {1e-9, 0.1, 0.5, 0.999999})
            EXPECT_NEAR(prior.cdf(prior.transform(u)), u, 1e-14);
        EXPECT_EQ(prior.cdf(-3.0), 0.0);
        EXPECT_EQ(prior.cdf(prior.lower()), 0.0);
        EXPECT_EQ(prior.cdf(prior.upper()), 1.0);
        EXPECT_EQ(prior.cdf(1e300), 1.0);
    }
}

}  // namespace
}  // namespace aliquot::infer
