#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// PowerLaw1D: amplitude (x / x_0)^(-alpha); note the minus (astropy.modeling.powerlaws.PowerLaw1D).
///
/// amplitude  flux density at x_0
/// x_0        reference wavelength, Angstrom
/// alpha      index
class PowerLaw final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "PowerLaw1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
};

/// BrokenPowerLaw1D: amplitude (x / x_break)^(-alpha), alpha_1 below x_break and alpha_2 from it on
/// (astropy.modeling.powerlaws.BrokenPowerLaw1D).
///
/// amplitude         flux density at x_break
/// x_break           Angstrom
/// alpha_1, alpha_2  indices
class BrokenPowerLaw final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "BrokenPowerLaw1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// WindowedPowerLaw1D: amplitude (x / x_0)^(-alpha) for x_min <= x < x_max, zero elsewhere. The window is half open, as in the
/// original; that of WindowedLinear is closed.
///
/// amplitude     flux density at x_0
/// x_0           reference wavelength, Angstrom (fixed by default)
/// alpha         index
/// x_min, x_max  window, Angstrom (fixed by default)
class WindowedPowerLaw final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "WindowedPowerLaw1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

}  // namespace aliquot::spectra
