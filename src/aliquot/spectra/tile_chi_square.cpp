#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/gram_matrix.hpp"
#include "aliquot/spectra/kernels/tile_kernels.hpp"
#include "aliquot/spectra/pixel_tiles.hpp"
#include "aliquot/spectra/plan.hpp"
#include "aliquot/spectra/point_terms.hpp"
#include "aliquot/spectra/workspace.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t points_per_pass = 8;  // points that share a tile's data while it is in cache

struct TileWorkspace : Workspace {
    std::vector<PointTerms> points{points_per_pass};
    GramMatrix gram;
};

class TileChiSquare final : public ChiSquare {
  public:
    TileChiSquare(const Model& model, std::span<const double> wavelength, std::span<const double> flux,
                  std::span<const double> error, math::SimdLevel level)
        : model_(model),
          tiles_(wavelength, flux, error),
          shapes_(fixed_shapes(model, tiles_.padded_wavelength())),
          plan_(make_plan(model.expression())),
          program_{plan_.program.data(), plan_.program.size()},
          kernels_(tile_kernels(level)),
          owner_(next_evaluator()) {}

    void evaluate(MatrixView<const double> theta, std::span<double> chi_square) const override {
        TileWorkspace& work = workspace();
        for (std::size_t first = 0; first < theta.rows(); first += points_per_pass) {
            const std::size_t count = std::min(points_per_pass, theta.rows() - first);
            for (std::size_t point = 0; point < count; ++point) {
                const bool finite = bind(theta.row(first + point), work, work.points[point]);
                chi_square[first + point] = finite ? 0.0 : std::numeric_limits<double>::quiet_NaN();
            }
            for (const Tile& tile : tiles_.tiles()) {
                for (std::size_t point = 0; point < count; ++point) {
                    double& total = chi_square[first + point];
                    if (!std::isnan(total))
                        total += kernels_.chi_square(tile, program_, work.points[point].sums(), work.registers.data());
                }
            }
        }
    }

    [[nodiscard]] bool gram(std::span<const double> theta, const AmplitudeColumns& columns,
                            std::span<double> form) const override {
        TileWorkspace& work = workspace();
        PointTerms& terms = work.points[0];
        model_.expand(unit_amplitudes(columns, theta, work), work.values);
        if (!terms.bind_columns(model_, plan_, columns, work.values, kernels_, tiles_.padded_wavelength(), shapes_)) return false;
        work.gram.start(columns.count(), kernels_);
        for (const Tile& tile : tiles_.tiles()) {
            for (std::size_t c = 0; c < columns.count(); ++c) {
                const TermSum& sum = terms.sums()[c];
                if (touches(sum, tile.first, tile.last))
                    kernels_.model(tile, program_, &sum, work.registers.data(), work.gram.row(c, tile.padded));
            }
            std::copy_n(tile.flux, tile.padded, work.gram.row(columns.count(), tile.padded));
            work.gram.add(tile.padded, tile.inverse_variance);
        }
        work.gram.finish(form);
        return true;
    }

    void model(std::span<const double> theta, std::span<double> flux) const override {
        ALIQUOT_EXPECT(flux.size() == tiles_.pixels());
        TileWorkspace& work = workspace();
        const bool finite = bind(theta, work, work.points[0]);
        std::vector<double> tile_flux(tile_pixels);
        std::size_t at = 0;
        for (const Tile& tile : tiles_.tiles()) {
            if (finite) {
                kernels_.model(tile, program_, work.points[0].sums(), work.registers.data(), tile_flux.data());
            } else {
                std::fill(tile_flux.begin(), tile_flux.end(), std::numeric_limits<double>::quiet_NaN());
            }
            std::copy_n(tile_flux.begin(), tile.count, flux.begin() + static_cast<std::ptrdiff_t>(at));
            at += tile.count;
        }
    }

    [[nodiscard]] std::string describe() const override {
        const std::size_t tiles = tiles_.tiles().size();
        return format("{} tile{} of pixels, {} of {} pixels evenly sampled", tiles, tiles == 1 ? "" : "s", tiles_.even_pixels(),
                      tiles_.pixels());
    }

  private:
    TileWorkspace& workspace() const { return workspace_of<TileWorkspace>(owner_, model_.parameters().size()); }

    bool bind(std::span<const double> theta, TileWorkspace& work, PointTerms& terms) const {
        model_.expand(theta, work.values);
        return terms.bind(model_, plan_, work.values, kernels_, tiles_.padded_wavelength(), shapes_);
    }

    const Model& model_;
    PixelTiles tiles_;
    std::vector<FixedShape> shapes_;
    Plan plan_;
    TileProgram program_;
    const TileKernels& kernels_;
    std::uint64_t owner_;
};

}  // namespace

std::unique_ptr<ChiSquare> make_tile_chi_square(const Model& model, std::span<const double> wavelength,
                                                std::span<const double> flux, std::span<const double> error,
                                                math::SimdLevel level) {
    return std::make_unique<TileChiSquare>(model, wavelength, flux, error, level);
}

}  // namespace aliquot::spectra
