#include "aliquot/infer/amplitude_moves.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "aliquot/infer/nested_run.hpp"

namespace aliquot::infer {
namespace {

/// y = a t_0 + a b t_1 with three data: G = T' T of the columns and the data.
struct Wing {
    AmplitudeBlock block{{0, 1}, {Prior::log_uniform(1e-3, 10.0), Prior::uniform(0.0, 1.0)}, {{0}, {0, 1}}};
    std::array<std::array<double, 3>, 3> column{{{1.0, 0.5, 0.1}, {0.2, 0.6, 0.9}, {1.3, 0.8, 0.5}}};  // t_0, t_1, y
    std::vector<double> form = std::vector<double>(9, 0.0);
    double bound = 0.6;

    Wing() {
        for (std::size_t i = 0; i < 9; ++i) {
            for (std::size_t d = 0; d < 3; ++d)
                form[i] += column[i / 3][d] * column[i % 3][d];
        }
    }
    [[nodiscard]] bool inside(double u, double v) const {
        const double a = 1e-3 * std::pow(1e4, u);
        double distance = 0.0;
        for (std::size_t d = 0; d < 3; ++d)
            distance += std::pow(a * column[0][d] + a * v * column[1][d] - column[2][d], 2);
        return distance < bound;
    }
};

// Moments of the uniform distribution over the region, by counting a fine grid: from wherever chains start, rounds lead there.
TEST(AmplitudeMoves, RoundsLeadToTheUniformDistributionOverTheRegion) {
    const Wing wing;
    std::array<double, 5> truth{};
    std::size_t count = 0;
    constexpr int grid = 2000;
    for (int i = 0; i < grid; ++i) {
        for (int k = 0; k < grid; ++k) {
            const double u = (i + 0.5) / grid;
            const double v = (k + 0.5) / grid;
            if (!wing.inside(u, v)) continue;
            ++count;
            for (const auto& [m, value] : {std::pair{0, u}, {1, v}, {2, u * u}, {3, u * v}, {4, v * v}})
                truth[static_cast<std::size_t>(m)] += value;
        }
    }
    ASSERT_GT(count, 10000U);
    const std::vector<double> factor{0.05, 0.0, -0.1, 0.25};
    AmplitudeMoves moves(wing.block);
    std::array<double, 5> mean{};
    constexpr int chains = 20000;
    for (int chain = 0; chain < chains; ++chain) {
        RandomStream random(7, 0, static_cast<std::uint64_t>(chain));
        std::vector<double> unit{0.765, 0.3};
        ASSERT_TRUE(wing.inside(unit[0], unit[1]));
        for (int i = 0; i < 4; ++i)
            moves.round({wing.form, wing.bound, factor, 2, 10.0}, random, unit);
        ASSERT_TRUE(wing.inside(unit[0], unit[1]));
        for (const auto& [m, value] :
             {std::pair{0, unit[0]}, {1, unit[1]}, {2, unit[0] * unit[0]}, {3, unit[0] * unit[1]}, {4, unit[1] * unit[1]}})
            mean[static_cast<std::size_t>(m)] += value / chains;
    }
    for (double& t : truth)
        t /= static_cast<double>(count);
    const double error_u = std::sqrt((truth[2] - truth[0] * truth[0]) / chains);
    const double error_v = std::sqrt((truth[4] - truth[1] * truth[1]) / chains);
    EXPECT_NEAR(mean[0], truth[0], 4.0 * error_u);
    EXPECT_NEAR(mean[1], truth[1], 4.0 * error_v);
    EXPECT_NEAR(mean[2], truth[2], 8.0 * error_u);
    EXPECT_NEAR(mean[3], truth[3], 4.0 * (error_u + error_v));
    EXPECT_NEAR(mean[4], truth[4], 8.0 * error_v);
}

TEST(AmplitudeMoves, APointOutsideStaysWhereItIs) {
    const Wing wing;
    AmplitudeMoves moves(wing.block);
    RandomStream random(1, 0, 0);
    std::vector<double> unit{0.99, 0.99};
    moves.round({wing.form, wing.bound, std::vector<double>{0.1, 0.0, 0.0, 0.1}, 2, 10.0}, random, unit);
    EXPECT_EQ(unit, (std::vector<double>{0.99, 0.99}));
}

/// Amplitudes a_i with one other parameter x: ln L = -sum_i (a_i - t_i(x))^2 / 2 s^2, all priors uniform(0, 1), so that
/// Z = (s sqrt(2 pi))^n but for the tails beyond the cube.
class Lines final : public Problem {
  public:
    static constexpr std::size_t lines = 4;
    static constexpr double width = 0.02;

    [[nodiscard]] std::size_t dimension() const override { return lines + 1; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows() * dimension(); ++i)
            parameters.data()[i] = unit.data()[i];
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t p = 0; p < parameters.rows(); ++p) {
            double sum = 0.0;
            for (std::size_t i = 0; i < lines; ++i)
                sum += std::pow((parameters(p, i) - target(i, parameters(p, lines))) / width, 2);
            values[p] = -0.5 * sum;
        }
    }
    [[nodiscard]] const AmplitudeBlock* amplitudes() const override { return &block_; }
    [[nodiscard]] std::optional<double> amplitude_form(std::span<const double> parameters,
                                                       std::span<double> form) const override {
        std::fill(form.begin(), form.end(), 0.0);
        const double weight = 1.0 / (width * width);
        for (std::size_t i = 0; i < lines; ++i) {
            const double t = target(i, parameters[lines]);
            form[i * (lines + 1) + i] = weight;
            form[i * (lines + 1) + lines] = form[lines * (lines + 1) + i] = weight * t;
            form[lines * (lines + 1) + lines] += weight * t * t;
        }
        return 0.0;
    }

  private:
    static double target(std::size_t i, double x) { return 0.5 + 0.2 * std::sin(static_cast<double>(i + 1) * 3.0 * x); }
    AmplitudeBlock block_{{0, 1, 2, 3}, std::vector<Prior>(lines, Prior::uniform(0.0, 1.0)), {{0}, {1}, {2}, {3}}};
};

TEST(AmplitudeMoves, EvidenceOfAProblemWithABlock) {
    const Lines problem;
    const double truth = static_cast<double>(Lines::lines) * std::log(Lines::width * std::sqrt(2.0 * std::numbers::pi));
    Threads threads(2);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const NestedResult run = run_nested(problem, {.live_points = 300, .seed = seed}, threads);
        EXPECT_NEAR(run.log_evidence, truth, 4.0 * run.log_evidence_error);
        EXPECT_GT(run.diagnostics.amplitude_rounds, 1000U);
    }
}

TEST(AmplitudeMoves, TheSameBitsForAnyNumberOfThreads) {
    const Lines problem;
    Threads one(1);
    const NestedResult first = run_nested(problem, {.live_points = 100, .seed = 5}, one);
    for (const std::size_t count : {2, 3, 8}) {
        Threads threads(count);
        const NestedResult run = run_nested(problem, {.live_points = 100, .seed = 5}, threads);
        EXPECT_EQ(run.log_evidence, first.log_evidence);
        EXPECT_EQ(run.likelihood_calls, first.likelihood_calls);
        EXPECT_EQ(run.log_likelihood, first.log_likelihood);
    }
}

}  // namespace
}  // namespace aliquot::infer
