#pragma once

#include "aliquot/math/functor.hpp"

namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE {

/// ln x to about 1 ulp, without branches. log(0) = -inf, log(inf) = inf, NaN for negative numbers and NaN; subnormal numbers are
/// right. x = 2^k m with m in [sqrt(1/2), sqrt(2)), s = (m - 1) / (m + 1), ln m = 2 atanh s by the minimax series of fdlibm (Sun
/// Microsystems 1993).
struct Log {
    ALIQUOT_HD double operator()(double x) const {
        constexpr double smallest_normal = 0x1p-1022;
        constexpr long long half_root_two = 0x3fe6a09e667f3bcdLL;  // bits of sqrt(1/2)
        const bool subnormal = x < smallest_normal;
        const double scaled = subnormal ? x * 0x1p54 : x;
        // Bits above those of sqrt(1/2) count exponents: k = (bits - bits of sqrt(1/2)) >> 52, as an unsigned shift of a biased
        // number.
        const unsigned long long biased =
            static_cast<unsigned long long>(__builtin_bit_cast(long long, scaled) - half_root_two) + (2048ULL << 52U);
        const unsigned long long steps = biased >> 52U;
        const double k =
            (__builtin_bit_cast(double, steps | 0x4330000000000000ULL) - 0x1p52) - (subnormal ? 2048.0 + 54.0 : 2048.0);
        const double m =
            __builtin_bit_cast(double, __builtin_bit_cast(long long, scaled) - static_cast<long long>((steps - 2048ULL) << 52U));
        const double f = m - 1.0;
        const double s = f / (2.0 + f);
        const double z = s * s;
        const double w = z * z;
        const double even = w * fused(w, fused(w, 1.531383769920937332e-01, 2.222219843214978396e-01), 3.999999999940941908e-01);
        const double odd =
            z * fused(w, fused(w, fused(w, 1.479819860511658591e-01, 1.818357216161805012e-01), 2.857142874366239149e-01),
                      6.666666666666735130e-01);
        const double half_square = 0.5 * f * f;
        const double correction = s * (half_square + (even + odd)) + k * 1.90821492927058770002e-10;
        double y = k * 6.93147180369123816490e-01 - ((half_square - correction) - f);
        y = x == 0.0 ? -__builtin_inf() : y;
        y = x < 0.0 ? __builtin_nan("") : y;
        return x != x || x == __builtin_inf() ? x : y;
    }
};

}  // namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE
