#pragma once

#include "aliquot/math/dispatch.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

/// Kernels of one instruction-set level.
struct TileKernels {
    /// Model of one tile into `model` (tile.padded values); `registers` is scratch of tile_registers * tile_pixels values.
    void (*model)(const Tile& tile, TileProgram program, const TermSum* sums, double* registers, double* model) noexcept;
    /// Sum of inverse_variance (flux - model)^2 over one tile, in tile_block fixed lanes.
    double (*chi_square)(const Tile& tile, TileProgram program, const TermSum* sums, double* registers) noexcept;
    /// Chi-square of one compressed cell; `gaussians` are the indices of those that reach it, `constant` is added to the model.
    double (*cell_chi_square)(const CompressedCell& cell, const TermSum& sum, const std::uint16_t* gaussians,
                              std::size_t gaussian_count, double constant) noexcept;
    /// What one column of the model is in a compressed cell, cell_row numbers: the chi-square is the square of the distance
    /// between the sum of the columns and the data's own row, [r, t, root of the floor].
    void (*cell_column)(const CompressedCell& cell, const TermSum& sum, const std::uint16_t* gaussians,
                        std::size_t gaussian_count, double constant, double* row) noexcept;
    /// Add the weighted products of `count` rows of `length` numbers, a multiple of gram_lanes, to the partial sums of a Gram
    /// matrix's lower triangle, gram_lanes for each entry; `numbers` are the rows' places in it. Weights may be null: all 1.
    void (*gram)(const double* rows, std::size_t count, std::size_t length, const double* weights, const std::uint16_t* numbers,
                 double* lanes) noexcept;
    /// Correlate `padded` (count + 2 radius values) with the symmetric weights w[0..radius] into `out` (count values).
    void (*filter)(const double* padded, std::size_t count, const double* weights, std::size_t radius, double* out) noexcept;
    /// Weighted sum of `rows` arrays of `count` values that lie one after the other, into `out`.
    void (*combine)(const double* arrays, std::size_t count, const double* weights, std::size_t rows, double* out) noexcept;
};

/// The kernels of a level that this machine has.
[[nodiscard]] const TileKernels& tile_kernels(math::SimdLevel level);

}  // namespace aliquot::spectra
