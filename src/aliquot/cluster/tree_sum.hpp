#pragma once

#include <cstdint>

#include "aliquot/cluster/stars.hpp"
#include "aliquot/core/parallel.hpp"

namespace aliquot::cluster {

/// A potential energy with a bound on its error.
struct TreeSum {
    double energy = 0.0;                 ///< U
    double bound = 0.0;                  ///< |energy - U| is at most this, and this at most tolerance |U|
    std::uint64_t pairs = 0;             ///< N (N - 1) / 2
    std::uint64_t direct_pairs = 0;      ///< of them, summed one by one
    std::uint64_t group_pairs = 0;       ///< pairs of groups of stars taken by their multipoles
    std::uint64_t coincident_pairs = 0;  ///< unsoftened pairs at zero distance: counted and left out
    double seconds = 0.0;
};

/// The potential energy by a dual tree: groups of stars far enough from each other interact by Cartesian multipoles of total
/// degree up to 8, all others star by star (kernels of potential_energy). About N log N instead of N^2; worth it above some 1e5
/// stars.
///
/// The bound is guaranteed, not estimated. The Taylor series of 1 / |R - d| leaves at most |d|^(p+1) / (R^(p+1) (R - s)) after
/// degree p, s the sum of the groups' radii; summed over the stars of both groups that is a sum of products of their moments of
/// |x|, which are stored. Softening makes each pair smaller by at most e^2 / 2 r^3. Which pairs of groups
/// are taken by their multipoles is settled before anything is summed, so that their bounds add up to at most tolerance times a
/// number that |U| surely exceeds. Rounding (1e-13 |U|) is added.
///
/// Every number of threads gives the same bits. `tolerance` from 1e-12 to 0.1, else a ConfigError; failures otherwise as for
/// potential_energy. Memory: about 120 bytes a star.
[[nodiscard]] TreeSum tree_potential_energy(const Stars& stars, double gravity, double softening, double tolerance,
                                            Threads& threads);

}  // namespace aliquot::cluster
