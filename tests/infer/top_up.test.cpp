#include "aliquot/infer/top_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

test::Cube gaussian_5() {
    return {5, [](std::span<const double> u) { return test::gaussian(u, 0.002); }};
}

NestedOptions options_of(std::uint64_t seed) {
    NestedOptions options;
    options.live_points = 100;
    options.seed = seed;
    return options;
}

NestedResult topped_up(std::uint64_t seed, double effective_samples, std::size_t threads_wanted = 1) {
    const test::Cube problem = gaussian_5();
    Threads threads(threads_wanted);
    return top_up(problem, run_nested(problem, options_of(seed), threads), options_of(seed), effective_samples, threads);
}

TEST(TopUp, BringsTheSamplesAskedForWhereThePosteriorIs) {
    const test::Cube problem = gaussian_5();
    Threads threads(1);
    const NestedResult base = run_nested(problem, options_of(1), threads);
    const NestedResult more = topped_up(1, 8000.0);
    EXPECT_GE(more.diagnostics.effective_samples, 8000.0);
    EXPECT_LT(more.diagnostics.effective_samples, 16000.0);
    EXPECT_EQ(more.status, Status::converged);
    EXPECT_EQ(more.live_points, 100U);
    EXPECT_TRUE(std::is_sorted(more.log_likelihood.begin(), more.log_likelihood.end()));
    EXPECT_NEAR(more.log_evidence, base.log_evidence, 2.0 * base.log_evidence_error);
    // A run of its own with so many live points would take more calls.
    const double rerun =
        static_cast<double>(base.likelihood_calls) * more.diagnostics.effective_samples / base.diagnostics.effective_samples;
    EXPECT_LT(static_cast<double>(more.likelihood_calls), 0.7 * rerun);
    EXPECT_TRUE(more.diagnostics.warnings.empty()) << more.diagnostics.warnings.front();
}

/// Over many seeds: ln Z as good as before, the posterior's mean and variance right to what their number of samples allows.
TEST(TopUp, LeavesEvidenceAndPosteriorRight) {
    constexpr int seeds = 30;
    constexpr double wanted = 3000.0;
    double z2_evidence = 0.0;
    double z_evidence = 0.0;
    double z2_mean = 0.0;
    double mean_variance = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const NestedResult run = topped_up(static_cast<std::uint64_t>(seed), wanted);
        const double z = run.log_evidence / run.log_evidence_error;
        z_evidence += z / seeds;
        z2_evidence += z * z / seeds;
        for (std::size_t j = 0; j < 5; ++j) {
            double mean = 0.0;
            double square = 0.0;
            for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
                const double x = (run.samples(i, j) - 0.5) / 0.002;
                mean += std::exp(run.log_weight[i]) * x;
                square += std::exp(run.log_weight[i]) * x * x;
            }
            z2_mean += mean * mean * run.diagnostics.effective_samples / (5.0 * seeds);
            mean_variance += square / (5.0 * seeds);
        }
    }
    EXPECT_LT(std::abs(z_evidence), 3.0 / std::sqrt(seeds));
    EXPECT_GT(z2_evidence, 0.5);
    EXPECT_LT(z2_evidence, 1.7);
    EXPECT_GT(z2_mean, 0.6);  // 150 values
    EXPECT_LT(z2_mean, 1.6);
    EXPECT_NEAR(mean_variance, 1.0, 0.01);
}

TEST(TopUp, TheSameBitsForAnyNumberOfThreads) {
    const NestedResult one = topped_up(3, 2000.0, 1);
    const NestedResult three = topped_up(3, 2000.0, 3);
    EXPECT_EQ(one.log_likelihood, three.log_likelihood);
    EXPECT_EQ(one.log_weight, three.log_weight);
    EXPECT_EQ(one.log_evidence, three.log_evidence);
}

TEST(TopUp, ARunThatHasEnoughIsLeftAlone) {
    const test::Cube problem = gaussian_5();
    Threads threads(1);
    const NestedResult base = run_nested(problem, options_of(1), threads);
    const NestedResult same = topped_up(1, 10.0);
    EXPECT_EQ(base.log_likelihood, same.log_likelihood);
}

TEST(TopUp, StoppedItKeepsTheRunAndSaysSo) {
    const test::Cube problem = gaussian_5();
    Threads threads(1);
    const NestedResult base = run_nested(problem, options_of(1), threads);
    const NestedResult same = top_up(problem, base, options_of(1), 5000.0, threads, {}, [] { return true; });
    EXPECT_EQ(base.log_likelihood, same.log_likelihood);
    ASSERT_FALSE(same.diagnostics.warnings.empty());
    EXPECT_NE(same.diagnostics.warnings.back().find("the top-up was stopped"), std::string::npos);
}

TEST(TopUp, NumbersThatCannotBeAskedForAreRefused) {
    for (const double wanted : {0.0, -1.0, 1e9, std::nan("")})
        EXPECT_NE(test::message_of<ConfigError>([&] { (void)topped_up(1, wanted); }).find("ess = "), std::string::npos);
}

}  // namespace
}  // namespace aliquot::infer
