#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/spectra/kernels/tile_kernels.hpp"

namespace aliquot::spectra {

/// The Gram matrix of a model's columns and the data, gathered over pieces of a spectrum; kept from point to point by whoever has
/// it, for its storage.
class GramMatrix {
  public:
    /// Start with zeros: columns, and the data as the last.
    void start(std::size_t columns, const TileKernels& kernels);
    /// Where the next row of a piece goes, for the column of this number; all rows of a piece are `length` long, a multiple of
    /// gram_lanes.
    double* row(std::size_t column, std::size_t length);
    /// All columns that are not zero in the piece have their row: add their products. Weights of `length`, or null.
    void add(std::size_t length, const double* weights);
    /// The whole matrix, (columns + 1) squared.
    void finish(std::span<double> form) const;

  private:
    const TileKernels* kernels_ = nullptr;
    std::size_t size_ = 0;
    std::vector<double> lanes_;  // of the lower triangle
    std::vector<double> rows_;
    std::vector<std::uint16_t> numbers_;
};

}  // namespace aliquot::spectra
