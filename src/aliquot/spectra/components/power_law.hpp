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

}  // namespace aliquot::spectra
