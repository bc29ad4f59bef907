#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aliquot/spectra/amplitude_columns.hpp"
#include "aliquot/spectra/fixed_shapes.hpp"
#include "aliquot/spectra/kernels/tile_kernels.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/plan.hpp"
#include "aliquot/spectra/template_grid.hpp"
#include "aliquot/spectra/terms.hpp"

namespace aliquot::spectra {

/// A template broadened for one point, kept for as long as the same width is asked for.
struct BroadenedCurve {
    const TemplateGrid* grid = nullptr;
    double sigma = -1.0;
    std::size_t first = 0;  ///< channel that value[0] belongs to
    std::vector<double> value;
};

/// Whether a sum has terms that are zero nowhere; templates count.
[[nodiscard]] bool everywhere(const TermSum& sum);
/// Whether a sum has terms that reach [low, high] Angstrom.
[[nodiscard]] bool touches(const TermSum& sum, double low, double high);

/// The terms of one parameter vector, with the storage they point to.
class PointTerms final : public TermSink {
  public:
    /// Emit all components of `model` at `values`, one sum per group of the plan; dense terms are evaluated on
    /// `padded_wavelength`, on which the values of `shapes` stand too. Every sum has a fixed term for each shape. False where a
    /// term is not finite: the sums are not to be used then.
    bool bind(const Model& model, const Plan& plan, std::span<const double> values, const TileKernels& kernels,
              std::span<const double> padded_wavelength, std::span<const FixedShape> shapes);
    /// The same with one sum per column of a plan that is a single sum, at amplitude 1: `values` are those at which every
    /// parameter of the block is 1.
    bool bind_columns(const Model& model, const Plan& plan, const AmplitudeColumns& columns, std::span<const double> values,
                      const TileKernels& kernels, std::span<const double> padded_wavelength, std::span<const FixedShape> shapes);
    /// One per group of the plan, or per column.
    [[nodiscard]] const TermSum* sums() const { return sums_.data(); }

    /// Gaussians of one sum with the same centre and width, to the bit, become one: ties between lines make such.
    void gaussian(double amplitude, double centre, double sigma) override;
    void power(double amplitude, double reference, double exponent) override;
    void line(double intercept, double slope) override;
    void broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) override;
    void dense(const Component& component, std::span<const double> values) override;

  private:
    /// What is summed into one register.
    struct Sum {
        std::vector<GaussianTerm> gaussians;
        std::vector<PowerTerm> powers;
        std::vector<TableTerm> tables;
        std::vector<DenseTerm> dense;
        std::vector<FixedTerm> fixed;  // one per shape
        double intercept = 0.0;
        double slope = 0.0;
    };

    void start(std::size_t sums, const TileKernels& kernels, std::span<const double> padded_wavelength,
               std::span<const FixedShape> shapes);
    void finish(std::size_t sums);
    Sum& next_sum();
    void broaden(const TemplateGrid& shape, double sigma, BroadenedCurve& curve);

    const TileKernels* kernels_ = nullptr;
    std::span<const double> padded_wavelength_;
    std::span<const FixedShape> shapes_;
    std::vector<Sum> parts_;  // as many as were ever asked for
    std::vector<TermSum> sums_;
    std::size_t filled_ = 0;                  // the sum that terms go to
    std::span<const std::size_t> column_of_;  // where they go to columns instead
    std::size_t term_ = 0;
    std::vector<BroadenedCurve> curves_;
    std::size_t curves_used_ = 0;
    std::vector<std::vector<double>> dense_arrays_;
    std::size_t dense_used_ = 0;
    std::vector<double> padded_;
    bool finite_ = true;
};

}  // namespace aliquot::spectra
