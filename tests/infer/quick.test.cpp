#include "aliquot/infer/quick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "aliquot/infer/verdict.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

/// Independent residuals (u_j - centre_j) / sigma_j over the cube; ln Z in closed form, faces included.
class Box final : public Problem, public LeastSquares {
  public:
    Box(std::vector<double> centre, double sigma) : centre_(std::move(centre)), sigma_(sigma) {}
    [[nodiscard]] double log_evidence() const {
        double sum = 0.0;
        for (const double c : centre_)
            sum +=
                std::log(sigma_ * std::sqrt(2.0 * std::numbers::pi) * 0.5 *
                         (std::erf((1.0 - c) / (sigma_ * std::numbers::sqrt2)) + std::erf(c / (sigma_ * std::numbers::sqrt2))));
        return sum;
    }
    [[nodiscard]] std::size_t dimension() const override { return centre_.size(); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        std::copy(unit.data(), unit.data() + unit.rows() * unit.columns(), parameters.data());
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = log_likelihood(parameters.row(i));
    }
    [[nodiscard]] const LeastSquares* least_squares() const override { return this; }
    [[nodiscard]] double log_likelihood(std::span<const double> place) const override {
        double sum = 0.0;
        for (std::size_t j = 0; j < place.size(); ++j)
            sum -= 0.5 * std::pow((place[j] - centre_[j]) / sigma_, 2);
        return sum;
    }
    [[nodiscard]] double normal_equations(std::span<const double> place, std::span<double> gradient,
                                          std::span<double> curvature) const override {
        std::fill(curvature.begin(), curvature.end(), 0.0);
        for (std::size_t j = 0; j < place.size(); ++j) {
            gradient[j] = -(place[j] - centre_[j]) / (sigma_ * sigma_);
            curvature[j * place.size() + j] = 1.0 / (sigma_ * sigma_);
        }
        return log_likelihood(place);
    }
    void from_unit(std::span<const double> unit, std::span<double> place) const override {
        std::copy(unit.begin(), unit.end(), place.begin());
    }
    void to_unit(std::span<const double> place, std::span<double> unit) const override {
        std::copy(place.begin(), place.end(), unit.begin());
    }

  private:
    std::vector<double> centre_;
    double sigma_;
};

TEST(Quick, TheEvidenceOfPeaksInsideAndOnFacesIsRight) {
    Threads threads(2);
    for (const double sigma : {0.02, 0.05, 0.4}) {
        const Box box({0.5, 0.3, 0.01, 0.999, -0.05, 1.1}, sigma);  // two peaks lie outside the cube
        const QuickResult quick = quick_sample(box, {}, threads);
        EXPECT_TRUE(quick.estimate.trusted) << sigma << ": " << quick.estimate.reason;
        EXPECT_NEAR(quick.run.log_evidence, box.log_evidence(), 4.0 * quick.run.log_evidence_error) << sigma;
        EXPECT_LT(quick.run.log_evidence_error, 0.03) << sigma;
    }
}

TEST(Quick, ARunIsWholeAndInOrder) {
    Threads threads(1);
    const Box box({0.4, 0.6}, 0.1);
    const QuickResult quick = quick_sample(box, {.starts = 8, .draws = 2000, .seed = 3}, threads);
    const NestedResult& run = quick.run;
    EXPECT_EQ(run.method, Method::quick);
    EXPECT_TRUE(std::is_sorted(run.log_likelihood.begin(), run.log_likelihood.end()));
    EXPECT_TRUE(std::is_sorted(run.log_volume.rbegin(), run.log_volume.rend()));
    double total = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
        total += std::exp(run.log_weight[i]);
        mean += std::exp(run.log_weight[i]) * run.samples(i, 0);
    }
    EXPECT_NEAR(total, 1.0, 1e-12);
    EXPECT_NEAR(mean, 0.4, 0.01);
    EXPECT_EQ(run.samples.rows(), run.log_weight.size());
    // The volume above half the highest likelihood: an ellipse of radius sigma sqrt(2 ln 2).
    const auto half = std::upper_bound(run.log_likelihood.begin(), run.log_likelihood.end(), -std::log(2.0));
    const double volume = std::exp(run.log_volume[static_cast<std::size_t>(half - run.log_likelihood.begin())]);
    EXPECT_NEAR(volume, std::numbers::pi * 0.01 * 2.0 * std::log(2.0), 0.003);
    const Verdict verdict = judge(run, quick.estimate, {});
    EXPECT_FALSE(verdict.trusted);
    EXPECT_EQ(verdict.source, EvidenceSource::importance);
    EXPECT_NE(verdict.reasons[0].find("no nested sampling behind it"), std::string::npos);
}

TEST(Quick, TheSameBitsForAnyNumberOfThreads) {
    const Box box({0.4, 0.6, 0.2}, 0.1);
    Threads one(1);
    Threads three(3);
    const QuickResult a = quick_sample(box, {.starts = 8, .draws = 2000, .seed = 3}, one);
    const QuickResult b = quick_sample(box, {.starts = 8, .draws = 2000, .seed = 3}, three);
    EXPECT_EQ(a.run.log_evidence, b.run.log_evidence);
    EXPECT_EQ(a.run.log_likelihood, b.run.log_likelihood);
}

TEST(Quick, WhatIsNoSumOfSquaresIsRefused) {
    const test::Cube cube(2, [](std::span<const double>) { return 0.0; });
    Threads threads(1);
    EXPECT_NE(test::message_of<ConfigError>([&] { (void)quick_sample(cube, {}, threads); }).find("no sum of squares"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::infer
