#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "aliquot/infer/problem.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/residuals.hpp"
#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// A model and a spectrum as a Bayesian problem. ln L = -1/2 sum [((f - m) / e)^2 + ln(2 pi e^2)], with the normalisation, so
/// that evidences of the same data compare. The amplitudes of lines, continua and templates are an amplitude block where the
/// model is a sum.
class SpectralProblem final : public infer::Problem {
  public:
    /// Keeps a reference to `model`; the spectrum needs errors.
    SpectralProblem(const Model& model, const Spectrum& spectrum);

    [[nodiscard]] std::size_t dimension() const override { return model_.dimension(); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override;
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override;

    [[nodiscard]] const infer::AmplitudeBlock* amplitudes() const override { return columns_ ? &columns_->block : nullptr; }
    [[nodiscard]] std::optional<double> amplitude_form(std::span<const double> parameters, std::span<double> form) const override;

    [[nodiscard]] const infer::LeastSquares* least_squares() const override { return &*residuals_; }

    [[nodiscard]] double chi_square(std::span<const double> theta) const;
    /// -1/2 sum ln(2 pi e^2)
    [[nodiscard]] double log_normalisation() const { return log_normalisation_; }
    [[nodiscard]] const ChiSquare& evaluator() const { return *chi_square_; }

  private:
    [[nodiscard]] bool columns_hold() const;

    const Model& model_;
    std::unique_ptr<ChiSquare> chi_square_;
    std::vector<infer::Prior> priors_;
    std::optional<AmplitudeColumns> columns_;
    double log_normalisation_ = 0.0;
    std::optional<Residuals> residuals_;
};

}  // namespace aliquot::spectra
