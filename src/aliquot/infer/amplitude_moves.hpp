#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/amplitude_block.hpp"

namespace aliquot::infer {

/// The region that amplitudes may move in while all other parameters stand still: c' G c < bound.
struct AmplitudeRegion {
    std::span<const double> form;  ///< G, (columns + 1) squared, row-major, symmetric
    double bound;
    std::span<const double> factor;  ///< Cholesky factor of the covariance of the amplitudes' coordinates, lower, row-major
    std::size_t stride;              ///< from one row of `factor` to the next
    double bracket;                  ///< width of a slice, in units of the direction
};

/// Moves of a point in the coordinates of an amplitude block that leave the uniform distribution over the region as it is and
/// cost no likelihood: slices in directions of the covariance, and sweeps that draw each parameter from its exact conditional
/// distribution, uniform in the coordinate over the interval that the quadratic form allows. One object per thread.
class AmplitudeMoves {
  public:
    explicit AmplitudeMoves(const AmplitudeBlock& block);

    /// One round from `unit`, the block's coordinates of a point in the region, in place. Where the point is not in the region
    /// (by rounding, on its edge) it stays where it is.
    void round(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit);

  private:
    void slice(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit);
    void sweep(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit);
    double form_at(const AmplitudeRegion& region, std::span<const double> unit);

    const AmplitudeBlock& block_;
    std::vector<std::vector<std::size_t>> columns_of_;  // columns that each parameter is a factor of
    std::vector<double> values_;                        // of the parameters
    std::vector<double> coefficients_;                  // products, -1
    std::vector<double> gradient_;                      // G c
    std::vector<double> partial_;                       // d c / d parameter, of the columns it is a factor of
    std::vector<double> direction_;
    std::vector<double> trial_;
};

}  // namespace aliquot::infer
