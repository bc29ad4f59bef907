#pragma once

#include <functional>

#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/infer/nested_sampler.hpp"

namespace aliquot::infer {

/// Add samples where the posterior is until a converged run is worth `effective_samples` (dynamic nested sampling, Higson et al.
/// 2019, Stat. Comput. 29, 891): further runs begin at the contour that a thousandth of the posterior lies below, from points of
/// the run that were alive there, moved by chains of full length, and are merged with it death by death. The volume down to the
/// contour is known from the run alone, so ln Z gains little. Stops early, with a warning in the result, where `stop_requested`
/// says so or eight runs are not enough. Throws ConfigError where the wanted number is not positive or above ten million.
[[nodiscard]] NestedResult top_up(const Problem& problem, NestedResult run, const NestedOptions& options,
                                  double effective_samples, Threads& threads, const ProgressCallback& progress = {},
                                  const std::function<bool()>& stop_requested = {});

}  // namespace aliquot::infer
