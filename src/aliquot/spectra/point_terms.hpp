#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

/// The terms of one parameter vector, with the storage they point to.
class PointTerms final : public TermSink {
  public:
    /// Emit all components of `model` at `values`, one sum per group of the plan; dense terms are evaluated on
    /// `padded_wavelength`, on which the values of `shapes` stand too. Every sum has a fixed term for each shape. False where a
    /// term is not finite: the sums are not to be used then.
    bool bind(const Model& model, const Plan& plan, std::span<const double> values, const TileKernels& kernels,
              std::span<const double> padded_wavelength, std::span<const FixedShape> shapes);
    /// One per group of the plan.
    [[nodiscard]] const TermSum* sums() const { return sums_.data(); }

    /// Gaussians of one sum with the same centre and width, to the bit, become one: ties between lines make such.
    void gaussian(double amplitude, double centre, double sigma) override;
    void power(double amplitude, double reference, double exponent) override;
    void line(double intercept, double slope) override;
    void broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) override;
    void dense(const Component& component, std::span<const double> values) override;

  private:
    struct Counts {
        std::size_t gaussians;
        std::size_t powers;
        std::size_t tables;
        std::size_t dense;
    };

    void broaden(const TemplateGrid& shape, double sigma, BroadenedCurve& curve);

    const TileKernels* kernels_ = nullptr;
    std::span<const double> padded_wavelength_;
    std::span<const FixedShape> shapes_;
    std::vector<FixedTerm> fixed_;  // shapes of each sum, one sum after the other
    std::vector<GaussianTerm> gaussians_;
    std::size_t first_gaussian_ = 0;  // of the sum that is being filled
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

}  // namespace aliquot::spectra
