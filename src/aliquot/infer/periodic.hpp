#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

/// Coordinates of the unit cube that are periodic: for each coordinate, whether 0 and 1 are the same place. Empty where none is.
using PeriodicMask = std::vector<char>;

[[nodiscard]] inline PeriodicMask periodic_mask(const Problem& problem) {
    const std::span<const std::size_t> periodic = problem.periodic();
    PeriodicMask mask(periodic.empty() ? 0 : problem.dimension(), 0);
    for (const std::size_t j : periodic)
        mask[j] = 1;
    return mask;
}

/// The same place in [0, 1].
[[nodiscard]] inline double wrapped(double coordinate) {
    return coordinate - std::floor(coordinate);
}
/// The difference of two places, the short way round.
[[nodiscard]] inline double shortest(double difference) {
    return difference - std::nearbyint(difference);
}

/// The middle of places on the circle, for sums of weighted unit vectors.
class CircularMean {
  public:
    void add(double coordinate, double weight = 1.0) {
        cosine_ += weight * std::cos(2.0 * std::numbers::pi * coordinate);
        sine_ += weight * std::sin(2.0 * std::numbers::pi * coordinate);
    }
    [[nodiscard]] double value() const { return wrapped(std::atan2(sine_, cosine_) / (2.0 * std::numbers::pi)); }

  private:
    double cosine_ = 0.0;
    double sine_ = 0.0;
};

}  // namespace aliquot::infer
