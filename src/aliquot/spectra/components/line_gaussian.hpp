#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Line_Gaussian: amplitude exp(-(v - dv)^2 / 2 sigma^2), v = c (x - wavec) / wavec.
///
/// amplitude  peak flux density
/// dv, sigma  velocity shift and dispersion, km/s (linear, "optical" convention)
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineGaussian final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Gaussian"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] bool gaussian_lines() const override { return true; }
};

}  // namespace aliquot::spectra
