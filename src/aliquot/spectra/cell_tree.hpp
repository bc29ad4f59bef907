#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/spectra/fixed_shapes.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

/// An oversampled spectrum cut into dyadic cells, each compressed once: in a cell no wider than a few of the narrowest
/// dispersions that reach it, a smooth model is a polynomial of degree 15, so the cell's weighted chi-square is exactly a
/// quadratic form in the model's values at 16 Chebyshev nodes. No datum is dropped: the form comes from a QR decomposition of all
/// its pixels. A cell is split as long as it holds enough pixels, so leaves are narrow where the sampling is fine.
class CellTree {
  public:
    struct Cell {
        double low;  ///< Angstrom
        double high;
        std::int32_t first_child;  ///< the second follows it; -1 where there are none
        bool compressed;
        CompressedCell form;  ///< where compressed
        Tile tile;  ///< its pixels for direct evaluation; count 0 where there are more than a tile holds, never in a leaf
        std::size_t pixels;
    };

    /// Spans of equal length (two pixels or more), wavelengths strictly increasing, errors positive. What `shapes` add to the
    /// pixels goes into every form as it is, however it bends; their values are padded by a block here.
    CellTree(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error,
             std::vector<FixedShape>& shapes);
    CellTree(const CellTree&) = delete;
    CellTree& operator=(const CellTree&) = delete;

    [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
    /// The first `roots()` cells cover the spectrum.
    [[nodiscard]] std::size_t roots() const { return roots_; }
    /// Levels below the roots.
    [[nodiscard]] std::size_t depth() const { return depth_; }
    /// Wavelengths with one block of padding, the layout of dense terms.
    [[nodiscard]] std::span<const double> padded_wavelength() const { return wavelength_; }

  private:
    void place(std::size_t index, std::size_t first, std::size_t last, std::size_t level);
    std::vector<double> compress(std::size_t index, std::size_t first, std::size_t last);
    void set_form(std::size_t index, const std::vector<double>& triangle);

    std::size_t columns_;               // of a triangle: nodes, fixed shapes, flux
    std::vector<const double*> fixed_;  // values of the shapes at the pixels
    std::vector<double> wavelength_;
    std::vector<double> log_wavelength_;
    std::vector<double> flux_;
    std::vector<double> inverse_variance_;
    std::vector<std::vector<double>> cell_weights_;  // of each cell that can be evaluated directly, zero in the padding
    std::vector<std::vector<double>> storage_;       // nodes, their logarithms and the form of each compressed cell
    std::vector<Cell> cells_;
    std::size_t roots_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace aliquot::spectra
