#include "aliquot/infer/whitening.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aliquot::infer {
namespace {

TEST(Whitening, CovarianceAndCholeskyOfKnownPoints) {
    const Matrix<double> points = [] {
        Matrix<double> m(0, 2);
        for (const auto& row : {std::vector<double>{1.0, 2.0}, {3.0, 6.0}, {5.0, 4.0}, {9.0, 9.0}})
            m.append_row(row);
        return m;
    }();
    const std::vector<std::vector<std::size_t>> one{{0, 1, 2}};
    const auto c = covariance(points.view(), one);
    EXPECT_DOUBLE_EQ(c[0], 4.0);
    EXPECT_DOUBLE_EQ(c[1], 2.0);
    EXPECT_DOUBLE_EQ(c[2], 2.0);
    EXPECT_DOUBLE_EQ(c[3], 4.0);
    const auto l = cholesky(c, 1.0, 2);
    EXPECT_DOUBLE_EQ(l[0], 2.0);
    EXPECT_DOUBLE_EQ(l[1], 0.0);
    EXPECT_DOUBLE_EQ(l[2], 1.0);
    EXPECT_DOUBLE_EQ(l[3], std::sqrt(3.0));
}

TEST(Whitening, EveryGroupHasItsOwnCentre) {
    Matrix<double> points(0, 1);
    for (const double x : {1.0, 3.0, 11.0, 13.0, 15.0})
        points.append_row(std::vector<double>{x});
    const std::vector<std::vector<std::size_t>> two{{0, 1}, {2, 3, 4}, {}};
    EXPECT_DOUBLE_EQ(covariance(std::as_const(points).view(), two)[0], 10.0 / 3.0);  // 1 + 1 + 4 + 0 + 4 over 5 - 2
}

TEST(Whitening, AveragesForgetAndStayNormalised) {
    std::vector<double> average(1, 0.0);
    double weight = 0.0;
    for (int i = 0; i < 5; ++i)
        average_covariance({4.0}, 0.3, 1.0, average, weight);
    EXPECT_NEAR(average[0] / weight, 4.0, 1e-14);
    EXPECT_NEAR(weight, 1.0 - std::pow(0.7, 5), 1e-15);
}

TEST(Whitening, ADegenerateSetKeepsAllDirections) {
    const auto l = cholesky({1.0, 1.0, 1.0, 1.0}, 1.0, 2);
    EXPECT_GT(l[3], 0.0);
    EXPECT_LT(l[3], 1e-7);
}

}  // namespace
}  // namespace aliquot::infer
