#pragma once

#include <span>

#include "aliquot/summary/kernels/row_kernels.hpp"

/// Scores of one row of draws against what was observed. Rows are as in row_statistics.hpp: finite, ascending, not empty.
namespace aliquot::summary {

/// Continuous ranked probability score of the ensemble, mean |x - y| - mean |x - x'| / 2 over all S^2 pairs (Gneiting & Raftery
/// 2007, eq. 21); the second mean from the sorted draws in O(S). Accumulated in float64.
[[nodiscard]] float crps(std::span<const float> sorted, double observed, const RowKernels& kernels);
/// Interval score of the equal-tailed interval of `mass` = 1 - alpha: width + 2 / alpha times what the observation lies outside
/// (Gneiting & Raftery 2007, eq. 43).
[[nodiscard]] float interval_score(std::span<const float> sorted, double observed, double mass);
/// 1 where the equal-tailed interval of `mass` holds the observation, ends included, else 0.
[[nodiscard]] float covered(std::span<const float> sorted, double observed, double mass);
/// Brier score of the event "above threshold": (share of draws above it - whether the observation is)^2.
[[nodiscard]] float brier(std::span<const float> sorted, double observed, double threshold);
/// Probability integral transform: the share of draws below the observation plus half the share equal to it (mid-PIT, so that
/// counts and zeros need no randomisation).
[[nodiscard]] float pit(std::span<const float> sorted, double observed);

}  // namespace aliquot::summary
