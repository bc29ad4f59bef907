#pragma once

#include "aliquot/math/exp.hpp"

namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE {

// Without branches and loops, so that loops over these functors vectorise.
namespace erf_detail {

/// c0 + c1 x + c2 x^2 + ... by Horner's rule.
ALIQUOT_HD double polynomial(double /*x*/, double c0) {
    return c0;
}
template <typename... Rest>
ALIQUOT_HD double polynomial(double x, double c0, double c1, Rest... rest) {
    return fused(polynomial(x, c1, rest...), x, c0);
}

ALIQUOT_HD double magnitude(double x) {
    return x < 0.0 ? -x : x;
}

/// (1 + 2 x) erfcx(x) for x >= 0, a smooth function of t = (x - 3.75) / (x + 3.75) (Shepherd & Laframboise 1981, Math. Comp. 36,
/// 249); Chebyshev fit of degree 24 in powers of t, off by less than 7e-18.
ALIQUOT_HD double scaled_erfcx(double x) {
    const double bounded = x < 1e17 ? x : 1e17;  // t is 1 by then; an infinite x would make it NaN
    const double t = (bounded - 3.75) / (bounded + 3.75);
    const double t2 = t * t;
    const double even = polynomial(t2, 1.2375126308378275, 0.003585415485463775, -0.10880393014171785, -0.058693398590212366,
                                   -0.009746579552504244, 0.0002937136342850081, 5.1649211390702855e-05, -1.1444412439171722e-05,
                                   1.752057970166318e-06, -2.591069687796658e-07, 3.8965452548985966e-08, -5.28428697963142e-09,
                                   4.434959070009628e-10);
    const double odd = polynomial(t2, -0.14024059858554697, 0.08227673849014516, 0.09230432116037876, 0.028362277418940665,
                                  0.0017556258530017257, -0.0002901540809795271, 2.2384240314224437e-05, -9.735619015182663e-07,
                                  -5.721597255990987e-08, 2.3261913276696566e-08, -3.743568033634583e-09, 3.110310719839165e-10);
    return fused(odd, t, even);
}

/// exp(sign x^2) with the square split, so that its rounding does not show.
ALIQUOT_HD double exp_square(double x, double sign) {
    const double head = __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) & 0xfffffffff8000000ULL);
    return exp_detail::exp_of_sum(sign * (head * head), sign * ((x - head) * (x + head)));
}

/// erfc of a number that is not negative.
ALIQUOT_HD double erfc_positive(double x) {
    const double bounded = x < 30.0 ? x : 30.0;  // erfc(30) is 0
    return exp_square(bounded, -1.0) * (scaled_erfcx(bounded) / (1.0 + 2.0 * bounded));
}

}  // namespace erf_detail

/// exp(x^2) erfc(x): erfcx(inf) = 0, erfcx(-inf) = inf, NaN stays NaN; relative error below 1e-15.
struct Erfcx {
    ALIQUOT_HD double operator()(double x) const {
        const double a = erf_detail::magnitude(x);
        const double positive = 0.5 * erf_detail::scaled_erfcx(a) / (0.5 + a);
        const double bounded = a < 30.0 ? a : 30.0;  // exp(30^2) is infinite
        const double negative = 2.0 * erf_detail::exp_square(bounded, 1.0) - positive;
        const double y = x < 0.0 ? negative : positive;
        return x == x ? y : x;
    }
};

/// Complementary error function: erfc(inf) = 0, erfc(-inf) = 2, NaN stays NaN; relative error below 1e-15 down to the smallest
/// normal number (x = 26.54), 0 from x = 26.62 on.
struct Erfc {
    ALIQUOT_HD double operator()(double x) const {
        const double tail = erf_detail::erfc_positive(erf_detail::magnitude(x));
        const double y = x < 0.0 ? 2.0 - tail : tail;
        return x == x ? y : x;
    }
};

/// Error function: erf(+-inf) = +-1, erf(-0) = -0, NaN stays NaN; relative error below 1e-15, also near zero (Chebyshev fit of
/// erf(x) / x in powers of x^2 up to 0.75, off by less than 1e-18).
struct Erf {
    ALIQUOT_HD double operator()(double x) const {
        constexpr double central = 0.75;
        const double a = erf_detail::magnitude(x);
        const double bounded = a < central ? a : central;
        const double inner = x * erf_detail::polynomial(bounded * bounded, 1.1283791670955126, -0.37612638903183715,
                                                        0.11283791670952596, -0.026866170644428485, 0.005223977615420539,
                                                        -0.0008548326188759752, 0.00012055289567541706, -1.4924196305569617e-05,
                                                        1.643068417974155e-06, -1.5940066854661717e-07, 1.1472499701094691e-08);
        const double beyond = 1.0 - erf_detail::erfc_positive(a);
        const double outer = x < 0.0 ? -beyond : beyond;
        const double y = a < central ? inner : outer;
        return x == x ? y : x;
    }
};

}  // namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE
