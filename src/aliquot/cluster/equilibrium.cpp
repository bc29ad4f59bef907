#include "aliquot/cluster/equilibrium.hpp"

#include <cmath>
#include <functional>

#include "aliquot/core/contract.hpp"

namespace aliquot::cluster {

namespace {

/// Root of an ascending `mass(r) - wanted` in [0, edge) by bracketing in ln r, then regula falsi (Illinois).
double invert_mass(const std::function<double(double)>& mass, double wanted, double edge) {
    double high = std::isfinite(edge) ? edge : 1.0;
    while (mass(high) < wanted)
        high *= 2.0;
    double low = 0.5 * high;
    while (mass(low) > wanted) {
        high = low;
        low *= 0.5;
    }
    double f_low = mass(low) - wanted;
    double f_high = mass(high) - wanted;
    double radius = high;
    int side = 0;
    for (int i = 0; i < 200 && high - low > 4e-16 * high; ++i) {
        radius = f_high == f_low ? 0.5 * (low + high) : (low * f_high - high * f_low) / (f_high - f_low);
        if (!(radius > low && radius < high)) radius = 0.5 * (low + high);
        const double f = mass(radius) - wanted;
        if (f == 0.0) return radius;
        if (f < 0.0) {
            low = radius;
            f_low = f;
            if (side == -1) f_high *= 0.5;
            side = -1;
        } else {
            high = radius;
            f_high = f;
            if (side == 1) f_low *= 0.5;
            side = 1;
        }
        if (std::abs(f) < 2e-16 * wanted) return radius;
    }
    return radius;
}

}  // namespace

Moments Equilibrium::moments(double radius) const {
    Moments sum;
    for (std::size_t j = 0; j < components(); ++j) {
        const Moments part = moments(radius, j);
        sum.density += part.density;
        sum.radial += part.density * part.radial;
        sum.tangential += part.density * part.tangential;
    }
    if (sum.density > 0.0) {
        sum.radial /= sum.density;
        sum.tangential /= sum.density;
    }
    return sum;
}

double Equilibrium::lagrangian_radius(double fraction) const {
    ALIQUOT_EXPECT(fraction > 0.0 && fraction < 1.0);
    return invert_mass([this](double r) { return enclosed_mass(r); }, fraction * total_mass(), edge());
}

double Equilibrium::lagrangian_radius(double fraction, std::size_t component) const {
    ALIQUOT_EXPECT(fraction > 0.0 && fraction < 1.0);
    return invert_mass([this, component](double r) { return enclosed_mass(r, component); },
                       fraction * total_mass() * mass_fraction(component), edge());
}

double Equilibrium::virial_radius() const {
    return -gravitational_constant() * total_mass() * total_mass() / (2.0 * energies().potential);
}

double Equilibrium::escape_speed(double radius) const {
    return std::sqrt(2.0 * std::fmax(potential(radius), 0.0));
}

}  // namespace aliquot::cluster
