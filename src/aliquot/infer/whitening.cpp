#include "aliquot/infer/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aliquot/infer/periodic.hpp"

namespace aliquot::infer {

std::vector<double> covariance(MatrixView<const double> points, std::span<const std::size_t> rows,
                               std::span<const char> periodic) {
    const std::size_t d = points.columns();
    const double n = static_cast<double>(std::max<std::size_t>(rows.size(), 2));
    // Periodic coordinates are counted from the middle of their points.
    std::vector<double> middle(periodic.size(), 0.0);
    for (std::size_t j = 0; j < periodic.size(); ++j) {
        if (!periodic[j]) continue;
        CircularMean sum;
        for (const std::size_t row : rows)
            sum.add(points(row, j));
        middle[j] = sum.value();
    }
    const auto coordinate = [&](std::size_t row, std::size_t j) {
        return !periodic.empty() && periodic[j] ? shortest(points(row, j) - middle[j]) : points(row, j);
    };
    std::vector<double> mean(d, 0.0);
    for (const std::size_t row : rows) {
        for (std::size_t j = 0; j < d; ++j)
            mean[j] += coordinate(row, j) / n;
    }
    std::vector<double> matrix(d * d, 0.0);
    std::vector<double> centred(d);
    for (const std::size_t row : rows) {
        for (std::size_t j = 0; j < d; ++j)
            centred[j] = coordinate(row, j) - mean[j];
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                matrix[i * d + j] += centred[i] * centred[j];
        }
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            matrix[i * d + j] /= n - 1.0;
            matrix[j * d + i] = matrix[i * d + j];
        }
    }
    return matrix;
}

void average_covariance(const std::vector<double>& matrix, double share, double shrink, std::vector<double>& average,
                        double& weight) {
    for (std::size_t i = 0; i < matrix.size(); ++i)
        average[i] = (1.0 - share) * shrink * average[i] + share * matrix[i];
    weight = (1.0 - share) * weight + share;
}

std::vector<double> cholesky(const std::vector<double>& matrix, double weight, std::span<const std::size_t> order) {
    const std::size_t dimension = order.size();
    std::vector<double> factor(dimension * dimension, 0.0);
    for (std::size_t i = 0; i < dimension; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[order[i] * dimension + order[j]] / weight;
            const double diagonal = sum;
            for (std::size_t k = 0; k < j; ++k)
                sum -= factor[i * dimension + k] * factor[j * dimension + k];
            if (i == j) {
                factor[i * dimension + i] = std::sqrt(std::max({sum, 1e-16 * diagonal, 1e-300}));
            } else {
                factor[i * dimension + j] = sum / factor[j * dimension + j];
            }
        }
    }
    return factor;
}

std::vector<double> cholesky(const std::vector<double>& matrix, double weight, std::size_t dimension) {
    std::vector<std::size_t> order(dimension);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return cholesky(matrix, weight, order);
}

}  // namespace aliquot::infer
