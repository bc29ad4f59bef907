#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Line_Absorption: the transmission 1 - Cf + Cf exp(-tau), tau = 10^logtau0 exp(-(v - dv)^2 / 2 sigma^2), to be multiplied with.
///
/// logtau0    log10 of the optical depth at the centre
/// dv, sigma  shift and dispersion, km/s
/// Cf         covering fraction
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineAbsorption final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Absorption"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// Line_Absorption_doublet: the product of two transmissions with one shift, dispersion and covering fraction.
class LineAbsorptionDoublet final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Absorption_doublet"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

}  // namespace aliquot::spectra
