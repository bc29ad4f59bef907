#pragma once

#include <span>

namespace aliquot::infer {

/// A problem whose ln L is a constant less half a sum of squares of residuals, smooth in places of [0, 1]^d. Places are points of
/// the unit cube but for what makes a cube's map rough: sorted parameters are in order already. Called from many threads at once.
class LeastSquares {
  public:
    virtual ~LeastSquares() = default;
    /// ln L; NaN or -inf where the model is not finite.
    [[nodiscard]] virtual double log_likelihood(std::span<const double> place) const = 0;
    /// ln L with its gradient (d) and the Gauss-Newton curvature J'J (d, d) of the residuals' Jacobian J, by the coordinates of
    /// `place`.
    [[nodiscard]] virtual double normal_equations(std::span<const double> place, std::span<double> gradient,
                                                  std::span<double> curvature) const = 0;
    /// The place of a point of the unit cube, and the way back.
    virtual void from_unit(std::span<const double> unit, std::span<double> place) const = 0;
    virtual void to_unit(std::span<const double> place, std::span<double> unit) const = 0;
};

}  // namespace aliquot::infer
