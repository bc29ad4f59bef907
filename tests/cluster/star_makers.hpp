#pragma once

#include <cmath>
#include <numbers>

#include "aliquot/cluster/stars.hpp"
#include "aliquot/core/random.hpp"

/// Stars for tests, from seeds.
namespace aliquot::test {

/// A Plummer sphere of unit mass and r_v = 1 with isotropic velocities of its local dispersion; masses spread by a factor 3.
inline cluster::Stars plummer(std::size_t count, std::uint64_t seed = 1) {
    constexpr double scale = 3.0 * std::numbers::pi / 16.0;
    cluster::Stars stars;
    stars.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(seed, 1, i);
        const double r = scale / std::sqrt(std::pow(0.999 * random.uniform(), -2.0 / 3.0) - 1.0);
        const double c = 2.0 * random.uniform() - 1.0;
        const double angle = 2.0 * std::numbers::pi * random.uniform();
        stars.x[i] = r * std::sqrt(1.0 - c * c) * std::cos(angle);
        stars.y[i] = r * std::sqrt(1.0 - c * c) * std::sin(angle);
        stars.z[i] = r * c;
        stars.mass[i] = (0.5 + random.uniform()) / static_cast<double>(count);
        const double sigma = std::sqrt(1.0 / (6.0 * std::sqrt(r * r + scale * scale)));
        for (auto* v : {&stars.vx, &stars.vy, &stars.vz})
            (*v)[i] = sigma * std::sqrt(-2.0 * std::log(random.uniform())) * std::cos(2.0 * std::numbers::pi * random.uniform());
    }
    return stars;
}

/// The same with each second star moved beside the one before it, at separations from 1e-9 to 1e-2.
inline cluster::Stars binaries(std::size_t count, std::uint64_t seed = 1) {
    cluster::Stars stars = plummer(count, seed);
    for (std::size_t i = 1; i < count; i += 2) {
        RandomStream random(seed, 2, i);
        const double separation = std::pow(10.0, -9.0 + 7.0 * random.uniform());
        stars.x[i] = stars.x[i - 1] + separation;
        stars.y[i] = stars.y[i - 1] - 0.5 * separation;
        stars.z[i] = stars.z[i - 1];
    }
    return stars;
}

/// Directions at random, distances from the origin spread evenly in their logarithm.
inline cluster::Stars log_uniform(std::size_t count, double low, double high) {
    cluster::Stars stars = plummer(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double r = std::hypot(stars.x[i], stars.y[i], stars.z[i]);
        const double wanted = low * std::pow(high / low, RandomStream(3, 3, i).uniform());
        stars.x[i] *= wanted / r;
        stars.y[i] *= wanted / r;
        stars.z[i] *= wanted / r;
    }
    return stars;
}

}  // namespace aliquot::test
