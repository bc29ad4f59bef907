#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/infer/modes.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

/// The lowest (ln L, label) that a new point has to exceed.
struct Contour {
    double log_likelihood;
    double label;

    [[nodiscard]] bool below(double value, double value_label) const {
        return value > log_likelihood || (value == log_likelihood && value_label > label);
    }
};

/// What the chains of one batch start from; frozen while they run.
struct ChainSnapshot {
    const Problem& problem;
    MatrixView<const double> unit;  ///< the live points
    std::span<const double> log_likelihood;
    std::span<const double> label;
    std::span<const std::size_t> survivors;  ///< slots
    std::span<const std::size_t> halves[2];  ///< survivors in slots of even and odd number
    std::span<const std::size_t> order;      ///< of the coordinates in the factors: those of the amplitude block come last
    std::span<const char> periodic;          ///< PeriodicMask
    std::span<const double> cholesky[2];     ///< lower triangular, row-major, of each half's covariance in that order
    const Modes* modes[2];                   ///< of each half
    Contour contour;
    std::size_t slices;
    double bracket;
    std::uint64_t seed;
    std::uint64_t batch;
};

/// Where one chain ended.
struct ChainEnd {
    std::vector<double> unit;
    double log_likelihood = 0.0;
    double label = 0.0;
    double start_log_likelihood = 0.0;
};

/// Counts of a block of chains.
struct ChainCounts {
    std::uint64_t calls = 0;
    std::uint64_t slice_calls = 0;       ///< of them for trials of slices
    std::uint64_t amplitude_rounds = 0;  ///< of moves within the amplitude block
    std::uint64_t leaps = 0;             ///< from mode to mode
    std::uint64_t failed_slices = 0;
    std::uint64_t nan_likelihoods = 0;
    std::vector<std::vector<double>> nan_examples;  ///< parameters
};

inline constexpr std::size_t most_nan_examples = 16;

/// Run chains [first, first + ends.size()) of a batch in lockstep: every sweep asks each chain for one trial point and evaluates
/// all of them in one call. Where the problem has an amplitude block, every few slices are followed by a round of moves within
/// it, and the point they lead to is the next trial; where the other half has modes, so is, every few slices, a point of another
/// mode. A chain's random numbers are addressed by batch and chain, so blocks may be
/// cut anywhere. Throws NumericError for ln L = +inf.
[[nodiscard]] ChainCounts run_chains(const ChainSnapshot& snapshot, std::size_t first, std::span<ChainEnd> ends);

}  // namespace aliquot::infer
