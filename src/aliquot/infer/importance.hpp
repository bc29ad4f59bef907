#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

struct ImportanceOptions {
    std::size_t draws = 20000;  ///< of the last round; the ones before take half of it each
    std::size_t rounds = 3;
    std::uint64_t seed = 1;
};

/// A second opinion on the evidence of a nested-sampling run that shares none of its errors but a mode that the run has missed:
/// importance sampling of prior times likelihood from a mixture of Student-t densities fitted to the posterior, and bridge
/// sampling between the two (Meng & Wong 1996, Statistica Sinica 6, 831).
struct SecondOpinion {
    double log_evidence = 0.0;  ///< by importance sampling, of the last round
    double log_evidence_error = 0.0;
    double bridge_log_evidence = 0.0;
    double pareto_k = 0.0;  ///< shape of the tail of the importance weights; above 0.5 their variance is infinite
    double effective_samples = 0.0;
    double uncovered = 0.0;  ///< share of the posterior that nested sampling has found and the draws have not, at least
    std::uint64_t likelihood_calls = 0;
    bool trusted = false;  ///< Pareto k below 0.5, 1000 effective samples, nothing uncovered, within 3 errors of nested sampling
    bool disagrees = false;  ///< good weights, and more than 3 errors from nested sampling
    std::string reason;      ///< why it is not trusted, "" where it is
};

/// The draws of the last round.
struct ImportanceDraws {
    Matrix<double> unit;                 ///< (draws, dimension), points of the cube
    std::vector<double> log_likelihood;  ///< NaN counted as -inf
    std::vector<double> log_proposal;    ///< ln of the density, over the cube, that they were drawn from
};

/// Estimate the evidence again. The mixture stands in coordinates in which each marginal posterior is normal (MarginalMap).
/// `draws`, where given, gets the last round's.
[[nodiscard]] SecondOpinion second_opinion(const Problem& problem, const NestedResult& run, const ImportanceOptions& options,
                                           Threads& threads, ImportanceDraws* draws = nullptr);

/// Shape k of a generalised Pareto distribution fitted to the largest min(n / 5, 3 sqrt n) weights (Zhang & Stephens 2009,
/// Technometrics 51, 316; Vehtari et al. 2024, JMLR 25, 72); weights as logarithms. Infinite where too few weights are positive.
[[nodiscard]] double pareto_shape(std::span<const double> log_weight);

}  // namespace aliquot::infer
