#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evidence/calibration.hpp"

namespace aliquot::bench {
namespace {

/// A short version of bench_evidence: seeds 1..8 of a problem with known evidence. The mean must agree with the truth within a
/// quarter of the quoted error plus five standard errors of a mean of eight (false alarms below 1e-6 where the run is unbiased),
/// and the scatter may not exceed the quoted error by a factor of 2.3 (chi-square of 7 degrees of freedom above 37: 5e-6 / 11
/// problems).
class KnownEvidence : public testing::TestWithParam<const char*> {};

TEST_P(KnownEvidence, IsFoundWithinItsError) {
    constexpr std::size_t seeds = 8;
    const std::vector<EvidenceProblem> problems = [] {
        std::vector<EvidenceProblem> all = analytic_problems();
        for (EvidenceProblem& problem : linear_problems())
            all.push_back(std::move(problem));
        for (EvidenceProblem& problem : spectral_problems())
            all.push_back(std::move(problem));
        return all;
    }();
    const auto problem =
        std::find_if(problems.begin(), problems.end(), [](const EvidenceProblem& p) { return p.name == GetParam(); });
    if (problem == problems.end()) GTEST_SKIP() << "test data not found: set ALIQUOT_TEST_DATA";
    Threads threads;
    const Calibration c = calibrate(*problem, seeds, threads);
    EXPECT_LT(std::abs(c.mean_error), 0.25 * c.quoted_error + 5.0 * c.quoted_error / std::sqrt(static_cast<double>(seeds)));
    EXPECT_LT(c.scatter_over_quoted, 2.3);
    EXPECT_GT(c.quoted_error, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Short, KnownEvidence,
                         testing::Values("mixture_5", "rosenbrock_pm3", "gaussian20_unit", "shells_2", "shells_5", "gaussian_10",
                                         "loggamma_2", "eggbox", "wedding_5", "linear_8", "oiii_8x"),
                         [](const auto& problem) { return std::string(problem.param); });

}  // namespace
}  // namespace aliquot::bench
