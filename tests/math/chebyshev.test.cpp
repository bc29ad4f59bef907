#include "aliquot/math/chebyshev.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aliquot::math {
namespace {

TEST(ChebyshevElement, IntegratesAndExpandsSmoothFunctions) {
    const ChebyshevElement& element = ChebyshevElement::instance();
    ChebyshevElement::Values values;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::exp(element.nodes()[i]);
    const auto integral = element.integrate(values);
    double total = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(integral[i], std::exp(element.nodes()[i]) - std::exp(-1.0), 1e-15);
        total += element.weights()[i] * values[i];
    }
    EXPECT_NEAR(total, 2.0 * std::sinh(1.0), 2e-15);
    for (const double x : {-1.0, -0.37, 0.0, 0.5, 1.0})
        EXPECT_NEAR(chebyshev_sum(element.coefficients(values), x), std::exp(x), 3e-15);
}

TEST(PiecewiseChebyshev, FollowsAFunctionOverItsIntervals) {
    const PiecewiseChebyshev sine([](double x) { return std::sin(x); }, {0.0, 1.0, 3.0, 6.0}, 18);
    for (double x = 0.0; x <= 6.0; x += 0.01)
        EXPECT_NEAR(sine(x), std::sin(x), 4e-15);
}

}  // namespace
}  // namespace aliquot::math
