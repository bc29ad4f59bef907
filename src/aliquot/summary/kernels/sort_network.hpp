#pragma once

#include "aliquot/summary/kernels/lanes.hpp"

/// Sorting many short rows at once: row r of a batch lies in lane r of a column of vectors, and one network of comparisons sorts
/// all of them (after Batcher 1968; the mirrored form of the bitonic merge, in which every comparison puts the smaller key
/// first). Sixteen vectors are kept in registers while up to four layers of the network pass over them.
namespace aliquot::ALIQUOT_ISA {

ALIQUOT_KERNEL_INLINE void exchange(lane_i32& a, lane_i32& b) {
    const lane_i32 low = a < b ? a : b;
    b = a < b ? b : a;
    a = low;
}

namespace detail {

template <int Stride, std::size_t T>
ALIQUOT_KERNEL_INLINE void exchange_at(lane_i32* v) {
    if constexpr ((T & Stride) == 0) exchange(v[T], v[T + Stride]);
}
template <int Stride, std::size_t... T>
ALIQUOT_KERNEL_INLINE void exchange_layer(lane_i32* v, std::index_sequence<T...>) {
    (exchange_at<Stride, T>(v), ...);
}
/// Half-cleaners of strides Stride, Stride / 2, ..., 1 over Count registers.
template <int Count, int Stride>
ALIQUOT_KERNEL_INLINE void clean(lane_i32* v) {
    if constexpr (Stride > 0) {
        exchange_layer<Stride>(v, std::make_index_sequence<Count>{});
        clean<Count, Stride / 2>(v);
    }
}
template <std::size_t... T>
ALIQUOT_KERNEL_INLINE void mirror_layer(lane_i32* v, std::index_sequence<T...>) {
    (exchange(v[T], v[2 * sizeof...(T) - 1 - T]), ...);
}
template <std::size_t... T>
ALIQUOT_KERNEL_INLINE void gather(const lane_i32* column, std::size_t step, lane_i32* v, std::index_sequence<T...>) {
    ((v[T] = column[T * step]), ...);
}
template <std::size_t... T>
ALIQUOT_KERNEL_INLINE void scatter(lane_i32* column, std::size_t step, const lane_i32* v, std::index_sequence<T...>) {
    ((column[T * step] = v[T]), ...);
}

}  // namespace detail

/// Sixteen registers by the 60 comparisons of Green (1969; Knuth, TAOCP 3, 5.3.4).
ALIQUOT_KERNEL_INLINE void sort_sixteen(lane_i32* v) {
    const auto x = [v](int a, int b) __attribute__((always_inline)) { exchange(v[a], v[b]); };
    x(0, 13), x(1, 12), x(2, 15), x(3, 14), x(4, 8), x(5, 6), x(7, 11), x(9, 10);
    x(0, 5), x(1, 7), x(2, 9), x(3, 4), x(6, 13), x(8, 14), x(10, 15), x(11, 12);
    x(0, 1), x(2, 3), x(4, 5), x(6, 8), x(7, 9), x(10, 11), x(12, 13), x(14, 15);
    x(0, 2), x(1, 3), x(4, 10), x(5, 11), x(6, 7), x(8, 9), x(12, 14), x(13, 15);
    x(1, 2), x(3, 12), x(4, 6), x(5, 7), x(8, 10), x(9, 11), x(13, 14);
    x(1, 4), x(2, 6), x(5, 8), x(7, 10), x(9, 13), x(11, 14);
    x(2, 4), x(3, 6), x(9, 12), x(11, 13);
    x(3, 5), x(6, 8), x(7, 9), x(10, 12);
    x(3, 4), x(5, 6), x(7, 8), x(9, 10), x(11, 12);
    x(6, 7), x(8, 9);
}

/// First `Layers` layers of the merges of neighbouring sorted halves of `block` vectors: the mirrored one, then half-cleaners.
template <int Layers>
static void merge_first(lane_i32* column, std::size_t count, std::size_t block) noexcept {
    constexpr std::size_t half = std::size_t{1} << (Layers - 1);
    const std::size_t step = block / (2 * half);
    using Half = std::make_index_sequence<half>;
    for (std::size_t base = 0; base + block / 2 < count; base += block) {  // a half that is all padding is in order already
        for (std::size_t offset = 0; offset < step; ++offset) {
            lane_i32 v[2 * half];
            lane_i32* low = column + base + offset;
            lane_i32* high = column + base + block / 2 + (step - 1 - offset);
            detail::gather(low, step, v, Half{});
            detail::gather(high, step, v + half, Half{});
            detail::mirror_layer(v, Half{});
            detail::clean<2 * half, half / 2>(v);
            detail::scatter(low, step, v, Half{});
            detail::scatter(high, step, v + half, Half{});
        }
    }
}

/// `Layers` half-cleaners of strides top, top / 2, ...
template <int Layers>
static void merge_next(lane_i32* column, std::size_t count, std::size_t top) noexcept {
    constexpr int group = 1 << Layers;
    const std::size_t step = 2 * top / group;
    using Group = std::make_index_sequence<group>;
    for (std::size_t base = 0; base < count; base += 2 * top) {
        for (std::size_t offset = 0; offset < step; ++offset) {
            lane_i32 v[group];
            detail::gather(column + base + offset, step, v, Group{});
            detail::clean<group, group / 2>(v);
            detail::scatter(column + base + offset, step, v, Group{});
        }
    }
}

/// Vectors that a column of `count` keys takes: a power of two, at least 16; those behind `count` hold the greatest integer.
ALIQUOT_KERNEL_INLINE std::size_t padded_column(std::size_t count) {
    std::size_t padded = 16;
    while (padded < count)
        padded *= 2;
    return padded;
}

/// Sort every lane of a column of `count` vectors, whose padding (see padded_column) is filled already.
ALIQUOT_KERNEL_INLINE void sort_lanes(lane_i32* column, std::size_t count) {
    for (std::size_t base = 0; base < count; base += 16) {
        lane_i32 v[16];
        detail::gather(column + base, 1, v, std::make_index_sequence<16>{});
        sort_sixteen(v);
        detail::scatter(column + base, 1, v, std::make_index_sequence<16>{});
    }
    int layers = 5;
    for (std::size_t block = 32; block / 2 < count; block *= 2, ++layers) {
        switch (layers < 8 ? layers : 8) {
            case 5:
                merge_first<1>(column, count, block);
                break;
            case 6:
                merge_first<2>(column, count, block);
                break;
            case 7:
                merge_first<3>(column, count, block);
                break;
            default:
                merge_first<4>(column, count, block);
        }
        std::size_t stride = block / 32;  // of the next half-cleaner after merge_first<4>
        int left = layers - 8;            // layers before the last four
        for (; left >= 4; left -= 4, stride /= 16)
            merge_next<4>(column, count, stride);
        if (left == 3) merge_next<3>(column, count, stride);
        if (left == 2) merge_next<2>(column, count, stride);
        if (left == 1) merge_next<1>(column, count, stride);
        merge_next<4>(column, count, 8);
    }
}

}  // namespace aliquot::ALIQUOT_ISA
