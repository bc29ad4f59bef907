#pragma once

#include <cstddef>
#include <cstdint>

/// Plain data shared by the tile kernels of every instruction set: a spectrum cut into tiles, and the terms that one parameter
/// vector turns a model into. Kernel files include this header, so it includes nothing of the standard library's templates.
namespace aliquot::spectra {

inline constexpr std::size_t tile_pixels =
    1024;  ///< most pixels a tile holds; model and data of one tile stay in the first-level cache
inline constexpr std::size_t tile_block = 16;     ///< pixels that are computed together; tiles are padded to whole blocks
inline constexpr std::size_t tile_registers = 8;  ///< nesting depth of products that a plan may need
inline constexpr double gaussian_reach =
    7.5;  ///< a Gaussian is evaluated within this many sigma: beyond it stays under 6.1e-13 of its peak

/// A run of neighbouring pixels. Arrays hold `padded` values; padding has zero weight and repeats the last wavelength.
struct Tile {
    const double* wavelength;      ///< Angstrom
    const double* log_wavelength;  ///< its natural logarithm
    const double* flux;
    const double* inverse_variance;
    std::size_t count;   ///< pixels
    std::size_t padded;  ///< pixels rounded up to whole blocks
    std::size_t offset;  ///< of the first pixel in the padded arrays
    double first;        ///< wavelength of the first pixel
    double last;
    double step;  ///< Angstrom per pixel where even sampling holds to rounding, otherwise 0
};

/// amplitude exp(-(x - centre)^2 / 2 sigma^2)
struct GaussianTerm {
    double amplitude;
    double centre;   ///< Angstrom
    double inverse;  ///< 1 / (sqrt(2) sigma), 1 / Angstrom
    double reach;    ///< half width evaluated, Angstrom
};

/// amplitude (x / reference)^exponent
struct PowerTerm {
    double amplitude;
    double log_reference;  ///< natural logarithm of the reference in Angstrom
    double exponent;
};

/// amplitude T(x / stretch), T piecewise linear through (wavelength, value), held constant outside
struct TableTerm {
    double amplitude;
    double stretch;
    const double* wavelength;  ///< Angstrom, increasing
    const double* value;
    std::size_t count;
};

/// A function evaluated pixel by pixel beforehand, in the padded layout
struct DenseTerm {
    const double* value;
};

inline constexpr std::size_t most_fixed = 4;  ///< fixed terms of a sum

/// amplitude times an array that no parameter changes, in the padded layout
struct FixedTerm {
    double amplitude;
    const double* value;
};

/// Everything that is summed into one register.
struct TermSum {
    const GaussianTerm* gaussians;
    const PowerTerm* powers;
    const TableTerm* tables;
    const DenseTerm* dense;
    const FixedTerm* fixed;
    std::uint32_t gaussian_count;
    std::uint32_t power_count;
    std::uint32_t table_count;
    std::uint32_t dense_count;
    std::uint32_t fixed_count;
    double intercept;  ///< of the straight line that constants and linear terms add up to
    double slope;
};

/// Postfix program over registers: `sum` pushes the next TermSum, the others pop two registers and push one.
enum class TileOp : std::uint8_t { sum, add, multiply };

struct TileProgram {
    const TileOp* ops;
    std::size_t count;
};

inline constexpr std::size_t cell_nodes = 16;  ///< Chebyshev nodes at which a compressed cell samples the model
inline constexpr std::size_t cell_row = 24;   ///< numbers that stand for one column of a model in a cell: R m + F a, T a, padding
inline constexpr std::size_t gram_lanes = 8;  ///< partial sums of each entry of a Gram matrix
static_assert(cell_nodes + most_fixed < cell_row);

/// A run of pixels whose chi-square is a quadratic form in the model's values m at the nodes and the amplitudes a of the fixed
/// terms: |R m + F a - r|^2 + |T a - t|^2 + floor.
struct CompressedCell {
    const double* wavelength;  ///< of the nodes, Angstrom
    const double* log_wavelength;
    const double* matrix;  ///< R, upper triangular, column by column, cell_nodes rows each
    const double* right;   ///< r
    const double* fixed;   ///< F, cell_nodes rows for each fixed term
    const double* tail;    ///< [T | t], fixed_count + 1 values for each of fixed_count rows
    double floor;
};

}  // namespace aliquot::spectra
