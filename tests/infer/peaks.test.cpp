#include "aliquot/infer/peaks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "aliquot/infer/function_problem.hpp"
#include "aliquot/infer/verdict.hpp"

namespace aliquot::infer {
namespace {

/// Two residuals of two coordinates, with their Jacobian by hand.
class TwoResiduals final : public LeastSquares {
  public:
    using Function = std::function<std::array<double, 6>(double, double)>;  // r1, r2, dr1/dx, dr1/dy, dr2/dx, dr2/dy
    explicit TwoResiduals(Function f) : f_(std::move(f)) {}
    [[nodiscard]] double log_likelihood(std::span<const double> u) const override {
        const auto r = f_(u[0], u[1]);
        return -0.5 * (r[0] * r[0] + r[1] * r[1]);
    }
    [[nodiscard]] double normal_equations(std::span<const double> u, std::span<double> gradient,
                                          std::span<double> curvature) const override {
        const auto r = f_(u[0], u[1]);
        for (std::size_t i = 0; i < 2; ++i) {
            gradient[i] = -(r[0] * r[2 + i] + r[1] * r[4 + i]);
            for (std::size_t j = 0; j < 2; ++j)
                curvature[2 * i + j] = r[2 + i] * r[2 + j] + r[4 + i] * r[4 + j];
        }
        return log_likelihood(u);
    }
    void from_unit(std::span<const double> unit, std::span<double> place) const override {
        std::copy(unit.begin(), unit.end(), place.begin());
    }
    void to_unit(std::span<const double> place, std::span<double> unit) const override {
        std::copy(place.begin(), place.end(), unit.begin());
    }

  private:
    Function f_;
};

Matrix<double> start_at(double x, double y) {
    Matrix<double> starts(1, 2);
    starts(0, 0) = x;
    starts(0, 1) = y;
    return starts;
}

/// Rosenbrock's valley over [-2, 2]^2; its floor is at (1, 1).
TwoResiduals rosenbrock() {
    return TwoResiduals([](double u, double v) -> std::array<double, 6> {
        const double x = -2.0 + 4.0 * u;
        const double y = -2.0 + 4.0 * v;
        return {10.0 * (y - x * x), 1.0 - x, -80.0 * x, 40.0, -4.0, 0.0};
    });
}

TEST(Peaks, TheValleyOfRosenbrockIsClimbedOut) {
    Threads threads(1);
    const std::vector<Peak> peaks = find_peaks(rosenbrock(), start_at(0.2, 0.8), threads);
    ASSERT_EQ(peaks.size(), 1U);
    EXPECT_NEAR(peaks[0].place[0], 0.75, 1e-4);
    EXPECT_NEAR(peaks[0].place[1], 0.75, 1e-4);
    EXPECT_NEAR(peaks[0].log_likelihood, 0.0, 1e-6);
}

TEST(Peaks, APeakOutsideTheCubeIsMetOnItsFace) {
    const TwoResiduals plane([](double x, double y) -> std::array<double, 6> {
        return {(x - 1.5) / 0.1 + (y - 0.5) / 0.1, (y - 0.5) / 0.1, 10.0, 10.0, 0.0, 10.0};
    });
    Threads threads(1);
    const std::vector<Peak> peaks = find_peaks(plane, start_at(0.3, 0.3), threads);
    ASSERT_EQ(peaks.size(), 1U);
    EXPECT_EQ(peaks[0].place[0], 1.0);
    EXPECT_NEAR(peaks[0].place[1], 0.75, 1e-6);  // of (-5 + 10 t)^2 + (10 t)^2
}

/// Peaks at x = 0.25 and, lower, at x = 0.75.
TwoResiduals two_peaks() {
    return TwoResiduals([](double x, double) -> std::array<double, 6> {
        const double two_pi = 2.0 * 3.14159265358979323846;
        return {20.0 * std::cos(two_pi * x), 3.0 * x, -20.0 * two_pi * std::sin(two_pi * x), 0.0, 3.0, 0.0};
    });
}

TEST(Peaks, EveryPeakIsToldOnceTheHighestFirst) {
    Matrix<double> starts(0, 2);
    for (const double x : {0.7, 0.2, 0.3, 0.8})
        starts.append_row(std::vector<double>{x, 0.1});
    Threads threads(2);
    const std::vector<Peak> peaks = find_peaks(two_peaks(), starts, threads);
    ASSERT_EQ(peaks.size(), 2U);
    EXPECT_GE(peaks[0].log_likelihood, peaks[1].log_likelihood);
    EXPECT_NEAR(std::min(peaks[0].place[0], peaks[1].place[0]), 0.25, 1e-3);
    EXPECT_NEAR(std::max(peaks[0].place[0], peaks[1].place[0]), 0.75, 1e-3);
}

TEST(Peaks, WhereLnLIsNotFiniteNothingIsClimbed) {
    const TwoResiduals broken([](double, double) -> std::array<double, 6> { return {NAN, 0, 0, 0, 0, 0}; });
    Threads threads(1);
    EXPECT_TRUE(find_peaks(broken, start_at(0.5, 0.5), threads).empty());
}

/// A run of one point.
NestedResult run_at(double x, double y, double log_likelihood) {
    NestedResult run;
    run.dimension = 2;
    run.unit_samples = start_at(x, y);
    run.log_likelihood = {log_likelihood};
    run.log_weight = {0.0};
    run.log_evidence_error = 0.1;
    return run;
}

TEST(Peaks, ARunThatHasMissedAPeakIsNotTrusted) {
    const TwoResiduals squares = two_peaks();
    const FunctionProblem problem({Prior::uniform(0.0, 1.0), Prior::uniform(0.0, 1.0)},
                                  [&](std::span<const double> u) { return squares.log_likelihood(u); });
    Threads threads(1);
    const auto check = [&](double x) {
        const std::vector<double> at{x, 0.5};
        return check_peak(problem, squares, run_at(x, 0.5, squares.log_likelihood(at)), threads);
    };
    const PeakCheck high = check(0.26);
    EXPECT_FALSE(high.higher_elsewhere());
    EXPECT_NEAR(high.unit[0], 0.25, 1e-3);
    const PeakCheck low = check(0.74);
    EXPECT_TRUE(low.higher_elsewhere());
    EXPECT_NEAR(low.unit[0], 0.25, 1e-3);
    EXPECT_NEAR(low.log_likelihood - low.run_log_likelihood, 0.5 * 9.0 * (0.75 * 0.75 - 0.25 * 0.25), 0.02);
    const Verdict verdict = judge(run_at(0.75, 0.5, 0.0), {}, {}, low);
    EXPECT_FALSE(verdict.trusted);
    EXPECT_TRUE(verdict.contradicted);
    EXPECT_NE(verdict.reasons.back().find("found a peak whose ln L is higher by 2.2"), std::string::npos)
        << verdict.reasons.back();
}

}  // namespace
}  // namespace aliquot::infer
