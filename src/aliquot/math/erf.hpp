#pragma once

#include "aliquot/math/exp.hpp"

namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE {

namespace erf_detail {

/// (1 + 2 x) erfcx(x) for x >= 0 as a Chebyshev series in (x - 3.75) / (x + 3.75) (Shepherd & Laframboise 1981, Math. Comp. 36,
/// 249; coefficients recomputed to 20 digits).
ALIQUOT_HD double scaled_erfcx(double x) {
    constexpr double c[] = {
        2.3551578691348035082,       -0.0045900545806464773309,  -0.084249133366517915584,   0.059209939998191890498,
        -0.026658668435305752277,    0.0090749976707050652939,   -0.0024131635404176081909,  0.00049077583652580863229,
        -0.000069169733025012063671, 4.1390279860730101675e-6,   7.7403830661984906686e-7,   -2.1886401049234395661e-7,
        1.0764999465670910377e-8,    4.5219598112182868979e-9,   -7.7544002088313511065e-10, -6.3180883408866844944e-11,
        2.8687950109306698981e-11,   1.945586854577734723e-13,   -9.6546967484334389059e-13, 3.2525481481487398415e-14,
        3.3478119482868053878e-14,   -1.8645628804193131015e-15, -1.2507950530688647085e-15, 7.418235256624043463e-17,
        5.0681489047961113168e-17,   -2.2370566594359995974e-18};
    constexpr int terms = 26;
    const double y = x < 1e300 ? (x - 3.75) / (x + 3.75) : 1.0;
    const double twice = 2.0 * y;
    double b1 = 0.0;
    double b2 = 0.0;
    for (int i = terms - 1; i > 0; --i) {
        const double b0 = fused(twice, b1, c[i] - b2);
        b2 = b1;
        b1 = b0;
    }
    return fused(y, b1, 0.5 * c[0] - b2);
}

/// exp(sign x^2) with the square split, so that its rounding does not show.
ALIQUOT_HD double exp_square(double x, double sign) {
    const double head = __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) & 0xfffffffff8000000ULL);
    const double tail = (x - head) * (x + head);
    return Exp()(sign * head * head) * Exp()(sign * tail);
}

}  // namespace erf_detail

/// exp(x^2) erfc(x): erfcx(inf) = 0, erfcx(-inf) = inf, NaN stays NaN; relative error about 1e-15.
struct Erfcx {
    ALIQUOT_HD double operator()(double x) const {
        if (x != x) return x;
        const double a = x < 0.0 ? -x : x;
        const double positive = a == __builtin_inf() ? 0.0 : erf_detail::scaled_erfcx(a) / (1.0 + 2.0 * a);
        if (x >= 0.0) return positive;
        return a > 26.7 ? __builtin_inf() : 2.0 * erf_detail::exp_square(a, 1.0) - positive;
    }
};

/// Complementary error function: erfc(inf) = 0, erfc(-inf) = 2, NaN stays NaN; relative error about 2e-15 down to the smallest
/// normal number, 0 below it.
struct Erfc {
    ALIQUOT_HD double operator()(double x) const {
        if (x != x) return x;
        const double a = x < 0.0 ? -x : x;
        const double tail = a > 26.6 ? 0.0 : erf_detail::exp_square(a, -1.0) * (erf_detail::scaled_erfcx(a) / (1.0 + 2.0 * a));
        return x >= 0.0 ? tail : 2.0 - tail;
    }
};

/// Error function: erf(+-inf) = +-1, NaN stays NaN; relative error about 1e-15, also near zero (minimax polynomial in x^2 up to
/// 1).
struct Erf {
    ALIQUOT_HD double operator()(double x) const {
        if (x != x) return x;
        const double a = x < 0.0 ? -x : x;
        if (a > 1.0) {
            const double value = 1.0 - Erfc()(a);
            return x < 0.0 ? -value : value;
        }
        constexpr double c[] = {1.1283791670955125738,     -0.37612638903183748056,     0.11283791670954878666,
                                -0.026866170645076793248,  0.0052239776248180144673,    -0.00085483269808337899052,
                                0.00012055331111642710923, -0.000014925595266831181565, 1.6461000484121368033e-6,
                                -1.6350312701054695011e-7, 1.4659775274047435814e-8,    -1.137284885679167367e-9,
                                5.9571761477489114044e-11};
        const double t = x * x;
        double p = c[12];
        for (int i = 11; i >= 0; --i)
            p = fused(p, t, c[i]);
        return x * p;
    }
};

}  // namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE
