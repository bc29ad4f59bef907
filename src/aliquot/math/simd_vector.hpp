#pragma once

#if defined(ALIQUOT_ISA_v3) || defined(ALIQUOT_ISA_v4)
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

/// Short vectors for kernel files (compiled once per instruction set, see cmake/AliquotKernels.cmake): the widest the level has,
/// with a true fused multiply-add at v3 and v4. A lane's arithmetic does not depend on the width, so v3 and v4 give the same
/// bits; baseline, which has no fma, agrees to rounding.
namespace aliquot::ALIQUOT_ISA {

#if defined(ALIQUOT_ISA_v4)
inline constexpr int simd_width = 8;
#elif defined(ALIQUOT_ISA_v3)
inline constexpr int simd_width = 4;
#else
inline constexpr int simd_width = 2;
#endif

typedef double vector_f64 __attribute__((vector_size(8 * simd_width)));
typedef double vector_f64_unaligned __attribute__((vector_size(8 * simd_width), aligned(8)));
typedef long long vector_i64 __attribute__((vector_size(8 * simd_width)));

#define ALIQUOT_KERNEL_INLINE inline __attribute__((always_inline))

ALIQUOT_KERNEL_INLINE vector_f64 load(const double* p) {
    return *reinterpret_cast<const vector_f64_unaligned*>(p);
}
ALIQUOT_KERNEL_INLINE void store(double* p, vector_f64 v) {
    *reinterpret_cast<vector_f64_unaligned*>(p) = v;
}
ALIQUOT_KERNEL_INLINE vector_f64 broadcast(double a) {
    return a - vector_f64{};
}
ALIQUOT_KERNEL_INLINE vector_f64 fused(vector_f64 a, vector_f64 b, vector_f64 c) {
#if defined(ALIQUOT_ISA_v4)
    return _mm512_fmadd_pd(a, b, c);
#elif defined(ALIQUOT_ISA_v3)
    return _mm256_fmadd_pd(a, b, c);
#else
    return a * b + c;
#endif
}
/// 0, 1, 2, ... in the lanes.
ALIQUOT_KERNEL_INLINE vector_f64 lane_numbers() {
    vector_f64 v{};
    for (int lane = 0; lane < simd_width; ++lane)
        v[lane] = lane;
    return v;
}

/// exp for arguments up to 700; below -700 it returns exp(-700). Degree-11 minimax after reduction by ln 2, about 1 ulp.
ALIQUOT_KERNEL_INLINE vector_f64 exp_bounded(vector_f64 x) {
    const vector_f64 lowest = broadcast(-700.0);
    const vector_f64 shift = broadcast(0x1.8p52);
    const vector_f64 t = x < lowest ? lowest : x;
    vector_f64 k = fused(t, broadcast(1.4426950408889634074), shift);
    const vector_i64 exponent = reinterpret_cast<vector_i64>(k) << 52;
    k = k - shift;
    vector_f64 r = fused(-k, broadcast(6.93147180369123816490e-01), t);
    r = fused(-k, broadcast(1.90821492927058770002e-10), r);
    const vector_f64 r2 = r * r;
    const vector_f64 r4 = r2 * r2;
    const vector_f64 q01 = fused(broadcast(0.16666666666666667452), r, broadcast(0.50000000000000010211));
    const vector_f64 q23 = fused(broadcast(0.0083333333333300644469), r, broadcast(0.041666666666624161869));
    const vector_f64 q45 = fused(broadcast(0.00019841269863040558339), r, broadcast(0.001388888891719673607));
    const vector_f64 q67 = fused(broadcast(2.7557268480289715612e-6), r, broadcast(0.000024801521322342282911));
    const vector_f64 q89 = fused(broadcast(2.5100375842223698315e-8), r, broadcast(2.7620075892548162664e-7));
    const vector_f64 low = fused(q23, r2, q01);
    const vector_f64 high = fused(q89, r4, fused(q67, r2, q45));
    const vector_f64 p = fused(fused(high, r4, low), r2, r) + broadcast(1.0);
    return reinterpret_cast<vector_f64>(reinterpret_cast<vector_i64>(p) + exponent);
}

}  // namespace aliquot::ALIQUOT_ISA
