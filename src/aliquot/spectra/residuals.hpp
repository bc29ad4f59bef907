#pragma once

#include <memory>
#include <span>
#include <vector>

#include "aliquot/infer/least_squares.hpp"
#include "aliquot/infer/prior.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// The residuals (flux - model) / error of a spectrum as a least-squares problem over the cube, with the model's Jacobian by
/// central differences of 1e-5 in each coordinate of the cube.
class Residuals final : public infer::LeastSquares {
  public:
    /// Keeps references to `model` and `evaluator`, which evaluates it on the spectrum; ln L = log_normalisation - chi-square
    /// / 2.
    Residuals(const Model& model, const ChiSquare& evaluator, const Spectrum& spectrum, double log_normalisation);

    [[nodiscard]] double log_likelihood(std::span<const double> place) const override;
    [[nodiscard]] double normal_equations(std::span<const double> place, std::span<double> gradient,
                                          std::span<double> curvature) const override;
    void from_unit(std::span<const double> unit, std::span<double> place) const override;
    void to_unit(std::span<const double> place, std::span<double> unit) const override;

  private:
    [[nodiscard]] std::vector<double> theta(std::span<const double> place) const;

    const Model& model_;
    const ChiSquare& evaluator_;
    double log_normalisation_;
    std::vector<infer::Prior> priors_;
    std::vector<double> flux_;
    std::vector<double> inverse_error_;
    std::uint64_t owner_;
};

}  // namespace aliquot::spectra
