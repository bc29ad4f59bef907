#pragma once

#include <cstddef>

namespace aliquot::cluster {

/// Density and mean-square velocities at one radius. rho <v_t^2> counts both tangential components.
struct Moments {
    double density = 0.0;
    double radial = 0.0;      ///< <v_r^2>
    double tangential = 0.0;  ///< <v_t^2>

    /// Binney's anisotropy parameter 1 - <v_t^2> / 2 <v_r^2>; 0 where nothing moves.
    [[nodiscard]] double anisotropy() const { return radial > 0.0 ? 1.0 - tangential / (2.0 * radial) : 0.0; }
    /// One-dimensional mean square.
    [[nodiscard]] double mean_square() const { return (radial + tangential) / 3.0; }
};

/// Kinetic energy by direction and the potential energy, all exact for the smooth model (no self-energy of stars).
struct Energies {
    double radial = 0.0;
    double tangential = 0.0;
    double potential = 0.0;  ///< negative

    [[nodiscard]] double kinetic() const { return radial + tangential; }
    /// T / |V|, 1/2 in equilibrium.
    [[nodiscard]] double virial_ratio() const { return -kinetic() / potential; }
};

/// How one component's velocities are distributed at a radius. With the depth W of the potential there in units of the squared
/// velocity unit s, k = v^2 / 2 s^2 < W and q = v_r / v,
///
///     lowered    f ~ phase_density(W - k) exp(-p^2 k (1 - q^2))
///     stretched  f ~ phase_density(W - k) isotropic in (v_r, v_t sqrt(1 + p^2))    (Osipkov 1979, Merritt 1985)
struct LocalVelocities {
    double depth = 0.0;          ///< W
    double velocity_unit = 1.0;  ///< s
    double p = 0.0;              ///< r / r_a, 0 isotropic
};

enum class AnisotropyLaw { lowered, stretched };

/// A spherical model in equilibrium, of one or more components in one potential, in units of its own. Immutable; safe to share
/// between threads. Radii lie in [0, edge()]; beyond it the density is zero.
class Equilibrium {
  public:
    virtual ~Equilibrium() = default;

    [[nodiscard]] virtual double gravitational_constant() const = 0;
    [[nodiscard]] virtual std::size_t components() const { return 1; }
    /// Total mass, and the part of it that one component holds.
    [[nodiscard]] virtual double total_mass() const = 0;
    [[nodiscard]] virtual double mass_fraction(std::size_t /*component*/) const { return 1.0; }
    /// Where the density becomes zero; infinite for some.
    [[nodiscard]] virtual double edge() const = 0;

    /// Relative potential phi(edge) - phi(r) >= 0; beyond the edge it goes on as G M (1/r - 1/edge), negative.
    [[nodiscard]] virtual double potential(double radius) const = 0;
    /// Mass within a radius, all components.
    [[nodiscard]] virtual double enclosed_mass(double radius) const = 0;
    [[nodiscard]] virtual double enclosed_mass(double radius, std::size_t component) const = 0;
    [[nodiscard]] virtual double density(double radius, std::size_t component) const = 0;
    [[nodiscard]] virtual Moments moments(double radius, std::size_t component) const = 0;
    /// Energies of the whole.
    [[nodiscard]] virtual Energies energies() const = 0;
    /// Energies of a component: its kinetic energy and its virial -int rho_j r dphi/dr dV, which replaces the potential energy.
    [[nodiscard]] virtual Energies energies(std::size_t component) const = 0;

    /// Whether all stars are at rest.
    [[nodiscard]] virtual bool cold() const { return false; }
    [[nodiscard]] virtual AnisotropyLaw anisotropy_law() const = 0;
    [[nodiscard]] virtual LocalVelocities local_velocities(double radius, std::size_t component) const = 0;
    /// The distribution function of a component over energy / s^2, up to a factor.
    [[nodiscard]] virtual double phase_density(double energy, std::size_t component) const = 0;
    /// Whether that function grows with energy everywhere, which makes its bounds on an interval its values at the ends.
    [[nodiscard]] virtual bool phase_density_increases() const { return false; }

    /// All components together: density weighted.
    [[nodiscard]] Moments moments(double radius) const;
    /// Radius that holds a fraction of the mass (of a component), 0 < fraction < 1.
    [[nodiscard]] double lagrangian_radius(double fraction) const;
    [[nodiscard]] double lagrangian_radius(double fraction, std::size_t component) const;
    [[nodiscard]] double half_mass_radius() const { return lagrangian_radius(0.5); }
    /// G M^2 / 2 |U|.
    [[nodiscard]] double virial_radius() const;
    /// Speed needed to leave: sqrt(2 potential) up to the edge.
    [[nodiscard]] double escape_speed(double radius) const;
};

}  // namespace aliquot::cluster
