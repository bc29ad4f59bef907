#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "aliquot/infer/problem.hpp"

namespace aliquot::test {

/// ln L as a function of the unit cube.
class Cube final : public infer::Problem {
  public:
    Cube(std::size_t dimension, std::function<double(std::span<const double>)> f) : dimension_(dimension), f_(std::move(f)) {}
    [[nodiscard]] std::size_t dimension() const override { return dimension_; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows() * dimension_; ++i)
            parameters.data()[i] = unit.data()[i];
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < parameters.rows(); ++i)
            values[i] = f_(parameters.row(i));
    }

  private:
    std::size_t dimension_;
    std::function<double(std::span<const double>)> f_;
};

/// ln of a normalised Gaussian around the middle of the cube.
inline double gaussian(std::span<const double> u, double sigma) {
    double sum = 0.0;
    for (const double x : u)
        sum += (x - 0.5) * (x - 0.5);
    return -0.5 * sum / (sigma * sigma) -
           static_cast<double>(u.size()) * std::log(sigma * std::sqrt(2.0 * 3.14159265358979323846));
}

}  // namespace aliquot::test
