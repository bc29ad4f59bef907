#include "aliquot/infer/merge_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "aliquot/core/error.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

using test::Cube;

/// ln Z = 0.
Cube gaussian() {
    return {4, [](auto u) { return test::gaussian(u, 0.01); }};
}

NestedResult run_of(const Problem& problem, std::uint64_t seed, std::size_t live = 100, std::uint64_t max_calls = 0) {
    NestedOptions o;
    o.live_points = live;
    o.seed = seed;
    if (max_calls > 0) o.max_calls = max_calls;
    Threads threads(2);
    return run_nested(problem, o, threads);
}

NestedResult merged(const std::vector<NestedResult>& runs) {
    Threads threads(2);
    return merge_runs(runs, threads);
}

/// Points that were born below the contour of point i and had not died: the definition, from birth contours alone.
double alive_at(const NestedResult& run, std::size_t i) {
    double count = 0.0;
    for (std::size_t j = 0; j < run.log_birth.size(); ++j)
        count += run.log_birth[j] < run.log_likelihood[i] && run.log_likelihood[j] >= run.log_likelihood[i] ? 1.0 : 0.0;
    return count;
}

TEST(MergeRuns, LivePointsAddUp) {
    const Cube problem = gaussian();
    const NestedResult run = merged({run_of(problem, 1), run_of(problem, 2, 60), run_of(problem, 3)});
    EXPECT_EQ(run.live_points, 260U);
    EXPECT_TRUE(std::is_sorted(run.log_likelihood.begin(), run.log_likelihood.end()));
    EXPECT_EQ(run.live_count.front(), 260.0);
    EXPECT_EQ(run.live_count.back(), 1.0);
    for (std::size_t i = 0; i < run.live_count.size(); i += 13)
        ASSERT_EQ(run.live_count[i], alive_at(run, i)) << i;
    for (std::size_t i = 0; i < run.samples.rows(); i += 13)
        EXPECT_NEAR(test::gaussian(run.samples.row(i), 0.01), run.log_likelihood[i], 1e-9);
}

/// Sixteen merged runs of 100 live points against the truth and against the error of one: false alarm below 1e-6.
TEST(MergeRuns, TheErrorShrinksAndHolds) {
    const Cube problem = gaussian();
    std::vector<NestedResult> runs;
    std::size_t points = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        runs.push_back(run_of(problem, seed));
        points += runs.back().log_likelihood.size();
    }
    const NestedResult all = merged(runs);
    EXPECT_EQ(all.log_likelihood.size(), points);
    EXPECT_NEAR(all.log_evidence_error, std::sqrt(all.information / 1600.0), 0.2 * all.log_evidence_error);
    EXPECT_NEAR(all.log_evidence_error, runs[0].log_evidence_error / 4.0, 0.25 * runs[0].log_evidence_error / 4.0);
    EXPECT_NEAR(all.log_evidence, 0.0, 5.0 * all.log_evidence_error);
    double sum = 0.0;
    for (const double w : all.log_weight)
        sum += std::exp(w);
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_GT(all.diagnostics.effective_samples, 10.0 * runs[0].diagnostics.effective_samples);
    EXPECT_TRUE(std::none_of(all.diagnostics.warnings.begin(), all.diagnostics.warnings.end(),
                             [](const std::string& w) { return w.find("scatter") != std::string::npos; }));
    EXPECT_LT(all.diagnostics.rank_correlation_error, 0.3 * runs[0].diagnostics.rank_correlation_error);
    EXPECT_NEAR(all.diagnostics.calls_per_slice, runs[0].diagnostics.calls_per_slice, 0.1);
}

TEST(MergeRuns, OrderDoesNotMatterAndMergedRunsMergeAgain) {
    const Cube problem = gaussian();
    const NestedResult a = run_of(problem, 1);
    const NestedResult b = run_of(problem, 2);
    const NestedResult c = run_of(problem, 3);
    const NestedResult one = merged({a, b, c});
    const NestedResult other = merged({c, a, b});
    EXPECT_EQ(one.log_evidence, other.log_evidence);
    EXPECT_EQ(one.log_likelihood, other.log_likelihood);
    EXPECT_EQ(one.log_weight, other.log_weight);
    const NestedResult nested = merged({merged({a, b}), c});
    EXPECT_EQ(nested.log_likelihood, one.log_likelihood);
    EXPECT_EQ(nested.live_count, one.live_count);
    EXPECT_NEAR(nested.log_evidence, one.log_evidence, 1e-9);
}

/// A run that was stopped early adds its points to the outer shells only.
TEST(MergeRuns, AStoppedRunHelpsWhereItHasBeen) {
    const Cube problem = gaussian();
    const NestedResult whole = run_of(problem, 1);
    const NestedResult stopped = run_of(problem, 2, 100, whole.likelihood_calls / 2);
    ASSERT_EQ(stopped.status, Status::call_limit);
    const NestedResult run = merged({whole, stopped});
    EXPECT_EQ(run.status, Status::converged);
    EXPECT_LT(run.log_evidence_error, whole.log_evidence_error);
    EXPECT_NEAR(run.log_evidence, 0.0, 5.0 * run.log_evidence_error);
    EXPECT_NE(run.diagnostics.warnings.front().find("seed 2: the run is not converged"), std::string::npos);
    EXPECT_NE(test::message_of<DataError>([&] {
                  (void)merged({stopped, run_of(problem, 3, 100, 5000)});
              }).find("none of the runs has converged"),
              std::string::npos);
}

TEST(MergeRuns, TheStartVolumeIsThatOfAllDraws) {
    const Cube half(4, [](auto u) { return u[0] < 0.5 ? -std::numeric_limits<double>::infinity() : test::gaussian(u, 0.05); });
    const NestedResult run = merged({run_of(half, 1), run_of(half, 2), run_of(half, 3), run_of(half, 4)});
    EXPECT_NEAR(run.log_start_volume, std::log(0.5), 5.0 * run.log_start_volume_sd);
    EXPECT_NEAR(run.log_start_volume_sd, std::sqrt(0.5 / 400.0), 0.01);
    EXPECT_NEAR(run.log_evidence, std::log(0.5), 5.0 * run.log_evidence_error);
}

TEST(MergeRuns, ScatterBeyondTheQuotedErrorsIsAWarning) {
    const Cube problem = gaussian();
    NestedResult a = run_of(problem, 1);
    NestedResult b = run_of(problem, 2);
    a.log_evidence = 1.0;
    b.log_evidence = 5.0;
    a.log_evidence_error = b.log_evidence_error = 0.5;
    const NestedResult run = merged({a, b});
    EXPECT_NE(run.diagnostics.warnings.front().find("evidences of the 2 runs scatter by 5.7 times"), std::string::npos)
        << run.diagnostics.warnings.front();
}

TEST(MergeRuns, WhatCannotBeMergedIsRefused) {
    const Cube problem = gaussian();
    const NestedResult a = run_of(problem, 1);
    const NestedResult b = run_of(problem, 2);
    const auto refusal = [](const std::vector<NestedResult>& runs) {
        return test::message_of<DataError>([&] { (void)merged(runs); });
    };
    EXPECT_NE(refusal({a}).find("two or more"), std::string::npos);
    EXPECT_NE(refusal({a, b, a}).find("runs 1 and 3 share points"), std::string::npos);
    EXPECT_NE(refusal({merged({a, b}), b}).find("share points"), std::string::npos);
    const Cube other(3, [](auto u) { return test::gaussian(u, 0.01); });
    EXPECT_NE(refusal({a, run_of(other, 2)}).find("4 and 3 parameters"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::infer
