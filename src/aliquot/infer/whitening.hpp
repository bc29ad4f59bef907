#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"

namespace aliquot::infer {

/// Mean of the given rows of `points`; in periodic coordinates counted from the middle of their places.
[[nodiscard]] std::vector<double> centre_of(MatrixView<const double> points, std::span<const std::size_t> rows,
                                            std::span<const char> periodic = {});

/// Covariance of the given rows of `points` around the centre of the group that they are in, (d, d) row-major. Summed in the
/// order given.
[[nodiscard]] std::vector<double> covariance(MatrixView<const double> points, std::span<const std::vector<std::size_t>> groups,
                                             std::span<const char> periodic = {});

/// Exponential average: average <- (1 - share) shrink average + share matrix, weight <- (1 - share) weight + share.
void average_covariance(const std::vector<double>& matrix, double share, double shrink, std::vector<double>& average,
                        double& weight);

/// Lower Cholesky factor of matrix / weight with its rows and columns in the given order, (d, d) row-major. A direction that the
/// points do not span keeps a width of 1e-8 of its axis instead of none.
[[nodiscard]] std::vector<double> cholesky(const std::vector<double>& matrix, double weight, std::span<const std::size_t> order);
/// The same in the order that they are in.
[[nodiscard]] std::vector<double> cholesky(const std::vector<double>& matrix, double weight, std::size_t dimension);

}  // namespace aliquot::infer
