#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Line_Exponential: exponential wings, amplitude exp(-|u| / w), u = v - dv, convolved with a unit-area Gaussian of sigma, in
/// closed form: amplitude / 2 exp(-u^2 / 2 sigma^2) [erfcx((sigma / w - u / sigma) / sqrt 2) + erfcx((sigma / w + u / sigma) /
/// sqrt 2)]. What the original filters on the pixel grid is the same to the grid's step.
///
/// amplitude  peak flux density before the convolution
/// dv, sigma  shift and dispersion, km/s
/// w          velocity in which the wings fall by e, km/s
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineExponential final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Exponential"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// Line_Lorentz: amplitude / (1 + (v - dv)^2 / gamma^2).
///
/// amplitude  peak flux density
/// dv, gamma  shift and half width at half maximum, km/s
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineLorentz final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Lorentz"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// Line_Voigt: a Gaussian of sigma convolved with a Lorentzian of gamma, scaled to its peak (Faddeeva's function by libcerf).
///
/// amplitude         peak flux density
/// dv, sigma, gamma  shift, dispersion and half width at half maximum, km/s
/// wavec             rest wavelength, Angstrom (fixed by default)
class LineVoigt final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Line_Voigt"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

}  // namespace aliquot::spectra
