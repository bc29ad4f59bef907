#include "aliquot/infer/periodic.hpp"

#include <gtest/gtest.h>

#include "aliquot/infer/function_problem.hpp"
#include "aliquot/infer/importance.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/whitening.hpp"

namespace aliquot::infer {
namespace {

TEST(Periodic, PlacesWrapAndDifferencesGoTheShortWay) {
    EXPECT_DOUBLE_EQ(wrapped(1.25), 0.25);
    EXPECT_DOUBLE_EQ(wrapped(-0.25), 0.75);
    EXPECT_NEAR(shortest(0.9), -0.1, 1e-15);
    EXPECT_NEAR(shortest(-0.8), 0.2, 1e-15);
    CircularMean mean;
    mean.add(0.95);
    mean.add(0.07);
    EXPECT_NEAR(mean.value(), 0.01, 1e-12);
}

TEST(Periodic, TheCovarianceIsThatOfPlacesAroundTheirMiddle) {
    Matrix<double> points(4, 2);
    const double across[] = {0.98, 0.99, 0.01, 0.02};
    for (std::size_t i = 0; i < 4; ++i)
        points(i, 0) = points(i, 1) = across[i];
    const std::vector<std::vector<std::size_t>> rows{{0, 1, 2, 3}};
    const char mask[] = {1, 0};
    const std::vector<double> c = covariance(std::as_const(points).view(), rows, mask);
    EXPECT_NEAR(c[0], 0.001 / 3.0, 1e-15);  // of -0.02, -0.01, 0.01, 0.02
    EXPECT_GT(c[3], 0.2);
}

/// ln L of a phase at 0 = 1 whose posterior one slice must cross.
FunctionProblem phase_problem() {
    const auto log_likelihood = [](std::span<const double> x) {
        const double away = shortest(x[0]) / 0.03;
        const double other = (x[1] - 0.5 - shortest(x[0])) / 0.03;
        return -0.5 * (away * away + other * other) - std::log(2.0 * std::numbers::pi * 0.03 * 0.03);
    };
    return {{Prior::uniform(0.0, 1.0), Prior::uniform(0.0, 1.0)}, log_likelihood, {0}};
}

TEST(Periodic, APhaseAcrossTheEndsIsOneMode) {
    const FunctionProblem problem = phase_problem();
    Threads threads(1);
    NestedOptions options;
    options.live_points = 200;
    const NestedResult run = run_nested(problem, options, threads);
    EXPECT_NEAR(run.log_evidence, 0.0, 4.0 * run.log_evidence_error);
    EXPECT_LT(run.diagnostics.rank_correlation, 0.01 + 3.0 * run.diagnostics.rank_correlation_error);
    const SecondOpinion opinion = second_opinion(problem, run, {}, threads);
    EXPECT_TRUE(opinion.trusted) << opinion.reason;
    EXPECT_NEAR(opinion.log_evidence, 0.0, 4.0 * opinion.log_evidence_error);
    EXPECT_GT(opinion.effective_samples, 15000.0);  // of 20000: as of one mode, not of two at the ends
}

}  // namespace
}  // namespace aliquot::infer
