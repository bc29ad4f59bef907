#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "aliquot/infer/nested_result.hpp"

namespace aliquot::infer {

/// Column of a matrix of samples.
[[nodiscard]] std::vector<double> column(const Matrix<double>& samples, std::size_t index);

/// Quantiles of weighted values: the value at which the cumulated weight, each point's own counted half, reaches each probability
/// (linear between points). Weights are given as logarithms; spans of equal length, not empty.
[[nodiscard]] std::vector<double> weighted_quantiles(std::span<const double> values, std::span<const double> log_weight,
                                                     std::span<const double> probabilities);

/// Kish's effective number of samples, (sum w)^2 / sum w^2.
[[nodiscard]] double effective_samples(std::span<const double> log_weight);

/// Rows of `count` equally weighted draws by systematic resampling, in row order.
[[nodiscard]] std::vector<std::size_t> equal_weight_rows(std::span<const double> log_weight, std::size_t count,
                                                         std::uint64_t seed);

/// How a parameter's posterior stands in its prior.
enum class ParameterFlag {
    none,
    edge_low,  ///< presses against the low end: over 5 % of it in the lowest 1 % of the prior, or the best point there
    edge_high,
    unconstrained  ///< less than 0.1 nat was learned about it (20-bin histogram in the unit cube)
};

/// "", "edge-low", "edge-high", "unconstrained"
[[nodiscard]] std::string_view to_string(ParameterFlag flag);

/// One flag per parameter, in the order of the samples' columns.
[[nodiscard]] std::vector<ParameterFlag> parameter_flags(const NestedResult& run);

}  // namespace aliquot::infer
