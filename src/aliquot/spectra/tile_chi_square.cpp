#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/kernels/tile_kernels.hpp"
#include "aliquot/spectra/pixel_tiles.hpp"
#include "aliquot/spectra/plan.hpp"
#include "aliquot/spectra/template_grid.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t points_per_pass = 8;  // points that share a tile's data while it is in cache

/// A template broadened for one point, kept for as long as the same width is asked for.
struct BroadenedCurve {
    const TemplateGrid* grid = nullptr;
    double sigma = -1.0;
    std::size_t first = 0;  // channel that value[0] belongs to
    std::vector<double> value;
};

/// The terms of one parameter vector.
class PointTerms final : public TermSink {
  public:
    void start(const TileKernels& kernels, std::span<const double> padded_wavelength) {
        kernels_ = &kernels;
        padded_wavelength_ = padded_wavelength;
        gaussians_.clear();
        powers_.clear();
        tables_.clear();
        dense_.clear();
        sums_.clear();
        curves_used_ = 0;
        dense_used_ = 0;
        finite_ = true;
    }

    void gaussian(double amplitude, double centre, double sigma) override {
        finite_ &= std::isfinite(amplitude) && std::isfinite(centre) && sigma > 0.0;
        if (amplitude == 0.0) return;
        gaussians_.push_back({amplitude, centre, 1.0 / (std::numbers::sqrt2 * sigma), gaussian_reach * sigma});
    }
    void power(double amplitude, double reference, double exponent) override {
        finite_ &= std::isfinite(amplitude) && std::isfinite(exponent) && reference > 0.0;
        powers_.push_back({amplitude, reference, exponent});
    }
    void line(double intercept, double slope) override {
        finite_ &= std::isfinite(intercept) && std::isfinite(slope);
        intercept_ += intercept;
        slope_ += slope;
    }
    void broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) override {
        finite_ &= std::isfinite(sigma_channels) && std::isfinite(amplitude) && stretch > 0.0;
        if (!finite_) return;
        if (curves_used_ == curves_.size()) curves_.emplace_back();
        BroadenedCurve& curve = curves_[curves_used_++];
        if (curve.grid != &shape || curve.sigma != sigma_channels) broaden(shape, sigma_channels, curve);
        tables_.push_back({amplitude, stretch, shape.wavelength().data() + curve.first, curve.value.data(), curve.value.size()});
    }
    void dense(const Component& component, std::span<const double> values) override {
        if (dense_used_ == dense_arrays_.size()) dense_arrays_.emplace_back(padded_wavelength_.size());
        std::vector<double>& array = dense_arrays_[dense_used_++];
        component.evaluate(padded_wavelength_, values, array);
        dense_.push_back({array.data()});
    }

    /// Emit a group of components into one sum.
    void add_group(const Model& model, std::span<const std::size_t> group, std::span<const double> values) {
        Counts before{gaussians_.size(), powers_.size(), tables_.size(), dense_.size()};
        intercept_ = 0.0;
        slope_ = 0.0;
        for (const std::size_t leaf : group)
            model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), *this);
        starts_.resize(sums_.size());
        starts_.push_back(before);
        sums_.push_back({.gaussians = nullptr,
                         .powers = nullptr,
                         .tables = nullptr,
                         .dense = nullptr,
                         .gaussian_count = static_cast<std::uint32_t>(gaussians_.size() - before.gaussians),
                         .power_count = static_cast<std::uint32_t>(powers_.size() - before.powers),
                         .table_count = static_cast<std::uint32_t>(tables_.size() - before.tables),
                         .dense_count = static_cast<std::uint32_t>(dense_.size() - before.dense),
                         .intercept = intercept_,
                         .slope = slope_});
    }
    /// Fix the addresses once every group is in; false where a term is not finite.
    bool finish() {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            sums_[i].gaussians = gaussians_.data() + starts_[i].gaussians;
            sums_[i].powers = powers_.data() + starts_[i].powers;
            sums_[i].tables = tables_.data() + starts_[i].tables;
            sums_[i].dense = dense_.data() + starts_[i].dense;
        }
        return finite_;
    }
    [[nodiscard]] const TermSum* sums() const { return sums_.data(); }

  private:
    struct Counts {
        std::size_t gaussians;
        std::size_t powers;
        std::size_t tables;
        std::size_t dense;
    };

    /// Only channels that a non-zero one reaches are computed, plus one of zero at each side.
    void broaden(const TemplateGrid& shape, double sigma, BroadenedCurve& curve) {
        const std::vector<double> weights = gaussian_weights(sigma);
        const std::size_t radius = weights.size() - 1;
        const std::size_t first = shape.first_nonzero() > radius + 1 ? shape.first_nonzero() - radius - 1 : 0;
        const std::size_t end = std::min(shape.value().size(), shape.end_nonzero() + radius + 1);
        padded_.resize(end - first + 2 * radius);
        for (std::size_t i = 0; i < padded_.size(); ++i) {
            const auto at = static_cast<std::ptrdiff_t>(first + i) - static_cast<std::ptrdiff_t>(radius);
            padded_[i] = shape.value()[mirrored_index(at, shape.value().size())];
        }
        curve.grid = &shape;
        curve.sigma = sigma;
        curve.first = first;
        curve.value.resize(end - first);
        kernels_->filter(padded_.data(), end - first, weights.data(), radius, curve.value.data());
    }

    const TileKernels* kernels_ = nullptr;
    std::span<const double> padded_wavelength_;
    std::vector<GaussianTerm> gaussians_;
    std::vector<PowerTerm> powers_;
    std::vector<TableTerm> tables_;
    std::vector<DenseTerm> dense_;
    std::vector<TermSum> sums_;
    std::vector<Counts> starts_;
    std::vector<BroadenedCurve> curves_;
    std::size_t curves_used_ = 0;
    std::vector<std::vector<double>> dense_arrays_;
    std::size_t dense_used_ = 0;
    std::vector<double> padded_;
    double intercept_ = 0.0;
    double slope_ = 0.0;
    bool finite_ = true;
};

/// What one thread needs to evaluate a pass; bound to one plan at a time.
struct Workspace {
    std::uint64_t owner = 0;
    std::vector<PointTerms> points{points_per_pass};
    std::vector<double> values;
    std::vector<double> registers = std::vector<double>(tile_registers * tile_pixels);
};

std::uint64_t next_owner() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

class TileChiSquare final : public ChiSquare {
  public:
    TileChiSquare(const Model& model, std::span<const double> wavelength, std::span<const double> flux,
                  std::span<const double> error, math::SimdLevel level)
        : model_(model),
          tiles_(wavelength, flux, error),
          plan_(make_plan(model.expression())),
          program_{plan_.program.data(), plan_.program.size()},
          kernels_(tile_kernels(level)),
          owner_(next_owner()) {}

    void evaluate(MatrixView<const double> theta, std::span<double> chi_square) const override {
        Workspace& work = workspace();
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

    void model(std::span<const double> theta, std::span<double> flux) const override {
        ALIQUOT_EXPECT(flux.size() == tiles_.pixels());
        Workspace& work = workspace();
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
        return format("{} tiles of pixels, {} of {} pixels evenly sampled", tiles_.tiles().size(), tiles_.even_pixels(),
                      tiles_.pixels());
    }

  private:
    Workspace& workspace() const {
        thread_local Workspace work;
        if (work.owner != owner_) {
            work = Workspace{};
            work.owner = owner_;
            work.values.resize(model_.parameters().size());
        }
        return work;
    }

    bool bind(std::span<const double> theta, Workspace& work, PointTerms& terms) const {
        model_.expand(theta, work.values);
        terms.start(kernels_, tiles_.padded_wavelength());
        for (const auto& group : plan_.groups)
            terms.add_group(model_, group, work.values);
        return terms.finish();
    }

    const Model& model_;
    PixelTiles tiles_;
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
