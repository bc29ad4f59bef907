#pragma once

#include <cstddef>
#include <cstdint>

/// Plain data shared by the pair kernels of every instruction set. Kernel files include this header, so it includes nothing of
/// the standard library's templates.
namespace aliquot::cluster {

inline constexpr std::size_t pair_lanes = 8;  ///< columns are padded to a multiple of this, blocks of stars begin at one

/// Positions and masses of stars in scaled units: every coordinate and the softening at most 1, masses at most 1. Columns hold
/// pair_lanes values more than there are stars; those have no mass and places of their own outside the stars.
struct PairColumns {
    const double* x;
    const double* y;
    const double* z;
    const double* mass;
    double softening_squared;
};

/// Sums over partners that the force kernel adds to, as long as the columns.
struct PairFields {
    double* ax;  ///< sum of m_j (x_j - x_i) / r^3
    double* ay;
    double* az;
    double* potential;  ///< sum of m_j / r
};

/// A run of stars, [first, last).
struct PairRange {
    std::size_t first;
    std::size_t last;
};

}  // namespace aliquot::cluster
