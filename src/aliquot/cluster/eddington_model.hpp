#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/cluster/density_profile.hpp"
#include "aliquot/cluster/equilibrium.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

/// A component whose distribution function would have to be negative; the message names it and what to change.
class NotRealizable : public ConfigError {
  public:
    using ConfigError::ConfigError;
};

/// One component of given density.
struct DensityComponent {
    std::string name;  ///< for messages
    std::shared_ptr<const DensityProfile> profile;
    double mass_fraction = 1.0;                                          ///< of the total mass, within the common edge
    double anisotropy_radius = std::numeric_limits<double>::infinity();  ///< Osipkov-Merritt
};

/// Components of given density in their common potential, each with the distribution function that Eddington's inversion gives
/// (Binney & Tremaine 2008, eq. 4.46b with its boundary term; Osipkov 1979 and Merritt 1985 for anisotropy). Units: G = M = 1,
/// lengths as in the profiles.
///
/// A profile cut where its density is not zero keeps that step as a factor that no f(E) can carry: positions follow the given
/// density, velocities the distribution function, and the virial ratio lies a little below 1/2. `energies` says by how much.
class EddingtonModel final : public Equilibrium {
  public:
    /// `edge`: the common edge; infinity takes the largest finite one among the profiles, or where 99.5 % of the mass lie if
    /// there is none. Throws ConfigError (fractions that do not sum to 1, an edge that would cut a lowered profile) or
    /// NotRealizable.
    explicit EddingtonModel(std::vector<DensityComponent> components, double edge = std::numeric_limits<double>::infinity());

    [[nodiscard]] double gravitational_constant() const override { return 1.0; }
    [[nodiscard]] std::size_t components() const override { return components_.size(); }
    [[nodiscard]] double total_mass() const override { return 1.0; }
    [[nodiscard]] double mass_fraction(std::size_t component) const override { return components_[component].mass_fraction; }
    [[nodiscard]] double edge() const override { return edge_; }
    [[nodiscard]] double potential(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius, std::size_t component) const override;
    [[nodiscard]] double density(double radius, std::size_t component) const override;
    using Equilibrium::moments;
    [[nodiscard]] Moments moments(double radius, std::size_t component) const override;
    [[nodiscard]] Energies energies() const override;
    [[nodiscard]] Energies energies(std::size_t component) const override { return energies_[component]; }
    [[nodiscard]] AnisotropyLaw anisotropy_law() const override { return AnisotropyLaw::stretched; }
    [[nodiscard]] LocalVelocities local_velocities(double radius, std::size_t component) const override;
    [[nodiscard]] double phase_density(double energy, std::size_t component) const override;

  private:
    using Values = math::ChebyshevElement::Values;

    struct Piece {
        double low, high;
        Values potential_series;
        std::vector<Values> mass_series;  ///< per component
        std::vector<Values>
            pressure_series;  ///< int_r^edge rho_DF |dPsi/dr| dr with rho_DF the augmented density less its edge value
    };

    void find_edge(double wanted);
    void integrate();
    void invert(std::size_t component);
    void sum_energies();
    [[nodiscard]] const Piece& piece_at(double radius) const;
    [[nodiscard]] double on(const Piece& piece, const Values& series, double radius) const;
    [[nodiscard]] double radius_of(double potential) const;
    /// (1 + r^2 / r_a^2) rho_j in units of mass over volume, with derivatives.
    [[nodiscard]] DensityProfile::Value augmented(double radius, std::size_t component) const;

    std::vector<DensityComponent> components_;
    std::vector<double> norm_;  ///< density = norm times profile
    double core_ = 0.0;
    double edge_ = 0.0;
    double central_potential_ = 0.0;
    std::vector<Piece> pieces_;
    std::vector<math::PiecewiseChebyshev> phase_;  ///< f sqrt(x - start) over x = E / Psi(0)
    std::vector<double> phase_start_;              ///< x at the component's own edge
    std::vector<Energies> energies_;
};

}  // namespace aliquot::cluster
