#pragma once

#include <cstddef>
#include <vector>

#include "aliquot/infer/prior.hpp"

namespace aliquot::infer {

/// Parameters in which ln L is quadratic, all others given: those that a model is a sum of products of, such as the amplitudes of
/// lines. With c = (one product per column, -1) and a matrix G that only the other parameters decide,
/// ln L = constant - 0.5 c' G c.
struct AmplitudeBlock {
    std::vector<std::size_t> coordinates;  ///< of the cube; no parameter depends on another's coordinate
    std::vector<Prior> priors;             ///< of each coordinate
    /// Of each column: positions in `coordinates`; {} = a column that is always there.
    std::vector<std::vector<std::size_t>> products;
};

}  // namespace aliquot::infer
