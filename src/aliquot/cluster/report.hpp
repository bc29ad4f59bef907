#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/cluster/cluster.hpp"
#include "aliquot/cluster/cluster_config.hpp"

namespace aliquot::cluster {

/// Radial sums over stars in shells that hold equal shares of the model's mass. Binaries count as one body at their centre of
/// mass.
class ShellSums {
  public:
    struct Shell {
        double inner = 0.0, outer = 0.0;  ///< radii, in the cluster's units; the last one has no outer radius
        double middle = 0.0;              ///< radius that parts the shell's mass in halves
        double mass = 0.0;
        double square_mass = 0.0;  ///< sum m^2: (sum m)^2 / sum m^2 is the effective number of stars
        double radial = 0.0;       ///< sum m v_r^2
        double tangential = 0.0;   ///< sum m v_t^2
    };

    ShellSums(const Cluster& cluster, std::size_t shells);
    /// Add the next stars of the cluster, in their order.
    void add(const Stars& block);
    [[nodiscard]] const std::vector<Shell>& shells() const { return shells_; }

  private:
    std::vector<Shell> shells_;
    std::size_t paired_left_;  ///< stars still to come that belong to binaries
};

/// Passes stars on to another sink and adds them to sums on the way.
class SummingSink final : public StarSink {
  public:
    SummingSink(StarSink& sink, ShellSums& sums) : sink_(sink), sums_(sums) {}
    void write(const Stars& block) override {
        sums_.add(block);
        sink_.write(block);
    }
    void finish() override { sink_.finish(); }

  private:
    StarSink& sink_;
    ShellSums& sums_;
};

/// One self-contained page: what was drawn, and its density, dispersions and anisotropy against the model's.
void write_cluster_report(const ClusterConfig& config, const Cluster& cluster, const ShellSums& sums,
                          const std::filesystem::path& path);

}  // namespace aliquot::cluster
