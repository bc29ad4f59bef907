#pragma once

#include "aliquot/cluster/equilibrium.hpp"

namespace aliquot::cluster {

/// A homogeneous sphere at rest, for cold collapse: G = M = R = 1. It is no equilibrium; no isotropic distribution function could
/// hold it.
class UniformSphere final : public Equilibrium {
  public:
    [[nodiscard]] double gravitational_constant() const override { return 1.0; }
    [[nodiscard]] double total_mass() const override { return 1.0; }
    [[nodiscard]] double edge() const override { return 1.0; }
    [[nodiscard]] double potential(double radius) const override {
        return radius < 1.0 ? 0.5 * (1.0 - radius * radius) : 1.0 / radius - 1.0;
    }
    [[nodiscard]] double enclosed_mass(double radius) const override { return radius < 1.0 ? radius * radius * radius : 1.0; }
    [[nodiscard]] double enclosed_mass(double radius, std::size_t /*component*/) const override { return enclosed_mass(radius); }
    [[nodiscard]] double density(double radius, std::size_t /*component*/) const override {
        return radius <= 1.0 ? 0.23873241463784300 : 0.0;  // 3 / 4 pi
    }
    using Equilibrium::moments;
    [[nodiscard]] Moments moments(double radius, std::size_t component) const override {
        return {density(radius, component), 0.0, 0.0};
    }
    [[nodiscard]] Energies energies() const override { return {0.0, 0.0, -0.6}; }
    [[nodiscard]] Energies energies(std::size_t /*component*/) const override { return energies(); }
    [[nodiscard]] bool cold() const override { return true; }
    [[nodiscard]] AnisotropyLaw anisotropy_law() const override { return AnisotropyLaw::stretched; }
    [[nodiscard]] LocalVelocities local_velocities(double /*radius*/, std::size_t /*component*/) const override { return {}; }
    [[nodiscard]] double phase_density(double /*energy*/, std::size_t /*component*/) const override { return 0.0; }
};

}  // namespace aliquot::cluster
