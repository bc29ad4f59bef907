#pragma once

#include <cstddef>
#include <utility>

#if defined(ALIQUOT_ISA_v3) || defined(ALIQUOT_ISA_v4)
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

#include "aliquot/math/simd_vector.hpp"

/// Vectors of 32-bit integers and floats for the row kernels, as wide as the level has them. Sorting and searching only compare,
/// so every level gives the same bits.
namespace aliquot::ALIQUOT_ISA {

inline constexpr int lanes = 2 * simd_width;

typedef int lane_i32 __attribute__((vector_size(4 * lanes)));
typedef int lane_i32_unaligned __attribute__((vector_size(4 * lanes), aligned(4)));
typedef float lane_f32 __attribute__((vector_size(4 * lanes)));
typedef float lane_f32_unaligned __attribute__((vector_size(4 * lanes), aligned(4)));

ALIQUOT_KERNEL_INLINE lane_i32 load(const int* p) {
    return *reinterpret_cast<const lane_i32_unaligned*>(p);
}
ALIQUOT_KERNEL_INLINE void store(int* p, lane_i32 v) {
    *reinterpret_cast<lane_i32_unaligned*>(p) = v;
}
ALIQUOT_KERNEL_INLINE lane_f32 load(const float* p) {
    return *reinterpret_cast<const lane_f32_unaligned*>(p);
}
/// 0, 1, 2, ... in the lanes.
ALIQUOT_KERNEL_INLINE lane_i32 lane_indices() {
    lane_i32 v{};
    for (int lane = 0; lane < lanes; ++lane)
        v[lane] = lane;
    return v;
}
/// One bit per lane of a comparison's result.
ALIQUOT_KERNEL_INLINE unsigned lane_mask(lane_i32 comparison) {
#if defined(ALIQUOT_ISA_v4)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(comparison));
#elif defined(ALIQUOT_ISA_v3)
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(comparison)));
#else
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(comparison)));
#endif
}

namespace detail {

template <int Half, std::size_t... I>
ALIQUOT_KERNEL_INLINE lane_f32 swap_halves(lane_f32 v, std::index_sequence<I...>) {
    return __builtin_shuffle(v, lane_i32{(static_cast<int>(I) ^ Half)...});
}
template <int Half>
ALIQUOT_KERNEL_INLINE lane_f32 fold_minimum(lane_f32 v) {
    if constexpr (Half > 0) {
        const lane_f32 other = swap_halves<Half>(v, std::make_index_sequence<lanes>{});
        return fold_minimum<Half / 2>(v < other ? v : other);
    } else {
        return v;
    }
}

}  // namespace detail

/// The least lane in every lane; no lane may be NaN.
ALIQUOT_KERNEL_INLINE lane_f32 minimum_of_lanes(lane_f32 v) {
    return detail::fold_minimum<lanes / 2>(v);
}

namespace detail {

template <std::size_t... I>
ALIQUOT_KERNEL_INLINE lane_i32 zip_low(lane_i32 a, lane_i32 b, std::index_sequence<I...>) {
    return __builtin_shuffle(a, b, lane_i32{static_cast<int>(I / 2 + (I % 2) * lanes)...});
}
template <std::size_t... I>
ALIQUOT_KERNEL_INLINE lane_i32 zip_high(lane_i32 a, lane_i32 b, std::index_sequence<I...>) {
    return __builtin_shuffle(a, b, lane_i32{static_cast<int>(I / 2 + lanes / 2 + (I % 2) * lanes)...});
}
template <std::size_t... T>
ALIQUOT_KERNEL_INLINE void zip_round(const lane_i32* in, lane_i32* out, std::index_sequence<T...>) {
    using All = std::make_index_sequence<lanes>;
    ((out[2 * T] = zip_low(in[T], in[T + lanes / 2], All{}), out[2 * T + 1] = zip_high(in[T], in[T + lanes / 2], All{})), ...);
}

}  // namespace detail

/// Transpose a tile of lanes x lanes integers held in `lanes` vectors: log2(lanes) rounds of the perfect shuffle.
ALIQUOT_KERNEL_INLINE void transpose_tile(lane_i32* v) {
    using Half = std::make_index_sequence<lanes / 2>;
    lane_i32 w[lanes];
    detail::zip_round(v, w, Half{});
    detail::zip_round(w, v, Half{});
    if constexpr (lanes == 16) {
        detail::zip_round(v, w, Half{});
        detail::zip_round(w, v, Half{});
    } else if constexpr (lanes == 8) {
        detail::zip_round(v, w, Half{});
        for (int i = 0; i < lanes; ++i)
            v[i] = w[i];
    }
}

}  // namespace aliquot::ALIQUOT_ISA
