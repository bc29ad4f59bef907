#pragma once

#include <cstddef>
#include <span>

#include "aliquot/core/matrix_view.hpp"

namespace aliquot::infer {

/// A Bayesian problem over the unit hypercube, evaluated a batch of points at a time. Both methods are called from many threads
/// at once.
class Problem {
  public:
    virtual ~Problem() = default;
    [[nodiscard]] virtual std::size_t dimension() const = 0;
    /// Map unit-cube points to parameters, both (batch, dimension).
    virtual void transform(MatrixView<const double> unit, MatrixView<double> parameters) const = 0;
    /// ln L for each point of the batch; -inf rejects a point, NaN is a counted fault.
    virtual void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const = 0;
};

}  // namespace aliquot::infer
