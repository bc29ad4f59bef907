#pragma once

#include <span>

#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/nested_result.hpp"

namespace aliquot::infer {

/// Combine independent runs of one problem (Higson et al. 2018): their points die in common order of ln L, and at each death the
/// points alive in all runs add up, so that the error shrinks as if one run had had all the live points. Runs may differ in live
/// points, and may have been stopped early as long as one has converged. The result does not depend on the order of the runs; its
/// seed is the lowest.
///
/// Diagnostics are summed where they count and averaged over deaths where they are means; the insertion ranks' p-value is the
/// lowest times the number of runs. Warnings of single runs stay, and one is added where the runs' evidences scatter by more than
/// they quote (p < 0.001). Throws DataError for less than two runs, another number of parameters, no converged run, or runs that
/// share points and so are not independent.
[[nodiscard]] NestedResult merge_runs(std::span<const NestedResult> runs, Threads& threads);

}  // namespace aliquot::infer
