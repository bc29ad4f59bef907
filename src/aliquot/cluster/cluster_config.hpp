#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aliquot/cluster/cluster.hpp"
#include "aliquot/io/config.hpp"

namespace aliquot::cluster {

/// What a cluster's configuration says; docs/cluster.md lists its keys.
struct ClusterConfig {
    std::string title;
    ClusterSpec spec;
    std::uint64_t seed = 1;
    double expected_mass = 0.0;  ///< of the stars asked for, before any is drawn
    std::vector<std::string> warnings;
};

/// Read and solve. Throws ConfigError for keys that are unknown, missing or contradict each other, and what models throw.
[[nodiscard]] ClusterConfig read_cluster_config(io::Config& config);

}  // namespace aliquot::cluster
