#pragma once

#include <cstdint>

#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/importance.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

struct QuickOptions {
    std::size_t starts = 48;  ///< of the search for peaks, from the best of points of the prior
    std::size_t draws = 20000;
    std::uint64_t seed = 1;
};

/// A posterior from its peaks.
struct QuickResult {
    NestedResult run;  ///< method quick: weighted draws; ln Z is that of `estimate`, volumes are estimated from the weights
    SecondOpinion estimate;
};

/// Search the peaks of a least-squares problem, and sample the posterior by importance from a mixture that is fitted to them and
/// to what was drawn before: thousands of likelihoods instead of millions. It is not nested sampling: a mode that no start leads
/// to is missed, and nothing says so. Throws ConfigError for a problem that is not one of least squares, NumericError where no
/// start has a finite likelihood.
[[nodiscard]] QuickResult quick_sample(const Problem& problem, const QuickOptions& options, Threads& threads);

}  // namespace aliquot::infer
