#pragma once

namespace aliquot::math {

// Special functions of lowered isothermal models (Gieles & Zocchi 2015, MNRAS 454, 576, appendix D) and of their velocity
// distributions, with relative errors below 1e-14 wherever the result is a normal number. NaN stays NaN.

/// Lowered exponential E_gamma(x) = exp(x) P(gamma, x), P the regularised lower incomplete gamma function; E_0 = exp.
/// gamma in [0, 50]; 0 for x <= 0 (the edge of a model), +inf where exp(x) is.
[[nodiscard]] double lowered_exponential(double gamma, double x);

/// Kummer's 1F1(1; b; -x), b > 1, x >= 0.
[[nodiscard]] double hyp1f1_one(double b, double x);
/// Kummer's 1F1(2; b; -x) = d/dx [x 1F1(1; b; -x)], b > 2, x >= 0.
[[nodiscard]] double hyp1f1_two(double b, double x);

/// Dawson's integral F(x) = exp(-x^2) int_0^x exp(t^2) dt, any x.
[[nodiscard]] double dawson(double x);

/// The x below which a standard normal number lies with probability p, 0 < p < 1 (Boost.Math).
[[nodiscard]] double normal_quantile(double p);

}  // namespace aliquot::math
