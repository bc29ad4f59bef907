#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/cluster/stars.hpp"

namespace aliquot::cluster {

/// T = 1/2 sum m v^2, in the frame of the velocities as given. A velocity that is not finite is a DataError that names the star.
[[nodiscard]] double kinetic_energy(const Stars& stars);

/// Q = T / |U|: 0.5 in equilibrium, 1 where the cluster is just bound. NaN where U = 0.
[[nodiscard]] double virial_ratio(double kinetic, double potential);

/// dQ/dx and dQ/dv of each star.
struct VirialGradient {
    std::vector<double> dx, dy, dz;     ///< 1 / length
    std::vector<double> dvx, dvy, dvz;  ///< 1 / velocity
};

/// The gradient of Q = -T / U: dQ/dx_i = (T / U^2) dU/dx_i, dQ/dv_i = m_i v_i / |U|. NumericError where U = 0.
[[nodiscard]] VirialGradient virial_gradient(const Stars& stars, const PairForces& forces);

/// Stars of neighbouring masses and their energies.
struct MassGroup {
    std::size_t stars = 0;
    double mass = 0.0;  ///< total
    double lowest_mass = 0.0;
    double highest_mass = 0.0;
    double kinetic = 0.0;       ///< T_j about the group's own mean velocity
    double virial = 0.0;        ///< W_j = sum over the group of m r . a, all stars acting, r from the cluster's centre of mass
    double virial_ratio = 0.0;  ///< T_j / |W_j|; NaN where W_j = 0
};

/// The group of each star: `groups` classes of as equal counts as can be, light to heavy; equal masses keep their order in the
/// file. ConfigError where there are no groups or more of them than stars.
[[nodiscard]] std::vector<std::size_t> mass_groups(const Stars& stars, std::size_t groups);

/// Energies of each of those groups. Without softening the W_j add up to U (Clausius); one group gives the cluster's own ratio up
/// to the motion of its centre of mass.
[[nodiscard]] std::vector<MassGroup> group_energies(const Stars& stars, const PairForces& forces, std::size_t groups);

/// Multiply all velocities by one factor so that T / |U| becomes `target`, and return the factor. ConfigError for a target that
/// is not positive, NumericError where T or U is zero: no factor could do it.
double rescale_to_virial_ratio(Stars& stars, double potential, double target);

/// Position and velocity of the centre of mass; zero where there is no mass.
struct CentreOfMass {
    std::array<double, 3> position{};
    std::array<double, 3> velocity{};
};
[[nodiscard]] CentreOfMass centre_of_mass(const Stars& stars);
/// Move all stars into the frame of their centre of mass and return where that was.
CentreOfMass move_to_centre_of_mass(Stars& stars);

/// Radii about the centre of mass that hold the given fractions of the mass: the distance of the first star, from the centre
/// outwards, with which the mass within reaches the fraction. Fractions above 0 up to 1, else a ConfigError; 0 without stars.
[[nodiscard]] std::vector<double> lagrangian_radii(const Stars& stars, std::span<const double> fractions);
/// The radius of half the mass.
[[nodiscard]] double half_mass_radius(const Stars& stars);

}  // namespace aliquot::cluster
