#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Const1D: amplitude.
class Constant final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Const1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
};

/// Linear1D: slope x + intercept, x in Angstrom (not centred, as in astropy).
class Linear final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "Linear1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
};

}  // namespace aliquot::spectra
