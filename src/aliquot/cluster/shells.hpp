#pragma once

#include <cstddef>
#include <vector>

#include "aliquot/cluster/equilibrium.hpp"

namespace aliquot::cluster {

/// Radii that cut a component into thin shells, ascending from 0: outer over inner radius at most `ratio`, inner over outer depth
/// at least `depth_ratio` until the depth is a thousandth of the centre's. The last is the edge, or holds 99.9 % of the mass
/// where there is none; the first shells lie within the radius that holds a thousandth.
[[nodiscard]] std::vector<double> shell_radii(const Equilibrium& model, std::size_t component, double ratio, double depth_ratio);

}  // namespace aliquot::cluster
