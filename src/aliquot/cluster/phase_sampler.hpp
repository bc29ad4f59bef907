#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aliquot/cluster/alias_table.hpp"
#include "aliquot/cluster/equilibrium.hpp"
#include "aliquot/core/random.hpp"

namespace aliquot::cluster {

class InverseTransform;

/// Radius and velocity of one star in the model's units; v_t is the tangential speed, v_r has a sign.
struct PhasePoint {
    double radius = 0.0;
    double radial = 0.0;
    double tangential = 0.0;
};

/// How a star is drawn.
enum class DrawMethod {
    exact,      ///< rejection from step functions: the model's distribution to rounding
    table,      ///< inverse transform through tables, three uniform numbers per star in a fixed order: for paired draws
    quadrature  ///< inverse transform by quadrature for every star from the same three numbers: slow, the oracle
};

/// Draws stars of one component of an equilibrium. Immutable after construction and safe to share between threads; keeps a
/// reference to the model. A profile without an edge must fall faster than r^-4.
class PhaseSampler {
  public:
    PhaseSampler(const Equilibrium& model, std::size_t component, DrawMethod method = DrawMethod::exact);
    ~PhaseSampler();
    PhaseSampler(PhaseSampler&&) noexcept;
    PhaseSampler& operator=(PhaseSampler&&) = delete;

    /// A star of the component.
    [[nodiscard]] PhasePoint draw(RandomStream& random) const;
    /// The velocity of a star that stands at `radius`, within the edge.
    [[nodiscard]] PhasePoint draw_at(double radius, RandomStream& random) const;
    /// Bytes of the tables.
    [[nodiscard]] std::size_t table_bytes() const;

  private:
    struct Strip;
    struct Cell;

    void lay_strips();
    void bound_radii();
    void bound_speeds();
    [[nodiscard]] const Strip& strip_of(double radius) const;
    [[nodiscard]] LocalVelocities local(const Strip& strip, double radius) const;
    /// c f(W c^2) sqrt(W) times the share that the anisotropy leaves.
    [[nodiscard]] double law(const LocalVelocities& here, double c) const;
    [[nodiscard]] PhasePoint draw_velocity(const Strip& strip, double radius, RandomStream& random) const;

    const Equilibrium* model_;
    std::size_t component_;
    double velocity_unit_ = 1.0;
    double inverse_anisotropy_radius_ = 0.0;
    bool stretched_;
    std::vector<Strip> strips_;
    AliasTable strip_choice_;
    std::vector<Cell> cells_;  ///< some for each strip
    std::vector<AliasTable::Slot> cell_choice_;
    std::unique_ptr<InverseTransform> inverse_;  ///< for the methods by inverse transform
};

/// P(speed < share * escape speed | radius) of a component, by quadrature.
[[nodiscard]] double speed_cdf(const Equilibrium& model, std::size_t component, double radius, double share);
/// P(cos of the angle between velocity and radius < cosine | radius, speed): 1/2 [1 + erfi(a q) / erfi(a)] for the lowered law.
[[nodiscard]] double angle_cdf(const Equilibrium& model, std::size_t component, double radius, double speed, double cosine);

}  // namespace aliquot::cluster
