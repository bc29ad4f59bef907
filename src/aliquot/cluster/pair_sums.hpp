#pragma once

#include <cstdint>
#include <vector>

#include "aliquot/cluster/stars.hpp"
#include "aliquot/core/parallel.hpp"

namespace aliquot::cluster {

/// The potential energy of stars as an exact sum over pairs.
struct PairSums {
    double energy = 0.0;                 ///< U = -G sum_{i<j} m_i m_j / sqrt(r_ij^2 + softening^2)
    std::uint64_t pairs = 0;             ///< N (N - 1) / 2
    std::uint64_t coincident_pairs = 0;  ///< unsoftened pairs at zero distance: counted, and left out of every sum
    double seconds = 0.0;                ///< wall time of the sum
};

/// The same with its gradient, dU/dx_i = -m_i a_i, and with self-checks that need no second pass.
struct PairForces {
    PairSums sums;
    std::vector<double> ax, ay, az;  ///< acceleration of each star
    std::vector<double> potential;   ///< at each star, of all others: dU/dm_i
    /// |sum_i m_i a_i| / sum_i |m_i a_i|: zero but for rounding. 0 where no force acts.
    double force_sum = 0.0;
    /// sum_i x_i . dU/dx_i, positions from the centre of mass: -U without softening (Clausius). With softening it is
    /// G sum m_i m_j r^2 / (r^2 + softening^2)^(3/2), smaller than -U by what the pairs within the softening lose.
    double clausius = 0.0;
    /// |clausius + U| / |U|. Without softening this is rounding, of 1e-16 sum m_i |x_i| |a_i| / |U|, which close pairs make
    /// large; with softening it is the share of U that softening has changed. 0 where U = 0.
    double clausius_error = 0.0;
};

/// The exact potential energy over all pairs, in the stars' units; `gravity` is G in them. Every number of threads gives the same
/// bits; instruction sets agree to rounding. Differences of positions are formed from the coordinates as they are given, so close
/// pairs keep their digits wherever the cluster stands. Memory: 32 bytes a star.
///
/// A position that is not finite, or a mass that is not finite or negative, is a DataError that names the star, counted from 1; a
/// softening that is negative or not finite is a ConfigError.
[[nodiscard]] PairSums potential_energy(const Stars& stars, double gravity, double softening, Threads& threads);

/// Energy, accelerations and potentials in one pass over the pairs, at about twice the time of the energy alone. Memory: 96 bytes
/// a star. Failures as for potential_energy.
[[nodiscard]] PairForces pair_forces(const Stars& stars, double gravity, double softening, Threads& threads);

}  // namespace aliquot::cluster
