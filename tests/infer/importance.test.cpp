#include "aliquot/infer/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/marginal_map.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/normal.hpp"
#include "aliquot/infer/t_mixture.hpp"

namespace aliquot::infer {
namespace {

/// A correlated Gaussian on the unit cube, normalised: ln Z = 0 but for what lies outside, far below rounding.
class Gaussian final : public Problem {
  public:
    explicit Gaussian(std::size_t dimension) : dimension_(dimension) {}
    std::size_t dimension() const override { return dimension_; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows(); ++i)
            for (std::size_t j = 0; j < dimension_; ++j)
                parameters(i, j) = unit(i, j);
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        constexpr double sigma = 0.03;
        constexpr double pull = 0.6;  // x_j given x_(j-1), in units of sigma
        for (std::size_t i = 0; i < values.size(); ++i) {
            double sum = 0.0;
            double before = 0.0;
            for (std::size_t j = 0; j < dimension_; ++j) {
                const double x = (parameters(i, j) - 0.5) / sigma;
                const double spread = j == 0 ? 1.0 : std::sqrt(1.0 - pull * pull);
                const double z = (x - pull * (j == 0 ? 0.0 : before)) / spread;
                sum -= 0.5 * z * z + std::log(spread * sigma) + 0.5 * std::log(2.0 * std::numbers::pi);
                before = x;
            }
            values[i] = sum;
        }
    }

  private:
    std::size_t dimension_;
};

TEST(TMixture, DensityIntegratesToOneAndDrawsFollowIt) {
    Matrix<double> points(4000, 2);
    for (std::size_t i = 0; i < points.rows(); ++i) {
        RandomStream random(1, 0, i);
        const NormalPair pair = normal_pair(random);
        points(i, 0) = (i % 2 == 0 ? -4.0 : 4.0) + pair.a;
        points(i, 1) = 0.5 * pair.a + pair.b;
    }
    Threads threads(1);
    TMixture mixture(points.view(), 2, 1, threads);
    mixture.add_defence(points.view(), 0.05, 4.0);
    EXPECT_EQ(mixture.components(), 3U);
    // Importance sampling of a density that is known: the mean of p / q over draws of q is 1.
    double sum = 0.0;
    double left = 0.0;
    constexpr std::size_t count = 40000;
    std::vector<double> point(2);
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(1, 1, i);
        mixture.draw(random, point);
        const double z = point[1] - 0.5 * (point[0] - (point[0] < 0.0 ? -4.0 : 4.0));
        const double x = point[0] - (point[0] < 0.0 ? -4.0 : 4.0);
        const double p = 0.5 * std::exp(-0.5 * (x * x + z * z)) / (2.0 * std::numbers::pi);
        sum += p / std::exp(mixture.log_density(point)) / count;
        left += point[0] < 0.0 ? 1.0 / count : 0.0;
    }
    EXPECT_NEAR(sum, 1.0, 0.02);
    EXPECT_NEAR(left, 0.5, 0.02);
}

/// A few points far away make a part that is too small for a covariance of its own: weights must go on summing to one. The mean
/// of a normal density over the mixture's, over draws of the mixture, is 1; its standard error here is 0.004, five are allowed.
TEST(TMixture, DensityIntegratesToOneWhereAPartHasFewPoints) {
    constexpr std::size_t d = 10;
    Matrix<double> points(800, d);
    for (std::size_t i = 0; i < points.rows(); ++i) {
        RandomStream random(2, 0, i);
        for (std::size_t k = 0; k < d; ++k)
            points(i, k) = normal_pair(random).a + (i < 4 && k == 0 ? 9.0 : 0.0);
    }
    Threads threads(1);
    TMixture mixture(points.view(), 4, 1, threads);
    mixture.add_defence(points.view(), 0.05, 4.0);
    double sum = 0.0;
    constexpr std::size_t count = 40000;
    std::vector<double> point(d);
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(2, 1, i);
        mixture.draw(random, point);
        double log_p = -0.5 * d * std::log(2.0 * std::numbers::pi);
        for (const double x : point)
            log_p -= 0.5 * x * x;
        sum += std::exp(log_p - mixture.log_density(point)) / count;
    }
    EXPECT_NEAR(sum, 1.0, 0.02);
}

TEST(MarginalMap, IsSmoothInvertibleAndKnowsItsJacobian) {
    Matrix<double> unit(2000, 2);
    std::vector<double> log_weight(2000, -std::log(2000.0));
    for (std::size_t i = 0; i < unit.rows(); ++i) {
        RandomStream random(1, 0, i);
        unit(i, 0) = std::pow(random.uniform(), 4);  // pressed against an edge
        unit(i, 1) = 0.3 + 0.01 * random.uniform();
    }
    const MarginalMap map(unit, log_weight);
    std::vector<double> score(2), back(2), high(2), low(2);
    for (std::size_t i = 0; i < 200; ++i) {
        map.forward(unit.row(i), score);
        const double jacobian = map.backward(score, back);
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_NEAR(back[j], unit(i, j), 1e-11);
        double numeric = 0.0;
        for (std::size_t j = 0; j < 2; ++j) {
            std::vector<double> z = score;
            z[j] = score[j] + 1e-5;
            (void)map.backward(z, high);
            z[j] = score[j] - 1e-5;
            (void)map.backward(z, low);
            numeric += std::log((high[j] - low[j]) / 2e-5);
        }
        EXPECT_NEAR(jacobian, numeric, 1e-4);
    }
    // Far out it stays inside the cube.
    score = {-500.0, 500.0};
    EXPECT_TRUE(std::isfinite(map.backward(score, back)));
    EXPECT_GE(back[0], 0.0);
    EXPECT_LE(back[1], 1.0);
}

TEST(ParetoShape, FindsTheShapeOfKnownTails) {
    for (const double k : {0.1, 0.4, 0.8}) {
        std::vector<double> log_weight;
        for (std::size_t i = 0; i < 50000; ++i) {
            RandomStream random(2, 0, i);
            log_weight.push_back(std::log((std::pow(random.uniform(), -k) - 1.0) / k + 1.0));  // generalised Pareto
        }
        EXPECT_NEAR(pareto_shape(log_weight), k, 0.12) << k;
    }
    EXPECT_EQ(pareto_shape(std::vector<double>(4, 0.0)), std::numeric_limits<double>::infinity());
}

TEST(SecondOpinion, IsRightOnACorrelatedGaussian) {
    const Gaussian problem(8);
    Threads threads(2);
    NestedOptions options;
    options.live_points = 200;
    options.dlogz = 0.01;
    options.seed = 3;
    const NestedResult run = run_nested(problem, options, threads);
    const SecondOpinion opinion = second_opinion(problem, run, {}, threads);
    EXPECT_LT(opinion.log_evidence_error, 0.03);
    EXPECT_LT(std::abs(opinion.log_evidence), 3.0 * opinion.log_evidence_error);
    EXPECT_LT(std::abs(opinion.bridge_log_evidence), 0.05);
    EXPECT_TRUE(opinion.trusted) << opinion.reason;
    Threads one(1);
    EXPECT_EQ(second_opinion(problem, run, {}, one).log_evidence, opinion.log_evidence);
}

TEST(SecondOpinion, SaysWhyItIsNotToBeTrusted) {
    const Gaussian problem(4);
    Threads threads(2);
    NestedOptions options;
    options.live_points = 100;
    options.dlogz = 0.01;
    NestedResult run = run_nested(problem, options, threads);
    run.log_evidence += 5.0;
    const SecondOpinion opinion = second_opinion(problem, run, {}, threads);
    EXPECT_FALSE(opinion.trusted);
    EXPECT_NE(opinion.reason.find("importance and nested sampling disagree by -"), std::string::npos) << opinion.reason;
}

}  // namespace
}  // namespace aliquot::infer
