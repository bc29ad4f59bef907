#include "aliquot/cluster/plummer.hpp"

#include <cmath>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

using std::numbers::pi;

Plummer::Plummer(double anisotropy_radius)
    : anisotropy_radius_(anisotropy_radius), inverse_square_(1.0 / (anisotropy_radius * anisotropy_radius)) {
    if (!(anisotropy_radius >= 0.75))
        throw ConfigError(
            format("r_a = {:.6g} a for Plummer's sphere (its distribution function is negative below 0.75 a): take "
                   "r_a of at least 0.75 a, {:.4g} half-mass radii",
                   anisotropy_radius, 0.75 / plummer_half_mass_radius));
}

double Plummer::potential(double radius) const {
    return 1.0 / std::sqrt(1.0 + radius * radius);
}

double Plummer::enclosed_mass(double radius) const {
    if (radius <= 0.0) return 0.0;
    const double ratio = 1.0 / radius;
    const double s = 1.0 + ratio * ratio;
    return 1.0 / (s * std::sqrt(s));
}

double Plummer::density(double radius, std::size_t /*component*/) const {
    const double s = 1.0 + radius * radius;
    return 3.0 / (4.0 * pi) / (s * s * std::sqrt(s));
}

Moments Plummer::moments(double radius, std::size_t component) const {
    const double s = 1.0 + radius * radius;
    const double q = 1.0 + radius * radius * inverse_square_;
    const double rho = density(radius, component);
    // Jeans: (1 + r^2/r_a^2) rho <v_r^2> = int_r^inf (1 + r'^2/r_a^2) rho M / r'^2 dr'.
    const double pressure =
        3.0 / (4.0 * pi) * (1.0 / (6.0 * s * s * s) + inverse_square_ * (1.0 / (4.0 * s * s) - 1.0 / (6.0 * s * s * s)));
    const double radial = pressure / (rho * q);
    return {rho, radial, 2.0 * radial / q};
}

Energies Plummer::energies() const {
    // K_r = 2 pi int r^2 rho <v_r^2> dr; with r = tan t the integrand is a polynomial in cos t over 1 + b sin^2 t.
    Energies energies;
    energies.potential = -3.0 * pi / 32.0;
    constexpr int steps = 4000;
    double radial = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double t = (i + 0.5) * (0.5 * pi / steps);
        const double r = std::tan(t);
        const Moments m = moments(r, 0);
        radial += r * r * m.density * m.radial * (1.0 + r * r);
    }
    energies.radial = 2.0 * pi * radial * (0.5 * pi / steps);
    energies.tangential = -0.5 * energies.potential - energies.radial;
    return energies;
}

LocalVelocities Plummer::local_velocities(double radius, std::size_t /*component*/) const {
    return {potential(radius), 1.0, radius / anisotropy_radius_};
}

double Plummer::phase_density(double energy, std::size_t /*component*/) const {
    if (energy <= 0.0) return 0.0;
    return energy * std::sqrt(energy) * ((1.0 - inverse_square_) * energy * energy + 7.0 / 16.0 * inverse_square_);
}

}  // namespace aliquot::cluster
