#include "aliquot/infer/posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aliquot/core/random.hpp"

namespace aliquot::infer {
namespace {

TEST(WeightedQuantiles, EqualWeightsAreMidpointQuantiles) {
    const std::vector<double> values{30.0, 10.0, 20.0, 40.0};
    const std::vector<double> log_weight(4, -7.0);
    // Points stand at cumulated weights 1/8, 3/8, 5/8, 7/8.
    const auto q = weighted_quantiles(values, log_weight, std::vector<double>{0.125, 0.5, 0.25, 0.0, 1.0});
    EXPECT_DOUBLE_EQ(q[0], 10.0);
    EXPECT_DOUBLE_EQ(q[1], 25.0);
    EXPECT_DOUBLE_EQ(q[2], 15.0);
    EXPECT_DOUBLE_EQ(q[3], 10.0);
    EXPECT_DOUBLE_EQ(q[4], 40.0);
}

TEST(WeightedQuantiles, WeightsCount) {
    std::vector<double> values;
    std::vector<double> log_weight;
    for (int i = 0; i < 4000; ++i) {  // a standard normal by weights on an even grid
        const double x = -6.0 + 12.0 * (i + 0.5) / 4000.0;
        values.push_back(x);
        log_weight.push_back(-0.5 * x * x + 1000.0);
    }
    const auto q = weighted_quantiles(values, log_weight, std::vector<double>{0.15865525393, 0.5, 0.84134474607});
    EXPECT_NEAR(q[0], -1.0, 1e-4);
    EXPECT_NEAR(q[1], 0.0, 1e-10);
    EXPECT_NEAR(q[2], 1.0, 1e-4);
    EXPECT_NEAR(effective_samples(log_weight), 4000.0 / 12.0 * 2.0 * std::sqrt(std::numbers::pi), 0.01);
}

TEST(EqualWeightRows, AppearInProportion) {
    const std::vector<double> log_weight{std::log(0.5), std::log(0.25), std::log(0.25)};
    std::vector<int> counts(3);
    for (const std::size_t row : equal_weight_rows(log_weight, 1000, 9))
        ++counts[row];
    EXPECT_NEAR(counts[0], 500, 1);
    EXPECT_NEAR(counts[1], 250, 1);
    EXPECT_EQ(equal_weight_rows(log_weight, 10, 9), equal_weight_rows(log_weight, 10, 9));
}

TEST(ParameterFlags, SeeEdgesAndIgnorance) {
    NestedResult run;
    run.dimension = 4;
    run.unit_samples = Matrix<double>(0, 4);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        RandomStream random(2, 1, i);
        const double u = random.uniform();
        run.unit_samples.append_row(std::vector<double>{0.5 + 0.05 * (u - 0.5), 0.02 * u, 1.0 - 0.02 * u, random.uniform()});
        run.log_weight.push_back(0.0);
        run.log_likelihood.push_back(i == 7 ? 1.0 : 0.0);
    }
    run.unit_samples(7, 1) = 0.02;
    run.unit_samples(7, 2) = 0.98;
    const auto flags = parameter_flags(run);
    EXPECT_EQ(flags[0], ParameterFlag::none);
    EXPECT_EQ(flags[1], ParameterFlag::edge_low);
    EXPECT_EQ(flags[2], ParameterFlag::edge_high);
    EXPECT_EQ(flags[3], ParameterFlag::unconstrained);
    EXPECT_EQ(to_string(flags[1]), "edge-low");
}

}  // namespace
}  // namespace aliquot::infer
