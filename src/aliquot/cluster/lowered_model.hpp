#pragma once

#include <limits>
#include <vector>

#include "aliquot/cluster/equilibrium.hpp"
#include "aliquot/cluster/lowered_law.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

/// A lowered model whose density never reaches zero; the message names the critical anisotropy radius or truncation.
class NoFiniteEdge : public ConfigError {
  public:
    using ConfigError::ConfigError;
};

/// One mass component of a lowered model (Gieles & Zocchi 2015, section 2.2).
struct LoweredComponent {
    double central_fraction = 1.0;                                       ///< alpha_j: share of the central mass density
    double velocity_scale = 1.0;                                         ///< s_j / s
    double anisotropy_radius = std::numeric_limits<double>::infinity();  ///< r_a,j in units of the King radius r_0
};

/// What defines a lowered model. Central fractions are normalised to sum 1.
struct LoweredSpec {
    double central_depth = 5.0;  ///< W0, (0, 200]
    double truncation = 1.0;     ///< g in [0, 3.5): 0 Woolley, 1 King (Michie where anisotropic), 2 Wilson
    std::vector<LoweredComponent> components{LoweredComponent{}};
};

/// Lowered isothermal model (LIMEPY family, Gieles & Zocchi 2015, MNRAS 454, 576), solved. Model units: s = 1, King radius r_0 =
/// 1, central density 1, G = 9 / (4 pi); `potential` is the dimensionless depth W.
///
/// Poisson's equation is solved by Chebyshev collocation on intervals of radius and, near the edge, of sqrt(W) with 1/r as
/// unknown: the edge is a boundary value and not an extrapolation, and every profile is a polynomial good to rounding.
class LoweredModel final : public Equilibrium {
  public:
    /// Throws ConfigError for parameters outside their range, NoFiniteEdge where the edge lies beyond 1e7 King radii.
    explicit LoweredModel(LoweredSpec spec);
    /// King (1966), or Michie (1963) with an anisotropy radius in King radii.
    static LoweredModel king(double central_depth, double anisotropy_radius = std::numeric_limits<double>::infinity());

    [[nodiscard]] const LoweredSpec& spec() const { return spec_; }
    /// log10 of edge over King radius.
    [[nodiscard]] double concentration() const;
    /// 2 K_r / K_t, above 1 for radial orbits (Polyachenko & Shukhman 1981: unstable near 1.7).
    [[nodiscard]] double radial_orbit_ratio() const;

    [[nodiscard]] double gravitational_constant() const override;
    [[nodiscard]] std::size_t components() const override { return spec_.components.size(); }
    [[nodiscard]] double total_mass() const override { return total_mass_; }
    [[nodiscard]] double mass_fraction(std::size_t component) const override { return mass_fraction_[component]; }
    [[nodiscard]] double edge() const override { return edge_; }
    [[nodiscard]] double potential(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius, std::size_t component) const override;
    [[nodiscard]] double density(double radius, std::size_t component) const override;
    using Equilibrium::moments;
    [[nodiscard]] Moments moments(double radius, std::size_t component) const override;
    [[nodiscard]] Energies energies() const override;
    [[nodiscard]] Energies energies(std::size_t component) const override { return energies_[component]; }
    [[nodiscard]] AnisotropyLaw anisotropy_law() const override { return AnisotropyLaw::lowered; }
    [[nodiscard]] LocalVelocities local_velocities(double radius, std::size_t component) const override;
    [[nodiscard]] double phase_density(double energy, std::size_t component) const override;
    [[nodiscard]] bool phase_density_increases() const override { return true; }

    /// Whether a model has an edge within 1e7 King radii; cheaper than an exception.
    [[nodiscard]] static bool has_edge(const LoweredSpec& spec);

  private:
    using Values = math::ChebyshevElement::Values;

    /// One interval of the solution. Inner ones run over the radius and hold the depth; edge ones run over sqrt(depth) and hold
    /// 1/r.
    struct Piece {
        double low, high;  ///< range of the variable
        double inner_radius, outer_radius;
        Values unknown, mass;  ///< at the nodes: W or 1/r, and -r^2 dW/dr
        Values unknown_series, mass_series;
        std::vector<Values> component_mass_series;  ///< where there is more than one component
    };
    struct Point {
        const Piece* piece;
        double argument;  ///< in [-1, 1]
        double depth;
    };

    struct Unsolved {};
    LoweredModel(LoweredSpec spec, Unsolved tag);

    [[nodiscard]] bool solve();
    [[nodiscard]] bool solve_inner(double from, double to, double depth, double mass, Piece& piece) const;
    [[nodiscard]] bool solve_edge(double from, double to, double inverse_radius, double mass, Piece& piece) const;
    void integrate();
    [[nodiscard]] double density_at(double depth, double radius) const;
    [[nodiscard]] double density_at(double depth, double radius, std::size_t component) const;
    [[nodiscard]] Point locate(double radius) const;
    [[noreturn]] static void refuse(const LoweredSpec& spec);

    LoweredSpec spec_;
    LoweredLaw law_;
    std::vector<double> depth_factor_;  ///< 1 / s_j^2
    std::vector<double> shift_;         ///< see LoweredLaw::density
    std::vector<double> norm_;          ///< alpha_j / I_rho(W0 / s_j^2, 0)
    std::vector<Piece> pieces_;         ///< in order of radius, first the inner ones
    std::size_t inner_pieces_ = 0;
    double edge_ = 0.0;
    double total_mass_ = 0.0;
    double self_energy_ = 0.0;  ///< potential energy of the whole
    std::vector<double> mass_fraction_;
    std::vector<Energies> energies_;
};

}  // namespace aliquot::cluster
