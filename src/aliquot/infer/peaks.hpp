#pragma once

#include <cstdint>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/least_squares.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

/// A maximum of ln L over the prior's support.
struct Peak {
    std::vector<double> place;
    double log_likelihood;
    std::vector<double> curvature;  ///< J'J there, (d, d)
};

/// Levenberg-Marquardt (Marquardt 1963, J. SIAM 11, 431) from every row of `starts` (places), kept to [0, 1]^d; the peaks that
/// were reached, highest first, each once: two are one where less than a standard deviation lies between them. Starts at which ln
/// L is not finite are left out.
[[nodiscard]] std::vector<Peak> find_peaks(const LeastSquares& problem, const Matrix<double>& starts, Threads& threads);

/// Places to start from: the best of random points of the prior.
[[nodiscard]] Matrix<double> prior_starts(const Problem& problem, const LeastSquares& squares, std::size_t count,
                                          std::uint64_t seed, Threads& threads);

/// What a search from points of the prior says about a run.
struct PeakCheck {
    std::vector<double> unit;         ///< the highest peak of all, as a point of the cube
    double log_likelihood = 0.0;      ///< there
    double run_log_likelihood = 0.0;  ///< at the peak that the run's best point leads to
    /// Whether the search found a higher peak than the run: a mode that the run has missed.
    [[nodiscard]] bool higher_elsewhere() const { return log_likelihood > run_log_likelihood + 0.1; }
};

/// Polish the best point of a run, and look for a higher peak from other points of its posterior and of the prior.
[[nodiscard]] PeakCheck check_peak(const Problem& problem, const LeastSquares& squares, const NestedResult& run,
                                   Threads& threads);

}  // namespace aliquot::infer
