#pragma once

#include <span>
#include <vector>

#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

/// A spectrum cut into tiles for the kernels: at most tile_pixels pixels each, never across a gap, padded to whole blocks.
class PixelTiles {
  public:
    /// Spans of equal length, wavelengths (Angstrom) increasing, errors positive.
    PixelTiles(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error);
    PixelTiles(const PixelTiles&) = delete;
    PixelTiles& operator=(const PixelTiles&) = delete;

    [[nodiscard]] std::span<const Tile> tiles() const { return tiles_; }
    [[nodiscard]] std::size_t pixels() const { return pixels_; }
    /// Wavelengths in the padded layout; padding repeats a tile's last one.
    [[nodiscard]] std::span<const double> padded_wavelength() const { return wavelength_; }
    /// Pixels that lie in evenly sampled tiles.
    [[nodiscard]] std::size_t even_pixels() const;

  private:
    void add_tile(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error);

    std::size_t pixels_;
    std::vector<double> wavelength_;
    std::vector<double> log_wavelength_;
    std::vector<double> flux_;
    std::vector<double> inverse_variance_;
    std::vector<Tile> tiles_;
};

/// The common step of evenly sampled wavelengths, even to the rounding of a wavelength; otherwise 0.
[[nodiscard]] double even_step(std::span<const double> wavelength);

}  // namespace aliquot::spectra
