#pragma once

#include "aliquot/cluster/kernels/orient.hpp"
#include "aliquot/math/dispatch.hpp"

namespace aliquot::cluster {

/// Turns the first `count` stars; lengths times `length`, velocities times `speed`. What follows up to a whole vector is computed
/// and means nothing.
using OrientKernel = void (*)(const UnturnedStars& stars, std::size_t count, double length, double speed,
                              TurnedStars& turned) noexcept;

/// The kernel of a level that this machine has; the same bits at every level.
[[nodiscard]] OrientKernel orient_kernel(math::SimdLevel level);

}  // namespace aliquot::cluster
