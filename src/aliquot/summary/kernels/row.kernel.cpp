#include "aliquot/summary/kernels/row.hpp"

#include "aliquot/summary/kernels/sort_network.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

using summary::row_padding;
using summary::RowScan;
using summary::Tower;
using summary::TowerPlan;

constexpr int magnitude_bits = 0x7fffffff;

/// Integers that order as the floats do; its own inverse.
template <typename T>
ALIQUOT_KERNEL_INLINE T order_key(T bits) {
    return bits ^ ((bits >> 31) & magnitude_bits);
}

#if defined(ALIQUOT_ISA_v3)
/// For each mask of eight lanes, the numbers of its lanes packed to the front, a byte each.
struct PackedLanes {
    unsigned char of[256][8];
    constexpr PackedLanes() : of{} {
        for (int mask = 0; mask < 256; ++mask) {
            int count = 0;
            for (int lane = 0; lane < 8; ++lane) {
                if ((mask >> lane & 1) != 0) of[mask][count++] = static_cast<unsigned char>(lane);
            }
        }
    }
};
constexpr PackedLanes packed_lanes;
#endif

/// Append the keys of the non-zero draws among `count` ones (at most a vector's).
ALIQUOT_KERNEL_INLINE void keep_non_zero(const int* bits, int count, int* keys, RowScan& scan) {
#if defined(ALIQUOT_ISA_v4)
    const __mmask16 within = count >= lanes ? 0xffff : static_cast<__mmask16>((1U << count) - 1U);
    const __m512i x = _mm512_maskz_loadu_epi32(within, bits);
    const __m512i magnitude = _mm512_and_si512(x, _mm512_set1_epi32(magnitude_bits));
    const __mmask16 kept = _mm512_test_epi32_mask(magnitude, magnitude);
    const __m512i key = reinterpret_cast<__m512i>(order_key(reinterpret_cast<lane_i32>(x)));
    _mm512_storeu_si512(keys + scan.kept, _mm512_maskz_compress_epi32(kept, key));
    scan.kept += static_cast<std::size_t>(__builtin_popcount(kept));
    scan.negative += static_cast<std::size_t>(__builtin_popcount(_mm512_movepi32_mask(x) & kept));
#else
#if defined(ALIQUOT_ISA_v3)
    if (count == lanes) {
        const lane_i32 x = load(bits);
        const unsigned kept = lane_mask((x & magnitude_bits) != 0);
        const __m128i numbers = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed_lanes.of[kept]));
        const __m256i packed =
            _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(order_key(x)), _mm256_cvtepu8_epi32(numbers));
        store(keys + scan.kept, reinterpret_cast<lane_i32>(packed));
        scan.kept += static_cast<std::size_t>(__builtin_popcount(kept));
        scan.negative += static_cast<std::size_t>(__builtin_popcount(lane_mask(x) & kept));
        return;
    }
#endif
    for (int i = 0; i < count; ++i) {
        const int x = bits[i];
        const int zero = (x & magnitude_bits) == 0 ? 1 : 0;
        keys[scan.kept] = order_key(x);
        scan.kept += static_cast<std::size_t>(1 - zero);
        scan.negative += static_cast<std::size_t>((x < 0 ? 1 : 0) & (1 - zero));
    }
#endif
}

/// Fill keys [length, count) of a batch's rows, transpose tile by tile into the column, fill the column's own padding.
ALIQUOT_KERNEL_INLINE void load_column(int* const* rows, const std::size_t* lengths, std::size_t count, lane_i32* column) {
    const std::size_t tiled = (count + 15) / 16 * 16;
    for (int lane = 0; lane < lanes; ++lane) {
        for (std::size_t i = lengths[lane]; i < tiled; ++i)
            rows[lane][i] = magnitude_bits;
    }
    for (std::size_t base = 0; base < tiled; base += lanes) {
        lane_i32 tile[lanes];
        for (int lane = 0; lane < lanes; ++lane)
            tile[lane] = load(rows[lane] + base);
        transpose_tile(tile);
        for (int i = 0; i < lanes; ++i)
            column[base + static_cast<std::size_t>(i)] = tile[i];
    }
    const lane_i32 greatest = magnitude_bits - lane_i32{};
    for (std::size_t i = tiled; i < padded_column(count); ++i)
        column[i] = greatest;
}

/// First index whose value is `value`, searched backwards from `from` (which holds it) down to `low`; the row is sorted.
ALIQUOT_KERNEL_INLINE std::size_t run_begin(const float* row, std::size_t low, std::size_t from, float value) {
    std::size_t step = 1;
    while (from > low && row[from - 1] == value) {
        if (from - low > step && row[from - step] == value) {
            from -= step;
            step *= 2;
        } else {
            --from;
            step = 1;
        }
    }
    return from;
}
/// Last index whose value is `value`, searched forwards from `from` (which holds it) up to `high`.
ALIQUOT_KERNEL_INLINE std::size_t run_end(const float* row, std::size_t high, std::size_t from, float value) {
    std::size_t step = 1;
    while (from < high && row[from + 1] == value) {
        if (high - from > step && row[from + step] == value) {
            from += step;
            step *= 2;
        } else {
            ++from;
            step = 1;
        }
    }
    return from;
}

/// Leftmost i in [first, last] with the least row[i + steps] - row[i].
ALIQUOT_KERNEL_INLINE std::size_t narrowest(const float* row, std::size_t first, std::size_t last, std::size_t steps) {
    const lane_f32 none = __builtin_inff() - lane_f32{};
    const std::size_t whole = first + (last - first + 1) / lanes * lanes;
    const int rest = static_cast<int>(last + 1 - whole);
    lane_f32 least = none;
    for (std::size_t i = first; i < whole; i += lanes) {
        const lane_f32 width = load(row + i + steps) - load(row + i);
        least = width < least ? width : least;
    }
    lane_f32 rest_width = none;
    if (rest > 0) {
        const lane_f32 width = load(row + whole + steps) - load(row + whole);
        rest_width = lane_indices() < rest ? width : none;
        least = rest_width < least ? rest_width : least;
    }
    least = minimum_of_lanes(least);
    for (std::size_t i = first; i < whole; i += lanes) {
        const unsigned found = lane_mask(load(row + i + steps) - load(row + i) == least);
        if (found != 0) return i + static_cast<std::size_t>(__builtin_ctz(found));
    }
    const unsigned found = lane_mask(rest_width == least);
    return found != 0 ? whole + static_cast<std::size_t>(__builtin_ctz(found)) : first;
}

}  // namespace

RowScan scan_row(const float* row, std::size_t draws, int* keys) noexcept {
    const int* bits = reinterpret_cast<const int*>(row);
    RowScan scan;
    const lane_i32 magnitude_mask = magnitude_bits - lane_i32{};
    lane_i32 greatest{};
    constexpr std::size_t stride = 4 * lanes;
    std::size_t i = 0;
    for (; i + stride <= draws; i += stride) {
        const lane_i32 a = load(bits + i) & magnitude_mask;
        const lane_i32 b = load(bits + i + lanes) & magnitude_mask;
        const lane_i32 c = load(bits + i + 2 * lanes) & magnitude_mask;
        const lane_i32 d = load(bits + i + 3 * lanes) & magnitude_mask;
        if (lane_mask((a | b | c | d) != 0) == 0) continue;
        const lane_i32 ab = a > b ? a : b;
        const lane_i32 cd = c > d ? c : d;
        const lane_i32 abcd = ab > cd ? ab : cd;
        greatest = abcd > greatest ? abcd : greatest;
        for (std::size_t part = 0; part < stride; part += lanes)
            keep_non_zero(bits + i + part, lanes, keys, scan);
    }
    for (std::size_t j = i; j < draws; ++j)
        scan.magnitude = (bits[j] & magnitude_bits) > scan.magnitude ? bits[j] & magnitude_bits : scan.magnitude;
    for (; i < draws; i += lanes)
        keep_non_zero(bits + i, draws - i < lanes ? static_cast<int>(draws - i) : lanes, keys, scan);
    for (int lane = 0; lane < lanes; ++lane)
        scan.magnitude = greatest[lane] > scan.magnitude ? greatest[lane] : scan.magnitude;
    return scan;
}

void sort_rows(int* const* rows, const std::size_t* lengths, std::size_t count, int* scratch, float* const* sorted) noexcept {
    lane_i32* column = reinterpret_cast<lane_i32*>(scratch);
    load_column(rows, lengths, count, column);
    sort_lanes(column, count);
    for (std::size_t base = 0; base < count; base += lanes) {
        lane_i32 tile[lanes];
        for (int i = 0; i < lanes; ++i)
            tile[i] = order_key(column[base + static_cast<std::size_t>(i)]);
        transpose_tile(tile);
        for (int lane = 0; lane < lanes; ++lane)
            store(reinterpret_cast<int*>(sorted[lane]) + base, tile[lane]);
    }
}

std::size_t narrowest_window(const float* row, std::size_t first, std::size_t last, std::size_t steps) noexcept {
    return narrowest(row, first, last, steps);
}

void build_tower(const float* row, std::size_t draws, const TowerPlan& plan, Tower& tower) noexcept {
    std::size_t first = 0;
    std::size_t last = draws - 1;
    for (std::size_t floor = summary::floor_count; floor-- > plan.lowest;) {
        const std::size_t steps = plan.steps[floor];
        if (steps == 0) {
            const bool widest = floor + 1 == summary::floor_count;
            first = widest ? draws / 2 : first + (last - first) / 2;
            last = first;
        } else {
            first = narrowest(row, first, last - steps, steps);
            last = first + steps;
        }
        const float lower = row[first];
        const float upper = row[last];
        tower.lower[floor] = lower;
        tower.upper[floor] = upper;
        if (lower == upper) {  // narrower floors, and the tip inside them, can be nothing else
            for (std::size_t below = plan.lowest; below < floor; ++below)
                tower.lower[below] = tower.upper[below] = lower;
            if (plan.tip <= floor) tower.tip = (lower + lower) * 0.5F;
            return;
        }
        first = run_begin(row, 0, first, lower);
        last = run_end(row, draws - 1, last, upper);
        if (floor == plan.tip) tower.tip = (row[first + (last - first) / 2] + row[first + (last - first + 1) / 2]) * 0.5F;
    }
}

void bin_draws(const float* values, std::size_t count, float low, float span, float bins, int* bin) noexcept {
    const int last = static_cast<int>(bins) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const int index = static_cast<int>((values[i] - low) / span * bins);
        bin[i] = index > last ? last : index;
    }
}

double sum_of(const float* values, std::size_t count) noexcept {
    double lane[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (std::size_t l = 0; l < 8; ++l)
            lane[l] += static_cast<double>(values[i + l]);
    }
    for (std::size_t l = 0; i < count; ++i, ++l)
        lane[l] += static_cast<double>(values[i]);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double squares_about(const float* values, std::size_t count, double centre) noexcept {
    double lane[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (std::size_t l = 0; l < 8; ++l) {
            const double d = static_cast<double>(values[i + l]) - centre;
            lane[l] += d * d;
        }
    }
    for (std::size_t l = 0; i < count; ++i, ++l) {
        const double d = static_cast<double>(values[i]) - centre;
        lane[l] += d * d;
    }
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace aliquot::ALIQUOT_ISA
