#include "aliquot/infer/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aliquot/infer/periodic.hpp"

namespace aliquot::infer {

std::vector<double> centre_of(MatrixView<const double> points, std::span<const std::size_t> rows,
                              std::span<const char> periodic) {
    const double n = static_cast<double>(std::max<std::size_t>(rows.size(), 2));
    std::vector<double> centre(points.columns(), 0.0);
    for (const std::size_t row : rows) {
        for (std::size_t j = 0; j < centre.size(); ++j)
            centre[j] += points(row, j) / n;
    }
    for (std::size_t j = 0; j < periodic.size(); ++j) {
        if (!periodic[j]) continue;
        CircularMean middle;
        for (const std::size_t row : rows)
            middle.add(points(row, j));
        double sum = 0.0;
        for (const std::size_t row : rows)
            sum += shortest(points(row, j) - middle.value());
        centre[j] = wrapped(middle.value() + sum / n);
    }
    return centre;
}

std::vector<double> covariance(MatrixView<const double> points, std::span<const std::vector<std::size_t>> groups,
                               std::span<const char> periodic) {
    const std::size_t d = points.columns();
    std::vector<double> matrix(d * d, 0.0);
    std::vector<double> centred(d);
    std::size_t free = 0;
    for (const auto& rows : groups) {
        if (rows.empty()) continue;
        const std::vector<double> centre = centre_of(points, rows, periodic);
        for (const std::size_t row : rows) {
            for (std::size_t j = 0; j < d; ++j) {
                const double away = points(row, j) - centre[j];
                centred[j] = !periodic.empty() && periodic[j] ? shortest(away) : away;
            }
            for (std::size_t i = 0; i < d; ++i) {
                for (std::size_t j = 0; j <= i; ++j)
                    matrix[i * d + j] += centred[i] * centred[j];
            }
        }
        free += rows.size() - 1;
    }
    const auto n = static_cast<double>(std::max<std::size_t>(free, 1));
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            matrix[i * d + j] /= n;
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
