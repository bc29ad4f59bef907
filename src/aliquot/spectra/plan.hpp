#pragma once

#include <span>
#include <vector>

#include "aliquot/spectra/expression.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

/// An expression flattened for the tile kernels: components that are only added together share one register.
struct Plan {
    std::vector<TileOp> program;
    std::vector<std::vector<std::size_t>> groups;  ///< components behind each TileOp::sum, in order
};

/// Throws ConfigError where products are nested deeper than the kernels' registers allow.
[[nodiscard]] Plan make_plan(const Expression& expression);

}  // namespace aliquot::spectra
