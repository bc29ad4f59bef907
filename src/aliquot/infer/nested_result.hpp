#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "aliquot/core/matrix_view.hpp"

namespace aliquot::infer {

/// How samples were made: by nested sampling, or by importance sampling from peaks alone (quick_sample).
enum class Method { nested, quick };

enum class Status { converged, interrupted, call_limit, time_limit };

/// "converged", "interrupted", "call_limit", "time_limit"
[[nodiscard]] std::string_view to_string(Status status);

/// What a run says about itself (spec of each in diagnostics.hpp); every result carries them.
struct Diagnostics {
    double insertion_rank_p_value = 1.0;  ///< KS test of insertion ranks against uniform, whole run
    double rank_correlation = 0.0;        ///< of start and end of the chains, whole run; above 0.01: chains too short
    double rank_correlation_error = 0.0;  ///< its standard error
    double calls_per_slice = 0.0;         ///< likelihood calls that one slice took
    double slices_per_point = 0.0;        ///< slices that a new point took, mean over the run
    double live_fraction = 0.0;           ///< share of the evidence held by the final live points
    double effective_samples = 0.0;       ///< Kish effective size of the weighted posterior
    std::uint64_t nan_likelihoods = 0;    ///< points where ln L was NaN; taken as -inf
    std::uint64_t failed_slices = 0;      ///< slices that ran into the shrink cap and kept their point
    std::uint64_t amplitude_rounds = 0;   ///< rounds of moves within the amplitude block, each at the price of one matrix
    std::uint64_t leaps = 0;              ///< of chains from mode to mode
    std::uint64_t plateau_points = 0;     ///< points evicted together because they shared the lowest ln L
    std::vector<std::vector<double>> nan_examples;  ///< parameters of the first few NaN points
    std::vector<std::string> warnings;              ///< sentences for the user, in order of weight
};

/// Whether the chains that make new points were too short: start and end are correlated by more than 0.01, two
/// standard errors taken off.
[[nodiscard]] bool chains_remember(const Diagnostics& diagnostics);
/// Whether the insertion ranks' p-value is below 1e-3.
[[nodiscard]] bool ranks_are_uneven(const Diagnostics& diagnostics);

/// A finished nested-sampling run: dead points in order of ln L, the final live points among them.
struct NestedResult {
    std::size_t dimension = 0;
    std::size_t live_points = 0;
    double dlogz = 0.0;
    std::uint64_t seed = 0;
    Matrix<double> unit_samples;         ///< (n, dimension), coordinates in the unit cube
    Matrix<double> samples;              ///< (n, dimension), parameters
    std::vector<double> log_likelihood;  ///< (n)
    std::vector<double> log_birth;       ///< (n), contour at which the point was born; -inf: drawn from the prior
    std::vector<double> live_count;      ///< (n), points alive when it died, itself included
    double start_contour = -std::numeric_limits<double>::infinity();  ///< ln L that it began at; -inf: it began with the prior
    double log_start_volume = 0.0;                                    ///< ln of the share of the prior in which ln L is finite
    double log_start_volume_sd = 0.0;                                 ///< its standard deviation
    std::vector<double> log_volume;                                   ///< (n), E[ln X] at the point's death
    std::vector<double> log_weight;                                   ///< (n), normalised: sum of exp is 1
    double log_evidence = 0.0;                                        ///< mean of ln Z over simulated volumes
    double log_evidence_error = 0.0;                                  ///< its standard deviation
    double information = 0.0;                                         ///< H, nats
    std::size_t iterations = 0;                                       ///< dead points, the final live ones not counted
    std::uint64_t likelihood_calls = 0;
    double seconds = 0.0;
    Status status = Status::converged;
    Method method = Method::nested;
    Diagnostics diagnostics;
};

}  // namespace aliquot::infer
