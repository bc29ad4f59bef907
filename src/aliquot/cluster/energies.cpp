#include "aliquot/cluster/energies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Column = std::vector<double> Stars::*;
constexpr std::array<Column, 3> positions{&Stars::x, &Stars::y, &Stars::z};
constexpr std::array<Column, 3> velocities{&Stars::vx, &Stars::vy, &Stars::vz};

/// sum m w / sum m of one column w; zero where there is no mass.
long double mean(const Stars& stars, Column column) {
    long double sum = 0.0L;
    long double mass = 0.0L;
    for (std::size_t i = 0; i < stars.size(); ++i) {
        sum += static_cast<long double>(stars.mass[i]) * (stars.*column)[i];
        mass += stars.mass[i];
    }
    return mass > 0.0L ? sum / mass : 0.0L;
}

}  // namespace

double kinetic_energy(const Stars& stars) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < stars.size(); ++i) {
        const double square = stars.vx[i] * stars.vx[i] + stars.vy[i] * stars.vy[i] + stars.vz[i] * stars.vz[i];
        if (!std::isfinite(square))
            throw DataError(format("star {}: velocity = ({}, {}, {}) (not finite): correct or remove the star", i + 1,
                                   stars.vx[i], stars.vy[i], stars.vz[i]));
        sum += static_cast<long double>(stars.mass[i]) * square;
    }
    return static_cast<double>(0.5L * sum);
}

double virial_ratio(double kinetic, double potential) {
    return potential != 0.0 ? kinetic / std::abs(potential) : nan;
}

VirialGradient virial_gradient(const Stars& stars, const PairForces& forces) {
    ALIQUOT_EXPECT(forces.ax.size() == stars.size());
    const double potential = forces.sums.energy;
    if (potential == 0.0)
        throw NumericError("the virial ratio has no gradient (the potential energy is zero): give at least two stars apart");
    const double along_positions = -kinetic_energy(stars) / (potential * potential);
    const double along_velocities = 1.0 / std::abs(potential);
    VirialGradient gradient;
    const auto fill = [&](std::vector<double>& to, const std::vector<double>& from, double factor) {
        to.resize(from.size());
        for (std::size_t i = 0; i < from.size(); ++i)
            to[i] = factor * stars.mass[i] * from[i];
    };
    fill(gradient.dx, forces.ax, along_positions);
    fill(gradient.dy, forces.ay, along_positions);
    fill(gradient.dz, forces.az, along_positions);
    fill(gradient.dvx, stars.vx, along_velocities);
    fill(gradient.dvy, stars.vy, along_velocities);
    fill(gradient.dvz, stars.vz, along_velocities);
    return gradient;
}

std::vector<std::size_t> mass_groups(const Stars& stars, std::size_t groups) {
    if (groups == 0 || groups > stars.size())
        throw ConfigError(format("groups = {} (there are {} stars): ask for 1 to {}", groups, stars.size(), stars.size()));
    std::vector<std::size_t> order(stars.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return stars.mass[i]; });
    std::vector<std::size_t> group(stars.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        group[order[rank]] = rank * groups / order.size();
    return group;
}

std::vector<MassGroup> group_energies(const Stars& stars, const PairForces& forces, std::size_t groups) {
    ALIQUOT_EXPECT(forces.ax.size() == stars.size());
    struct Sums {
        long double mass = 0.0L, square = 0.0L, virial = 0.0L;
        std::array<long double, 3> momentum{};
    };
    const std::vector<std::size_t> group = mass_groups(stars, groups);
    const CentreOfMass centre = centre_of_mass(stars);
    std::vector<MassGroup> result(groups);
    std::vector<Sums> sums(groups);
    for (std::size_t i = 0; i < stars.size(); ++i) {
        MassGroup& g = result[group[i]];
        Sums& s = sums[group[i]];
        const long double m = stars.mass[i];
        g.lowest_mass = g.stars == 0 ? stars.mass[i] : std::min(g.lowest_mass, stars.mass[i]);
        g.highest_mass = std::max(g.highest_mass, stars.mass[i]);
        ++g.stars;
        s.mass += m;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const long double v = (stars.*velocities[axis])[i];
            s.momentum[axis] += m * v;
            s.square += m * v * v;
            const std::vector<double>& acceleration = axis == 0 ? forces.ax : axis == 1 ? forces.ay : forces.az;
            s.virial += m * ((stars.*positions[axis])[i] - centre.position[axis]) * acceleration[i];
        }
    }
    for (std::size_t k = 0; k < groups; ++k) {
        const Sums& s = sums[k];
        long double drift = 0.0L;
        for (const long double p : s.momentum)
            drift += s.mass > 0.0L ? p * p / s.mass : 0.0L;
        result[k].mass = static_cast<double>(s.mass);
        result[k].kinetic = static_cast<double>(0.5L * (s.square - drift));
        result[k].virial = static_cast<double>(s.virial);
        result[k].virial_ratio = virial_ratio(result[k].kinetic, result[k].virial);
    }
    return result;
}

double rescale_to_virial_ratio(Stars& stars, double potential, double target) {
    if (!(target > 0.0) || std::isinf(target))
        throw ConfigError(format("virial ratio {} (not a positive number): 0.5 is equilibrium", target));
    const double kinetic = kinetic_energy(stars);
    if (kinetic == 0.0)
        throw NumericError(format("no factor brings the virial ratio to {} (all stars are at rest): give velocities", target));
    if (potential == 0.0)
        throw NumericError(
            format("no factor brings the virial ratio to {} (the potential energy is zero): give more stars", target));
    const double factor = std::sqrt(target / virial_ratio(kinetic, potential));
    for (const Column column : velocities) {
        for (double& v : stars.*column)
            v *= factor;
    }
    return factor;
}

CentreOfMass centre_of_mass(const Stars& stars) {
    CentreOfMass centre;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        centre.position[axis] = static_cast<double>(mean(stars, positions[axis]));
        centre.velocity[axis] = static_cast<double>(mean(stars, velocities[axis]));
    }
    return centre;
}

CentreOfMass move_to_centre_of_mass(Stars& stars) {
    const CentreOfMass centre = centre_of_mass(stars);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (double& w : stars.*positions[axis])
            w -= centre.position[axis];
        for (double& w : stars.*velocities[axis])
            w -= centre.velocity[axis];
    }
    return centre;
}

std::vector<double> lagrangian_radii(const Stars& stars, std::span<const double> fractions) {
    const CentreOfMass centre = centre_of_mass(stars);
    std::vector<std::pair<double, double>> shells(stars.size());  // radius, mass
    long double total = 0.0L;
    for (std::size_t i = 0; i < stars.size(); ++i) {
        shells[i] = {
            std::hypot(stars.x[i] - centre.position[0], stars.y[i] - centre.position[1], stars.z[i] - centre.position[2]),
            stars.mass[i]};
        total += stars.mass[i];
    }
    std::ranges::sort(shells);
    std::vector<long double> within(shells.size());
    long double sum = 0.0L;
    for (std::size_t i = 0; i < shells.size(); ++i)
        within[i] = sum += shells[i].second;
    std::vector<double> radii;
    for (const double fraction : fractions) {
        if (!(fraction > 0.0 && fraction <= 1.0))
            throw ConfigError(format("mass fraction {} (not above 0 and up to 1): correct it", fraction));
        const auto found = std::ranges::lower_bound(within, fraction * total * (1.0L - 1e-15L));
        radii.push_back(found == within.end() ? 0.0 : shells[static_cast<std::size_t>(found - within.begin())].first);
    }
    return radii;
}

double half_mass_radius(const Stars& stars) {
    return lagrangian_radii(stars, std::array{0.5}).front();
}

}  // namespace aliquot::cluster
