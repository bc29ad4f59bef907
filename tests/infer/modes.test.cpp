#include "aliquot/infer/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/normal.hpp"
#include "support/cube_problem.hpp"

namespace aliquot::infer {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

/// Points uniform in balls of dimension d, so many around each centre (on the diagonal of the first `along` coordinates).
Matrix<double> balls(std::size_t d, std::size_t along, double radius, const std::vector<std::pair<double, std::size_t>>& all) {
    Matrix<double> points(0, d);
    std::uint64_t number = 0;
    for (const auto& [centre, count] : all) {
        for (std::size_t i = 0; i < count; ++i) {
            RandomStream random(1, 0, number++);
            std::vector<double> point(d + 1);
            double norm2 = 0.0;
            for (std::size_t j = 0; j < d; j += 2) {
                const NormalPair pair = normal_pair(random);
                point[j] = pair.a;
                point[j + 1] = pair.b;
            }
            point.resize(d);
            for (const double x : point)
                norm2 += x * x;
            const double scale = radius * std::pow(random.uniform(), 1.0 / static_cast<double>(d)) / std::sqrt(norm2);
            for (std::size_t j = 0; j < d; ++j)
                point[j] = (j < along ? centre : 0.5) + scale * point[j];
            points.append_row(point);
        }
    }
    return points;
}

Groups groups_of(const Matrix<double>& points, std::span<const char> periodic = {}) {
    std::vector<std::size_t> rows(points.rows());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i;
    return separate_groups(points.view(), rows, periodic);
}

TEST(Modes, OneBallIsOneGroup) {
    for (const std::size_t d : {1, 2, 5, 20})
        EXPECT_EQ(groups_of(balls(d, d, 0.2, {{0.5, 200}})).size(), 1U) << d;
    EXPECT_EQ(groups_of(balls(3, 3, 0.2, {{0.5, 5}})).size(), 1U);
}

TEST(Modes, BallsApartAreGroupsOfTheirOwn) {
    for (const std::size_t d : {1, 2, 5, 20}) {
        const Groups groups = groups_of(balls(d, d, 0.05, {{0.2, 120}, {0.5, 60}, {0.8, 12}}));
        ASSERT_EQ(groups.size(), 3U) << d;
        std::vector<std::size_t> sizes;
        for (const auto& group : groups)
            sizes.push_back(group.size());
        std::sort(sizes.begin(), sizes.end());
        EXPECT_EQ(sizes, (std::vector<std::size_t>{12, 60, 120})) << d;
    }
    EXPECT_EQ(groups_of(balls(20, 1, 0.05, {{0.3, 100}, {0.7, 100}})).size(), 2U);  // apart in one coordinate of twenty
}

TEST(Modes, APeriodicBallAcrossTheEndsIsOneGroup) {
    Matrix<double> points = balls(2, 2, 0.1, {{0.95, 100}});
    for (std::size_t i = 0; i < points.rows(); ++i)
        points(i, 0) -= std::floor(points(i, 0));
    const char mask[] = {1, 0};
    EXPECT_EQ(groups_of(points).size(), 2U);
    EXPECT_EQ(groups_of(points, mask).size(), 1U);
}

TEST(Modes, ALeapBackUndoesALeap) {
    Matrix<double> points = balls(5, 5, 0.05, {{0.3, 100}});
    const Matrix<double> small = balls(5, 5, 0.025, {{0.7, 100}});
    for (std::size_t i = 0; i < small.rows(); ++i)
        points.append_row(small.row(i));
    const Groups groups = groups_of(points);
    ASSERT_EQ(groups.size(), 2U);
    const Modes modes = modes_of(points.view(), groups, {});
    std::vector<double> there(5);
    std::vector<double> back(5);
    const std::size_t from = modes.nearest(points.row(0), {});
    const double out = modes.leap(from, 1 - from, points.row(0), {}, there);
    EXPECT_NEAR(out, -5.0 * std::log(2.0), 1.0);  // radii are drawn together where few points tell them
    EXPECT_EQ(modes.nearest(there, {}), 1 - from);
    EXPECT_DOUBLE_EQ(modes.leap(1 - from, from, there, {}, back), -out);
    for (std::size_t j = 0; j < 5; ++j)
        EXPECT_NEAR(back[j], points(0, j), 1e-14);
    std::vector<double> corner(5, 0.0);
    EXPECT_EQ(modes.leap(1 - from, from, corner, {}, back), -std::numeric_limits<double>::infinity());  // out of the cube
}

/// Two Gaussians of weights 0.9 and 0.1 that no slice joins: ln Z and the share of the small one.
TEST(Modes, SharesOfModesDoNotDrift) {
    const test::Cube problem(10, [](std::span<const double> x) {
        double near = 0.0;
        double far = 0.0;
        for (const double value : x) {
            near += (value - 0.3) * (value - 0.3);
            far += (value - 0.7) * (value - 0.7);
        }
        return log_add(std::log(0.9) - 0.5 * near / 4e-4, std::log(0.1) - 0.5 * far / 4e-4) -
               10.0 * std::log(0.02 * std::sqrt(2.0 * std::numbers::pi));
    });
    Threads threads(1);
    constexpr int seeds = 12;
    double mean_share = 0.0;
    double scatter = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        NestedOptions options;
        options.seed = static_cast<std::uint64_t>(seed);
        const NestedResult run = run_nested(problem, options, threads);
        double share = 0.0;
        for (std::size_t i = 0; i < run.log_weight.size(); ++i)
            share += run.samples(i, 0) > 0.5 ? std::exp(run.log_weight[i]) : 0.0;
        mean_share += share / seeds;
        scatter += (share - 0.1) * (share - 0.1) / seeds;
        EXPECT_NEAR(run.log_evidence, 0.0, 4.0 * run.log_evidence_error) << seed;
        EXPECT_GT(run.diagnostics.leaps, 100U);
    }
    EXPECT_NEAR(mean_share, 0.1, 0.03);
    EXPECT_LT(std::sqrt(scatter), 0.05);
}

}  // namespace
}  // namespace aliquot::infer
