#pragma once

#include <cstddef>

#include "aliquot/core/parallel.hpp"
#include "evidence/problems.hpp"

namespace aliquot::bench {

/// Runs of one problem over seeds 1..n against its truth; means over the seeds.
struct Calibration {
    double mean_error = 0.0;      ///< mean of ln Z - truth
    double standard_error = 0.0;  ///< of that mean, from the scatter
    double quoted_error = 0.0;
    double scatter_over_quoted = 0.0;
    double calls = 0.0;
    double seconds = 0.0;
    std::size_t flagged = 0;  ///< runs whose rank correlation or insertion ranks gave a warning

    // The second opinion, where it was asked for.
    double opinion_mean_error = 0.0;
    double opinion_quoted_error = 0.0;
    std::size_t opinion_right = 0;          ///< seeds within three quoted errors of the truth
    std::size_t opinion_trusted = 0;        ///< seeds that the rules trust
    std::size_t opinion_trusted_right = 0;  ///< of these, seeds within three quoted errors

    // What a fit would quote: infer::judge on both.
    std::size_t trusted = 0;
    std::size_t trusted_right = 0;  ///< of these, seeds whose quoted evidence lies within three quoted errors
    std::size_t doubted_wrong = 0;  ///< not trusted, and beyond three quoted errors: rightly so
};

/// `slices_per_dimension` 0 keeps the sampler's default.
[[nodiscard]] Calibration calibrate(const EvidenceProblem& problem, std::size_t seeds, Threads& threads,
                                    double slices_per_dimension = 0.0, bool second_opinion = false);

}  // namespace aliquot::bench
