#pragma once

#include <cstddef>
#include <span>

#include "aliquot/summary/kernels/row_kernels.hpp"

/// Statistics of one row of draws. Every row is finite, not empty, in ascending order (float32), and has row_padding values of
/// room behind its last draw; S is its length. Results are float32.
namespace aliquot::summary {

struct Interval {
    float lower;
    float upper;
};

/// Share of draws strictly above `threshold`, compared in binary64: the threshold is not rounded.
[[nodiscard]] float exceedance(std::span<const float> sorted, double threshold);
/// The same with the threshold rounded to float32 first. The two differ where the threshold is no float32 number: of 0.1, 0.2,
/// 0.3 and 0.7 (float32), all exceed 0.1 by the first rule, three by this one.
[[nodiscard]] float exceedance_float32(std::span<const float> sorted, double threshold);
/// Mean of the ceil(tail * S) greatest draws, the product in binary64. Tail in (0, 1].
[[nodiscard]] float expected_shortfall(std::span<const float> sorted, double tail, const RowKernels& kernels);
/// Linear interpolation at h = (S - 1) q (Hyndman & Fan 1996, type 7): difference of neighbours in float32, interpolation in
/// binary64 from the nearer end, as numpy does it. q in [0, 1].
[[nodiscard]] float quantile(std::span<const float> sorted, double q);
/// Quantiles (1 - mass) / 2 and (1 + mass) / 2. Mass in (0, 1).
[[nodiscard]] Interval equal_tailed_interval(std::span<const float> sorted, double mass);
/// Leftmost shortest window of floor(mass * S) + 1 draws, not nested in any other; [least, least] where floor(mass * S) is 0.
/// Mass in (0, 1).
[[nodiscard]] Interval shortest_interval(std::span<const float> sorted, double mass, const RowKernels& kernels);

[[nodiscard]] float mean(std::span<const float> sorted, const RowKernels& kernels);
/// Population standard deviation (divided by S), as numpy's default.
[[nodiscard]] float standard_deviation(std::span<const float> sorted, const RowKernels& kernels);
[[nodiscard]] float median(std::span<const float> sorted);
/// Median of the absolute differences from the median, not scaled.
[[nodiscard]] float median_absolute_deviation(std::span<const float> sorted);

/// Half-sample mode (Bickel & Frühwirth 2006): the leftmost shortest window of half the draws, halved again until two are left
/// (their mean) or three (the mean of the closer pair, the middle one where both pairs are as close).
[[nodiscard]] float half_sample_mode(std::span<const float> sorted, const RowKernels& kernels);
/// The most frequent value, the least of several.
[[nodiscard]] float most_frequent_value(std::span<const float> sorted);
/// Centre of the densest of 100 equal bins between the extremes (the lowest of several; numpy's bins and edges in float32), or 0
/// where at least 30 % of the draws are within 1e-8 of zero: the mode that VIEWS froze in ADR-018. Biased; kept for comparison.
[[nodiscard]] float map_estimate(std::span<const float> sorted, const RowKernels& kernels);
/// Whether the draws lie in at least two separated groups (views-frames' `bimodality`): 16 equal bins smoothed over three; runs
/// of bins with at least 0.40 of the highest; two runs that hold at least 15 % of the draws each.
[[nodiscard]] bool is_bimodal(std::span<const float> sorted, const RowKernels& kernels);

}  // namespace aliquot::summary
