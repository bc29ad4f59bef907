#pragma once

#include <cstddef>
#include <optional>

#include "aliquot/cluster/equilibrium.hpp"

namespace aliquot::cluster {

/// What an observer sees at a projected radius. Mean squares are one-dimensional.
struct ProjectedMoments {
    double surface_density = 0.0;  ///< mass per area
    double line_of_sight = 0.0;    ///< <v_los^2>
    double radial = 0.0;           ///< proper motion along the projected radius
    double tangential = 0.0;       ///< proper motion across it
};

/// Integrates a model along lines of sight (Gieles & Zocchi 2015, section 2.4) with z as variable, which has no pole at r = R, by
/// Clenshaw-Curtis on geometric intervals; relative errors are below 1e-9.
class Projection {
  public:
    /// Of one component, or of all together. Keeps a reference to the model.
    explicit Projection(const Equilibrium& model, std::optional<std::size_t> component = std::nullopt);

    /// At projected radius R >= 0; all zero beyond the edge.
    [[nodiscard]] ProjectedMoments operator()(double projected_radius) const;
    /// Projected radius that holds half of the mass.
    [[nodiscard]] double half_mass_radius() const;

  private:
    const Equilibrium& model_;
    std::optional<std::size_t> component_;
    double core_;  ///< a length on which the density changes little
};

}  // namespace aliquot::cluster
