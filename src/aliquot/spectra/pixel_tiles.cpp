#include "aliquot/spectra/pixel_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aliquot/core/contract.hpp"

namespace aliquot::spectra {

namespace {

constexpr double gap_factor = 1.5;  // of the median step: a wider one is a gap

/// Indices at which a new run of pixels starts, the first and the end included. A spectrum with gaps everywhere is one run: short
/// tiles would cost more than uneven ones.
std::vector<std::size_t> runs(std::span<const double> wavelength) {
    const std::size_t n = wavelength.size();
    std::vector<double> steps(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i)
        steps[i] = wavelength[i + 1] - wavelength[i];
    std::vector<double> sorted = steps;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const double median = sorted[sorted.size() / 2];
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 0; i + 1 < n; ++i) {
        if (steps[i] > gap_factor * median) starts.push_back(i + 1);
    }
    if (starts.size() > 1 + n / 64) starts.resize(1);
    starts.push_back(n);
    return starts;
}

}  // namespace

double even_step(std::span<const double> wavelength) {
    if (wavelength.size() < 2) return 0.0;
    const double first = wavelength.front();
    const double step = (wavelength.back() - first) / static_cast<double>(wavelength.size() - 1);
    const double tolerance = 8.0 * std::numeric_limits<double>::epsilon() * std::abs(wavelength.back());
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        if (std::abs(wavelength[i] - (first + static_cast<double>(i) * step)) > tolerance) return 0.0;
    }
    return step;
}

PixelTiles::PixelTiles(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error)
    : pixels_(wavelength.size()) {
    ALIQUOT_EXPECT(!wavelength.empty() && flux.size() == pixels_ && error.size() == pixels_);
    const std::vector<std::size_t> starts = pixels_ > 1 ? runs(wavelength) : std::vector<std::size_t>{0, 1};
    for (std::size_t run = 0; run + 1 < starts.size(); ++run) {
        const std::size_t count = starts[run + 1] - starts[run];
        const std::size_t parts = (count + tile_pixels - 1) / tile_pixels;
        const std::size_t share = ((count + parts - 1) / parts + tile_block - 1) / tile_block * tile_block;
        for (std::size_t begin = starts[run]; begin < starts[run + 1]; begin += share) {
            const std::size_t size = std::min(share, starts[run + 1] - begin);
            add_tile(wavelength.subspan(begin, size), flux.subspan(begin, size), error.subspan(begin, size));
        }
    }
    for (Tile& tile : tiles_) {
        tile.wavelength = wavelength_.data() + tile.offset;
        tile.log_wavelength = log_wavelength_.data() + tile.offset;
        tile.flux = flux_.data() + tile.offset;
        tile.inverse_variance = inverse_variance_.data() + tile.offset;
    }
}

void PixelTiles::add_tile(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error) {
    const std::size_t padded = (wavelength.size() + tile_block - 1) / tile_block * tile_block;
    tiles_.push_back({.wavelength = nullptr,
                      .log_wavelength = nullptr,
                      .flux = nullptr,
                      .inverse_variance = nullptr,
                      .count = wavelength.size(),
                      .padded = padded,
                      .offset = wavelength_.size(),
                      .first = wavelength.front(),
                      .last = wavelength.back(),
                      .step = even_step(wavelength)});
    for (std::size_t i = 0; i < padded; ++i) {
        const bool real = i < wavelength.size();
        wavelength_.push_back(real ? wavelength[i] : wavelength.back());
        log_wavelength_.push_back(std::log(wavelength_.back()));
        flux_.push_back(real ? flux[i] : 0.0);
        inverse_variance_.push_back(real ? 1.0 / (error[i] * error[i]) : 0.0);
    }
}

std::size_t PixelTiles::even_pixels() const {
    std::size_t total = 0;
    for (const Tile& tile : tiles_)
        total += tile.step != 0.0 ? tile.count : 0;
    return total;
}

}  // namespace aliquot::spectra
