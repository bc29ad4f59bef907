#include "aliquot/math/special_functions.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "aliquot/math/chebyshev.hpp"

namespace aliquot::math {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// sum_n x^n / (b)_n = 1F1(1; b; x), all terms positive.
double rising_series(double b, double x) {
    double term = 1.0;
    double sum = 1.0;
    for (double n = 0.0; term > 0.25 * epsilon * sum; n += 1.0) {
        term *= x / (b + n);
        sum += term;
    }
    return sum;
}

/// Q(gamma, x) exp(x) Gamma(gamma) / x^gamma by Legendre's continued fraction (modified Lentz), x > gamma.
double upper_fraction(double gamma, double x) {
    double b = x + 1.0 - gamma;
    double c = 1e300;
    double d = 1.0 / b;
    double value = d;
    for (double n = 1.0; n < 500.0; n += 1.0) {
        const double a = -n * (n - gamma);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        const double factor = c * d;
        value *= factor;
        if (std::abs(factor - 1.0) < epsilon) break;
    }
    return value;
}

/// exp(-x) 1F1(b - a; b; x) for a = 1 or 2 with b > a, by its positive series (Kummer's transformation of 1F1(a; b; -x)).
double kummer_series(double a, double b, double x) {
    double term = 1.0;
    double sum = 1.0;
    for (double n = 0.0; n < x || term > 0.25 * epsilon * sum; n += 1.0) {
        term *= (b - a + n) / (b + n) * (x / (n + 1.0));
        sum += term;
    }
    return std::exp(-x) * sum;
}

/// Asymptotic 1F1(a; b; -x) = Gamma(b) / Gamma(b - a) x^-a sum_k (a)_k (1 + a - b)_k / k! x^-k; its exponentially small companion
/// is below rounding for x >= 60.
double kummer_asymptotic(double a, double b, double x) {
    double term = a == 1.0 ? (b - 1.0) / x : (b - 1.0) * (b - 2.0) / (x * x);
    double sum = 0.0;
    for (double k = 0.0; k < 60.0 && std::abs(term) > 0.25 * epsilon * std::abs(sum); k += 1.0) {
        sum += term;
        term *= (a + k) * (1.0 + a - b + k) / ((k + 1.0) * x);
    }
    return sum + term;
}

double kummer(double a, double b, double x) {
    if (std::isnan(x)) return x;
    if (x <= 60.0) return kummer_series(a, b, x);
    return std::isinf(x) ? 0.0 : kummer_asymptotic(a, b, x);
}

/// F(x) / x for 0 <= x^2 <= 60, a table made once from 1F1(1; 3/2; -x^2).
double dawson_over_x(double x) {
    static const PiecewiseChebyshev table([](double t) { return hyp1f1_one(1.5, t * t); },
                                          {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.5, 8.0}, 22);
    return table(x);
}

}  // namespace

double lowered_exponential(double gamma, double x) {
    if (std::isnan(x) || std::isnan(gamma)) return x + gamma;
    if (gamma == 0.0) return x < 0.0 ? 0.0 : std::exp(x);
    if (x <= 0.0) return 0.0;
    if (std::isinf(x)) return x;
    if (x < 40.0 + gamma) return std::pow(x, gamma) / std::tgamma(gamma + 1.0) * rising_series(gamma + 1.0, x);
    return std::exp(x) - std::exp(gamma * std::log(x) - std::lgamma(gamma)) * upper_fraction(gamma, x);
}

double hyp1f1_one(double b, double x) {
    return kummer(1.0, b, x);
}
double hyp1f1_two(double b, double x) {
    return kummer(2.0, b, x);
}

double dawson(double x) {
    const double magnitude = std::abs(x);
    if (magnitude <= 7.5) return x * dawson_over_x(magnitude);
    if (magnitude > 1e8) return std::isnan(x) ? x : 0.5 / x;
    return x * kummer_asymptotic(1.0, 1.5, x * x);
}

double normal_quantile(double p) {
    return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * p);
}

}  // namespace aliquot::math
