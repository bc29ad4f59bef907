#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aliquot/cluster/binaries.hpp"
#include "aliquot/cluster/equilibrium.hpp"
#include "aliquot/cluster/mass_function.hpp"
#include "aliquot/cluster/phase_sampler.hpp"
#include "aliquot/cluster/snapshot.hpp"
#include "aliquot/cluster/stars.hpp"
#include "aliquot/cluster/units.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"

namespace aliquot::cluster {

struct UnturnedStars;

/// Everything that defines a star cluster but its seed.
struct ClusterSpec {
    std::string name;  ///< one line, for headers and reports
    std::shared_ptr<const Equilibrium> model;
    Units units = henon_units();
    double length_unit = 1.0;  ///< the model's length unit in `units`

    // Who the stars are: as many as `stars`, or as many as come nearest to `total_mass`; exactly one is set.
    std::optional<std::size_t> stars;  ///< bodies; the two components of a binary count as two
    std::optional<double> total_mass;
    std::optional<MassFunction> masses;   ///< in mass units; none: `mass_list` or `component_mass`
    std::vector<double> mass_list;        ///< one mass per star, drawn without repetition in this order
    std::vector<double> component_mass;   ///< mass of every star of a component; components by number
    std::vector<double> component_edges;  ///< ascending masses that part a mass function into the model's components
    bool unit_mass = false;               ///< divide masses by their sum, as Henon units ask for
    BinaryLaw binaries;

    double segregation = 0.0;  ///< S of energy-ordered segregation (Baumgardt et al. 2008), 0 to 1; not an equilibrium for S > 0
    double rotation = 0.0;     ///< share of retrograde stars turned round (Lynden-Bell 1960), -1 to 1; stays an equilibrium
    std::optional<double> virial_ratio;  ///< rescale velocities of systems to this T / |U|
    bool centre = true;                  ///< move into the frame of the centre of mass
    DrawMethod method = DrawMethod::exact;
};

/// A cluster whose stars can be drawn any number of times, in blocks, in memory that does not grow with their number (but for the
/// four bytes a star that a total mass with binaries or segregation need). The same spec and seed give the same bits.
class Cluster {
  public:
    /// Counts the stars and sums their masses. Throws ConfigError for a spec that cannot be: no stars, a total mass below the
    /// lightest star or short of the list, binaries in units without a length in AU, ...
    Cluster(ClusterSpec spec, std::uint64_t seed, Threads& threads);
    ~Cluster();

    [[nodiscard]] const ClusterSpec& spec() const { return spec_; }
    [[nodiscard]] std::size_t stars() const { return systems_ + binaries_; }
    [[nodiscard]] std::size_t binaries() const { return binaries_; }
    [[nodiscard]] double total_mass() const { return total_mass_; }
    /// The model's velocity unit in `units`: sqrt(G M / r) of both.
    [[nodiscard]] double velocity_unit() const { return velocity_unit_; }
    /// By how much velocities were multiplied for `virial_ratio`; 1 where it was not asked for.
    [[nodiscard]] double virial_factor() const { return virial_factor_; }
    /// What a file of these stars should say.
    [[nodiscard]] SnapshotHeader header() const;

    /// All stars in memory.
    [[nodiscard]] Stars draw() const;
    /// All stars, block by block, into a sink, which is finished.
    void write(StarSink& sink, const ProgressCallback& progress = {}) const;

  private:
    struct System {
        double mass;
        double primary;  ///< mass; the rest is the secondary's
        bool binary;
        std::size_t component;
    };
    using Motion = std::array<double, 6>;  ///< position and velocity of a system

    void count_systems();
    void order_orbits();
    void find_virial_factor();
    [[nodiscard]] System system(std::size_t index) const { return drawn_system(order_.empty() ? index : order_[index]); }
    [[nodiscard]] System drawn_system(std::size_t drawn) const;
    [[nodiscard]] std::size_t component_of(double mass, RandomStream& random) const;
    /// Into row `at`; `random` is the stream of the system's orbit.
    void place_orbit(std::size_t component, RandomStream& random, std::size_t at, UnturnedStars& stars) const;
    /// Call use(index, system, motion) for systems [first, end), in order.
    template <typename Use>
    void for_each_system(std::size_t first, std::size_t end, const Use& use) const;
    /// Where the centre of mass of some systems is and how it moves, times their mass.
    using Centre = std::array<double, 6>;
    /// Draw systems [first, first + count) into the first rows of `stars`, around `centre`, and add up where they are.
    void fill(std::size_t first, std::size_t count, const Centre& centre, Stars& stars, Centre& sum) const;
    [[nodiscard]] std::size_t first_row(std::size_t index) const { return index < binaries_ ? 2 * index : index + binaries_; }

    ClusterSpec spec_;
    std::uint64_t seed_;
    Threads* threads_;
    std::vector<PhaseSampler> samplers_;
    std::vector<double> component_share_;  ///< cumulative by number
    std::size_t systems_ = 0;
    std::size_t binaries_ = 0;
    double only_mass_ = 0.0;  ///< of every star, where all have the same
    double total_mass_ = 0.0;
    double mass_factor_ = 1.0;
    double velocity_unit_ = 1.0;
    double virial_factor_ = 1.0;
    std::vector<std::uint32_t> order_;   ///< drawn index of each system, binaries first; empty: as drawn
    std::vector<std::uint32_t> orbits_;  ///< orbit of each system; empty: its own
};

}  // namespace aliquot::cluster
