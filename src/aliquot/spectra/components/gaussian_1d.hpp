#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Gaussian1D: amplitude exp(-(x - mean)^2 / 2 stddev^2) in wavelength, not velocity (astropy.modeling.functional_models).
///
/// amplitude  peak flux density
/// mean       Angstrom
/// stddev     Angstrom, positive
class Gaussian1D final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Gaussian1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] bool gaussian_lines() const override { return true; }
};

}  // namespace aliquot::spectra
