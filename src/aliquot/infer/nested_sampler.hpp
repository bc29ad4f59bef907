#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/diagnostics.hpp"
#include "aliquot/infer/modes.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/periodic.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

struct NestedOptions {
    std::size_t live_points = 400;
    double dlogz = 0.01;  ///< stop when the best live point's ln L times the volume left could add this much to ln Z
    std::uint64_t seed = 1;
    std::size_t batch = 0;              ///< points replaced together, part of the algorithm; 0 = live_points / 10
    double slices_per_dimension = 3.0;  ///< slices per new point and dimension at the start, at least 12
    std::uint64_t max_calls = std::numeric_limits<std::uint64_t>::max();
    double max_seconds = std::numeric_limits<double>::infinity();  ///< of each start, where a run is continued
    double checkpoint_seconds = 30.0;                              ///< between checkpoints; 0: at every batch
};

/// The live set and everything a run has gathered; a plain value.
struct NestedState {
    // Live points, one per slot. A point dies in order of (log_likelihood, label): the random label makes ties exact.
    Matrix<double> unit;  ///< (live_points, dimension)
    std::vector<double> log_likelihood;
    std::vector<double> label;
    std::vector<double> log_birth;

    // Dead points, in order of death.
    Matrix<double> dead_unit;
    std::vector<double> dead_log_likelihood;
    std::vector<double> dead_log_birth;
    std::vector<double> dead_live_count;

    // Volume and evidence so far.
    double start_contour = -std::numeric_limits<double>::infinity();  ///< -inf: it began with the prior
    double log_start_volume = 0.0;
    double log_start_volume_sd = 0.0;
    double log_volume = 0.0;
    double log_evidence = -std::numeric_limits<double>::infinity();

    // The proposal: covariances of the two halves (slots of even and odd number), averaged over compressions, and their Cholesky
    // factors, in which the coordinates of an amplitude block come last.
    std::vector<double> covariance[2];
    std::vector<double> cholesky[2];
    double covariance_weight[2] = {0.0, 0.0};
    Modes modes[2];  ///< of the halves
    std::size_t deaths_since_modes = 0;
    std::size_t deaths_since_covariance = 0;
    double bracket = 10.0;   ///< width of a slice's first bracket, in units of the direction vector
    std::size_t slices = 0;  ///< per new point
    bool from_prior = true;  ///< new points are drawn from the prior while that is cheap

    std::uint64_t batches = 0;
    std::uint64_t prior_draws = 0;
    std::uint64_t calls = 0;
    std::uint64_t slice_calls = 0;
    std::uint64_t slices_made = 0;
    std::uint64_t chains_made = 0;
    std::uint64_t window_calls = 0;  ///< since the bracket was last looked at
    std::uint64_t window_slices = 0;
    std::uint64_t nan_likelihoods = 0;
    std::uint64_t failed_slices = 0;
    std::uint64_t amplitude_rounds = 0;
    std::uint64_t leaps = 0;  ///< from mode to mode
    std::uint64_t plateau_points = 0;
    std::vector<std::vector<double>> nan_examples;
    std::vector<double> insertion_ranks;
    RankCorrelation rank_correlation;         ///< of all chains
    RankCorrelation recent_rank_correlation;  ///< since the number of slices last changed: decides whether it grows
};

/// What one step did.
struct NestedInfo {
    double log_volume;
    double log_evidence;  ///< of the dead points
    double remaining;     ///< the most that the live points could still add to ln Z
    std::uint64_t calls;
};

/// Nested sampling (Skilling 2006) in batches: the k lowest points die together and are replaced by chains of slices that start
/// at random survivors.
///
/// Directions come from the other half of the ensemble than the chain's start: differences of two of its points or draws from its
/// covariance, averaged over compressions, so that a proposal never depends on the point it moves (an ensemble's own covariance
/// biases the evidence: a 20-d Gaussian by 1.6 nats at 200 points). Slices have randomly placed brackets, no stepping out, and
/// shrink to rejected points (Neal 2003). Where the problem has an amplitude block, a round of moves within it follows every
/// fourth slice and the last: they cost one matrix instead of likelihoods, and keep chains of many lines moving. Where the other
/// half falls into groups, covariances are those within groups, and every few slices a leap from group to group is tried: without
/// it the shares of modes would drift, as chains cannot go from one to the other, and ln Z with them.
class NestedSampler {
  public:
    /// Keeps references. Throws ConfigError where the options cannot work: too few live points for the dimension, dlogz not
    /// positive.
    NestedSampler(const Problem& problem, const NestedOptions& options, Threads& threads);

    /// Draw the live points from the prior, in rounds of `live_points` draws, as many as it takes to find finite likelihoods.
    /// Before every round but the first, `go_on` (may be empty) is given the state as far as it is, and throws to stop. Throws
    /// NumericError where there are too few finite likelihoods, or for ln L = +inf.
    [[nodiscard]] NestedState init(const std::function<void(const NestedState&)>& go_on = {}) const;
    /// Begin at a contour that a finished run has passed: from its points `alive` there, as many times as it takes, moved by
    /// chains of full length. The volume and the evidence below are what the run knows of them.
    [[nodiscard]] NestedState init_above(const NestedResult& run, std::span<const std::size_t> alive, double log_likelihood,
                                         double log_volume, double log_evidence) const;
    /// Replace one batch.
    NestedInfo step(NestedState& state) const;
    /// True when the live points can no longer matter, or are all equal.
    [[nodiscard]] bool converged(const NestedState& state) const;
    [[nodiscard]] NestedInfo info(const NestedState& state) const;
    /// The run as it stands, live points included.
    [[nodiscard]] NestedResult finish(const NestedState& state, Status status, double seconds) const;

    [[nodiscard]] std::size_t batch() const { return batch_; }

  private:
    struct Worst;
    Worst find_worst(const NestedState& state) const;
    void bury(NestedState& state, const Worst& worst) const;
    void update_covariances(NestedState& state, const Worst& worst) const;
    void replace_from_prior(NestedState& state, const Worst& worst) const;
    void replace_by_chains(NestedState& state, const Worst& worst) const;
    [[nodiscard]] std::size_t first_slices() const;
    void adapt(NestedState& state) const;

    const Problem& problem_;
    NestedOptions options_;
    Threads& threads_;
    std::size_t dimension_;
    std::size_t batch_;
    std::vector<std::size_t> order_;  // of the coordinates in Cholesky factors
    PeriodicMask periodic_;
};

}  // namespace aliquot::infer
