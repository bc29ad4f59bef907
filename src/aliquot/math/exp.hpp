#pragma once

#include "aliquot/math/functor.hpp"

namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE {

namespace exp_detail {

/// x - k ln 2 for the integer k that makes it smallest, ln 2 in two parts, and k in the place of a double's exponent. Nonsense
/// where e^x is not a normal number.
struct Reduced {
    double r;
    unsigned long long exponent;
};

ALIQUOT_HD Reduced reduce(double x) {
    constexpr double shift = 0x1.8p52;
    const double shifted = fused(x, 1.4426950408889634074, shift);
    const double k = shifted - shift;
    const double r = fused(-k, 6.93147180369123816490e-01, x);
    return {fused(-k, 1.90821492927058770002e-10, r), __builtin_bit_cast(unsigned long long, shifted) << 52U};
}

/// e^r 2^k for a reduced argument that came from x: degree-11 minimax polynomial by Estrin's scheme.
ALIQUOT_HD double evaluate(double x, double r, unsigned long long exponent) {
    constexpr double lowest = -708.3964185322641;
    constexpr double highest = 709.782712893384;
    const double r2 = r * r;
    const double r4 = r2 * r2;
    const double q01 = fused(0.16666666666666667452, r, 0.50000000000000010211);
    const double q23 = fused(0.0083333333333300644469, r, 0.041666666666624161869);
    const double q45 = fused(0.00019841269863040558339, r, 0.001388888891719673607);
    const double q67 = fused(2.7557268480289715612e-6, r, 0.000024801521322342282911);
    const double q89 = fused(2.5100375842223698315e-8, r, 2.7620075892548162664e-7);
    const double low = fused(q23, r2, q01);
    const double high = fused(q89, r4, fused(q67, r2, q45));
    const double p = fused(fused(high, r4, low), r2, r) + 1.0;
    double y = __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, p) + exponent);
    y = x < lowest ? 0.0 : y;  // beyond the ends, what was computed means nothing and is replaced
    return x <= highest ? y : x * __builtin_inf();
}

/// e^(x + tail) for |tail| far below 1e-3: of a sum that one double cannot hold, such as an exact square. Ends and special values
/// of Exp.
ALIQUOT_HD double exp_of_sum(double x, double tail) {
    const Reduced reduced = reduce(x);
    return evaluate(x, reduced.r + tail, reduced.exponent);
}

}  // namespace exp_detail

/// e^x to about 1 ulp, without branches. exp(-inf) = 0, exp(inf) = inf, NaN stays NaN, overflow is inf; results below the
/// smallest normal number (x < -708.39) become 0.
struct Exp {
    ALIQUOT_HD double operator()(double x) const {
        const exp_detail::Reduced reduced = exp_detail::reduce(x);
        return exp_detail::evaluate(x, reduced.r, reduced.exponent);
    }
};

}  // namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE
