#pragma once

#include <functional>

#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/infer/checkpoint.hpp"
#include "aliquot/infer/nested_sampler.hpp"

namespace aliquot::infer {

/// Drive a NestedSampler until it has converged, a cap of the options is reached, or `stop_requested` (may be empty) says so. In
/// the last two cases the result is what was gathered, its status says why it ended, and a warning says that the evidence is
/// incomplete. Where that happens before there are live points, nothing was gathered: throws Interrupted, or NumericError for a
/// cap. Throws ConfigError and NumericError as NestedSampler does.
///
/// Where `checkpointing` names a file, the run is saved there between batches every `checkpoint_seconds`, and when it stops
/// before it has converged; whoever keeps the result removes the file. A run that is continued gives the bits of one that was
/// never stopped, `seconds` being those of all its starts. Throws what read_checkpoint and write_checkpoint throw.
[[nodiscard]] NestedResult run_nested(const Problem& problem, const NestedOptions& options, Threads& threads,
                                      const ProgressCallback& progress = {}, const std::function<bool()>& stop_requested = {},
                                      const Checkpointing& checkpointing = {});

}  // namespace aliquot::infer
