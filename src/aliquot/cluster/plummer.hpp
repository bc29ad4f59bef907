#pragma once

#include <limits>

#include "aliquot/cluster/equilibrium.hpp"

namespace aliquot::cluster {

/// Half-mass radius of Plummer's sphere in units of its scale radius a: (2^(2/3) - 1)^(-1/2).
inline constexpr double plummer_half_mass_radius = 1.3047660265041066;

/// Plummer's sphere (1911), isotropic or with Osipkov-Merritt anisotropy, in units G = M = a = 1. It has no edge.
class Plummer final : public Equilibrium {
  public:
    /// Anisotropy radius in units of a, at least 3/4: below, the distribution function is negative (ConfigError).
    explicit Plummer(double anisotropy_radius = std::numeric_limits<double>::infinity());

    [[nodiscard]] double gravitational_constant() const override { return 1.0; }
    [[nodiscard]] double total_mass() const override { return 1.0; }
    [[nodiscard]] double edge() const override { return std::numeric_limits<double>::infinity(); }
    [[nodiscard]] double potential(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius) const override;
    [[nodiscard]] double enclosed_mass(double radius, std::size_t /*component*/) const override { return enclosed_mass(radius); }
    [[nodiscard]] double density(double radius, std::size_t component) const override;
    using Equilibrium::moments;
    [[nodiscard]] Moments moments(double radius, std::size_t component) const override;
    [[nodiscard]] Energies energies() const override;
    [[nodiscard]] Energies energies(std::size_t /*component*/) const override { return energies(); }
    [[nodiscard]] AnisotropyLaw anisotropy_law() const override { return AnisotropyLaw::stretched; }
    [[nodiscard]] LocalVelocities local_velocities(double radius, std::size_t component) const override;
    /// E^(7/2) [1 - 1/r_a^2 + 7 / (16 r_a^2 E^2)] (Merritt 1985, AJ 90, 1027).
    [[nodiscard]] double phase_density(double energy, std::size_t component) const override;
    [[nodiscard]] bool phase_density_increases() const override { return true; }

  private:
    double anisotropy_radius_;
    double inverse_square_;  ///< 1 / r_a^2
};

}  // namespace aliquot::cluster
