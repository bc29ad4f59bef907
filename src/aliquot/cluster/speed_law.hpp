#pragma once

#include <cmath>
#include <cstddef>

#include "aliquot/cluster/equilibrium.hpp"
#include "aliquot/math/special_functions.hpp"

namespace aliquot::cluster {

/// F(a) / a, F Dawson's integral, for a^2 = b: the share of velocities of one speed that the anisotropy leaves.
[[nodiscard]] inline double angle_share(double b) {
    if (b < 1e-8) return 1.0 - b * (2.0 / 3.0);
    const double a = std::sqrt(b);
    return math::dawson(a) / a;
}

/// Density of c = sqrt(1 - w^2), w = v / v_esc, at one radius and up to a factor: c w f(W c^2) F(a) / a with a^2 = p^2 W w^2
/// (lowered law; no last factor for the stretched one, whose w counts v_t sqrt(1 + p^2)). In c the law stays bounded where f
/// grows like 1 / sqrt(E) towards the edge, as that of a cut profile does.
class SpeedLaw {
  public:
    SpeedLaw(const Equilibrium& model, std::size_t component, const LocalVelocities& local)
        : model_(model),
          component_(component),
          depth_(local.depth),
          b_(model.anisotropy_law() == AnisotropyLaw::lowered ? local.p * local.p * local.depth : 0.0) {}

    [[nodiscard]] double operator()(double c) const {
        const double w2 = (1.0 - c) * (1.0 + c);
        const double isotropic = c * std::sqrt(w2) * model_.phase_density(depth_ * c * c, component_);
        return b_ == 0.0 ? isotropic : isotropic * angle_share(b_ * w2);
    }

  private:
    const Equilibrium& model_;
    std::size_t component_;
    double depth_;
    double b_;
};

}  // namespace aliquot::cluster
