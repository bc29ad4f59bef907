#pragma once

#include <limits>
#include <memory>

#include "aliquot/cluster/lowered_model.hpp"

namespace aliquot::cluster {

/// A spherical density, up to a factor, with its first two derivatives: positive, falling outwards, flat at the centre.
class DensityProfile {
  public:
    virtual ~DensityProfile() = default;

    struct Value {
        double density, slope, curvature;  ///< rho, d rho / dr, d^2 rho / dr^2
    };
    [[nodiscard]] virtual Value operator()(double radius) const = 0;
    /// Where the profile ends by itself or was cut; infinite for some.
    [[nodiscard]] virtual double edge() const = 0;
    /// A length on which it changes little.
    [[nodiscard]] virtual double core_radius() const = 0;
};

/// (1 + r^2 / a^2)^(-gamma / 2) (Elson, Fall & Freeman 1987, ApJ 323, 54; gamma the slope in space), cut at `edge`.
/// gamma = 5 is Plummer's sphere.
[[nodiscard]] std::shared_ptr<const DensityProfile> eff_profile(double core_radius, double gamma,
                                                                double edge = std::numeric_limits<double>::infinity());
/// The density of an isotropic lowered model (King for truncation 1) whose King radius is `king_radius`.
[[nodiscard]] std::shared_ptr<const DensityProfile> lowered_profile(double central_depth, double truncation, double king_radius);

}  // namespace aliquot::cluster
