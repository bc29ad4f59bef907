#include "aliquot/infer/nested_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "aliquot/core/error.hpp"
#include "aliquot/infer/posterior.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

using test::Cube;
using test::gaussian;

NestedOptions options(std::size_t live, std::uint64_t seed = 1) {
    NestedOptions o;
    o.live_points = live;
    o.seed = seed;
    return o;
}

TEST(NestedRun, ResultsAreCompleteAndOrdered) {
    Threads threads(2);
    const Cube problem(3, [](auto u) { return gaussian(u, 0.05); });
    const NestedResult run = run_nested(problem, options(100), threads);
    const std::size_t n = run.log_likelihood.size();
    EXPECT_EQ(run.status, Status::converged);
    EXPECT_EQ(n, run.iterations + 100);
    EXPECT_EQ(run.samples.rows(), n);
    EXPECT_TRUE(std::is_sorted(run.log_likelihood.begin(), run.log_likelihood.end()));
    EXPECT_TRUE(std::is_sorted(run.log_volume.rbegin(), run.log_volume.rend()));
    double sum = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_LT(run.log_birth[i], run.log_likelihood[i]);
        EXPECT_NEAR(run.log_likelihood[i], gaussian(run.samples.row(i), 0.05), 1e-9);
        sum += std::exp(run.log_weight[i]);
        mean += std::exp(run.log_weight[i]) * run.samples(i, 0);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_NEAR(run.log_evidence, 0.0, 5.0 * run.log_evidence_error);
    EXPECT_NEAR(mean, 0.5, 5.0 * 0.05 / std::sqrt(run.diagnostics.effective_samples));
    EXPECT_GT(run.diagnostics.effective_samples, 200.0);
}

TEST(NestedRun, TheSameBitsForAnyNumberOfThreads) {
    const Cube problem(6, [](auto u) { return gaussian(u, 0.02); });
    Threads one(1);
    const NestedResult first = run_nested(problem, options(120, 42), one);
    for (const std::size_t count : {2, 3, 8}) {
        Threads threads(count);
        const NestedResult run = run_nested(problem, options(120, 42), threads);
        EXPECT_EQ(run.log_evidence, first.log_evidence);
        EXPECT_EQ(run.log_evidence_error, first.log_evidence_error);
        EXPECT_EQ(run.likelihood_calls, first.likelihood_calls);
        EXPECT_EQ(run.log_likelihood, first.log_likelihood);
        EXPECT_EQ(run.log_weight, first.log_weight);
        ASSERT_EQ(run.samples.rows(), first.samples.rows());
        EXPECT_TRUE(std::equal(run.samples.data(), run.samples.data() + run.samples.rows() * 6, first.samples.data()));
    }
    Threads threads(2);
    EXPECT_NE(run_nested(problem, options(120, 43), threads).log_evidence, first.log_evidence);
}

TEST(NestedRun, AConstantLikelihoodEndsAtOnce) {
    Threads threads(1);
    const Cube problem(2, [](auto) { return -4.0; });
    const NestedResult run = run_nested(problem, options(50), threads);
    EXPECT_NEAR(run.log_evidence, -4.0, 1e-12);
    EXPECT_EQ(run.iterations, 0U);
}

/// ln L = 0 on 3/4 of the square and 2 on the rest: Z = 3/4 + e^2 / 4.
TEST(NestedRun, PlateausAreExact) {
    Threads threads(2);
    const Cube problem(2, [](auto u) { return u[0] > 0.5 && u[1] > 0.5 ? 2.0 : 0.0; });
    const double truth = std::log(0.75 + 0.25 * std::exp(2.0));
    double sum = 0.0;
    double variance = 0.0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const NestedResult run = run_nested(problem, options(100, seed), threads);
        sum += run.log_evidence - truth;
        variance += run.log_evidence_error * run.log_evidence_error;
        EXPECT_GT(run.diagnostics.plateau_points, 0U);
    }
    EXPECT_LT(std::abs(sum), 5.0 * std::sqrt(variance));
}

/// A Gaussian in the half of the prior where ln L is finite: Z = 1/2 of the whole Gaussian around the edge.
TEST(NestedRun, ImpossibleRegionsCountAsVolume) {
    Threads threads(2);
    const Cube problem(4, [](auto u) { return u[0] < 0.5 ? -std::numeric_limits<double>::infinity() : gaussian(u, 0.05); });
    double sum = 0.0;
    double variance = 0.0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const NestedResult run = run_nested(problem, options(200, seed), threads);
        sum += run.log_evidence + std::log(2.0);
        variance += run.log_evidence_error * run.log_evidence_error;
    }
    EXPECT_LT(std::abs(sum), 5.0 * std::sqrt(variance));
}

TEST(NestedRun, NaNsAreCountedAndKept) {
    Threads threads(2);
    const Cube problem(2, [](auto u) { return u[0] < 0.1 ? std::nan("") : gaussian(u, 0.1); });
    const NestedResult run = run_nested(problem, options(100), threads);
    EXPECT_GT(run.diagnostics.nan_likelihoods, 0U);
    ASSERT_FALSE(run.diagnostics.nan_examples.empty());
    EXPECT_LE(run.diagnostics.nan_examples.size(), 16U);
    for (const auto& example : run.diagnostics.nan_examples)
        EXPECT_LT(example[0], 0.1);
    EXPECT_NE(run.diagnostics.warnings.back().find("NaN") == std::string::npos &&
                  run.diagnostics.warnings.front().find("NaN") == std::string::npos,
              true);
}

TEST(NestedRun, HopelessLikelihoodsAreErrors) {
    Threads threads(1);
    const Cube infinite(2, [](auto) { return std::numeric_limits<double>::infinity(); });
    EXPECT_NE(test::message_of<NumericError>([&] { (void)run_nested(infinite, options(50), threads); }).find("+inf"),
              std::string::npos);
    const Cube nowhere(2, [](auto) { return std::nan(""); });
    EXPECT_NE(test::message_of<NumericError>([&] { (void)run_nested(nowhere, options(50), threads); }).find("only 0 of"),
              std::string::npos);
}

TEST(NestedRun, OptionsAreChecked) {
    Threads threads(1);
    const Cube problem(10, [](auto u) { return gaussian(u, 0.1); });
    const auto message = [&](const NestedOptions& o) {
        return test::message_of<ConfigError>([&] { (void)run_nested(problem, o, threads); });
    };
    EXPECT_NE(message(options(20)).find("nlive = 20 (too few for 10 parameters"), std::string::npos);
    NestedOptions o = options(100);
    o.dlogz = 0.0;
    EXPECT_NE(message(o).find("dlogz = 0"), std::string::npos);
    o = options(100);
    o.batch = 80;
    EXPECT_NE(message(o).find("batch = 80"), std::string::npos);
}

TEST(NestedRun, CapsAndInterruptsLeaveAResultThatSaysSo) {
    Threads threads(2);
    const Cube problem(5, [](auto u) { return gaussian(u, 1e-4); });
    NestedOptions o = options(100);
    o.max_calls = 3000;
    const NestedResult capped = run_nested(problem, o, threads);
    EXPECT_EQ(capped.status, Status::call_limit);
    EXPECT_GE(capped.likelihood_calls, 3000U);
    EXPECT_NE(capped.diagnostics.warnings.front().find("not converged (call_limit)"), std::string::npos);
    EXPECT_TRUE(std::isfinite(capped.log_evidence));

    int asked = 0;
    double last_fraction = -1.0;
    const NestedResult stopped = run_nested(
        problem, options(100), threads, [&](const Progress& p) { last_fraction = p.fraction; }, [&] { return ++asked > 5; });
    EXPECT_EQ(stopped.status, Status::interrupted);
    EXPECT_GE(last_fraction, 0.0);
    EXPECT_LE(last_fraction, 1.0);
    EXPECT_EQ(stopped.samples.rows(), stopped.iterations + 100);
    o = options(100);
    o.max_seconds = 0.0;
    EXPECT_EQ(run_nested(problem, o, threads).status, Status::time_limit);
}

/// One point in a million has a finite likelihood: the start would take 1000 draws per live point before it gave up.
TEST(NestedRun, CapsAndInterruptsHoldForTheStart) {
    Threads threads(1);
    std::size_t calls = 0;
    const Cube nowhere(2, [&](auto u) {
        ++calls;
        return u[0] < 1e-6 ? 0.0 : -std::numeric_limits<double>::infinity();
    });
    NestedOptions o = options(50);
    o.max_calls = 500;
    EXPECT_NE(test::message_of<NumericError>([&] {
                  (void)run_nested(nowhere, o, threads);
              }).find("max_calls = 500 (reached before the first live points were found: 0 of 500 draws"),
              std::string::npos);
    EXPECT_EQ(calls, 500U);
    o = options(50);
    o.max_seconds = 0.0;
    EXPECT_NE(test::message_of<NumericError>([&] { (void)run_nested(nowhere, o, threads); }).find("max_seconds = 0 (reached"),
              std::string::npos);

    calls = 0;
    int asked = 0;
    const auto stop = [&] { return ++asked == 3; };
    EXPECT_NE(
        test::message_of<Interrupted>([&] { (void)run_nested(nowhere, options(50), threads, {}, stop); }).find("0 of 150 draws"),
        std::string::npos);
    EXPECT_EQ(calls, 150U);
}

/// Twelve slices are too few in sixty dimensions: more are made from some point on, and the result tells of all.
TEST(NestedRun, TheRankCorrelationIsThatOfTheWholeRun) {
    Threads threads(2);
    const Cube problem(60, [](auto u) { return gaussian(u, 0.01); });
    NestedOptions o = options(300);
    o.slices_per_dimension = 0.1;
    const NestedSampler sampler(problem, o, threads);
    NestedState state = sampler.init();
    const std::size_t slices = state.slices;
    while (state.slices == slices && !sampler.converged(state))
        (void)sampler.step(state);
    EXPECT_GT(state.slices, slices);
    EXPECT_EQ(state.recent_rank_correlation.count(), 0U);
    EXPECT_EQ(state.rank_correlation.count(), state.chains_made);
    EXPECT_GT(state.rank_correlation.value(), 0.01);
    const NestedResult run = sampler.finish(state, Status::interrupted, 0.0);
    EXPECT_EQ(run.diagnostics.rank_correlation, state.rank_correlation.value());
}

}  // namespace
}  // namespace aliquot::infer
