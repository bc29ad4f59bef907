#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/infer/amplitude_block.hpp"
#include "aliquot/infer/least_squares.hpp"

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

    /// Coordinates of the cube in which 0 and 1 are the same place, such as a phase or an angle: ln L must be equal there. The
    /// same for as long as the problem lives.
    [[nodiscard]] virtual std::span<const std::size_t> periodic() const { return {}; }

    /// Parameters in which ln L is quadratic, where the problem knows of any: the sampler then moves them on their own between
    /// moves of all. The same object for as long as the problem lives.
    [[nodiscard]] virtual const AmplitudeBlock* amplitudes() const { return nullptr; }
    /// The block's matrix G at a point, (columns + 1) squared, and the constant of ln L = constant - 0.5 c' G c; what the block's
    /// own parameters are does not matter. Empty where this point has none. Asked only of problems with a block.
    [[nodiscard]] virtual std::optional<double> amplitude_form(std::span<const double> /*parameters*/,
                                                               std::span<double> /*form*/) const {
        return {};
    }

    /// The problem as one of least squares, where it is one; as long as the problem lives.
    [[nodiscard]] virtual const LeastSquares* least_squares() const { return nullptr; }
};

}  // namespace aliquot::infer
