#pragma once

#include <filesystem>

#include "aliquot/cluster/cluster_config.hpp"

namespace aliquot::cluster {

/// A model in the units of its configuration: multiply model numbers to get units.
struct ModelScale {
    double length = 1.0;
    double mass = 1.0;
    double velocity = 1.0;
    [[nodiscard]] double density() const { return mass / (length * length * length); }
    [[nodiscard]] double surface_density() const { return mass / (length * length); }
    [[nodiscard]] double energy() const { return mass * velocity * velocity; }
};
/// For a cluster of the given mass.
[[nodiscard]] ModelScale model_scale(const ClusterSpec& spec, double total_mass);

/// Write the model's profiles, one row per radius, as CSV with units in the names: radius, enclosed mass, density, relative
/// potential, escape speed, dispersions (radial, one tangential), anisotropy; then, at the same radius in projection, surface
/// density and the dispersions along the line of sight and of proper motions along and across the radius. Models of several
/// components have columns for each after those of the whole.
void write_profile(const ClusterConfig& config, const std::filesystem::path& path);

}  // namespace aliquot::cluster
