#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "aliquot/summary/kernels/row_kernels.hpp"

namespace aliquot::summary {

/// Masses of the canonical tower, narrowest first (views-frames ADR-019): 0.05 ... 0.90 in steps of 0.05, then 0.92, 0.94, 0.95,
/// 0.96, 0.97, 0.98, 0.99, as binary64 literals.
inline constexpr std::array<double, floor_count> canonical_floors{0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45,
                                                                  0.5,  0.55, 0.6,  0.65, 0.7,  0.75, 0.8,  0.85, 0.9,
                                                                  0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99};

/// Window steps k = floor(mass * draws) of each floor, the product in binary64; a floor spans k + 1 draws.
[[nodiscard]] std::array<std::size_t, floor_count> window_steps(std::size_t draws);

/// The floor nearest to a mass, the lower one at the same distance. Throws ConfigError for a mass outside (0, 1).
[[nodiscard]] std::size_t nearest_floor(double mass);

/// The nested tower of shortest intervals and its tip ("MAP") for one row of finite draws in ascending order, with row_padding
/// values of room behind them.
///
/// The widest floor is the leftmost shortest window of k + 1 draws; every narrower one is the leftmost shortest window among the
/// draws whose *values* lie in its parent; k = 0 takes the lower middle draw of the parent (the upper middle of the row at the
/// widest floor). The tip is the median of the draws whose values lie in the floor nearest `tip_mass`. Widths are float32.
[[nodiscard]] Tower build_tower(std::span<const float> sorted, double tip_mass, const RowKernels& kernels);

}  // namespace aliquot::summary
