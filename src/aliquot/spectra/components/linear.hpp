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

/// WindowedLinear: c0 + c1 x for x_min <= x <= x_max, zero elsewhere. The window is closed, as in the original.
///
/// c0            flux density at x = 0
/// c1            slope
/// x_min, x_max  window, Angstrom (fixed by default)
class WindowedLinear final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "WindowedLinear"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// Polynomial1D: c0 + c1 x + ... + cN x^N by Horner's rule in raw x (Angstrom), as in astropy. High degrees are ill-conditioned
/// at x = 5000; with `domain` = [low, high] the polynomial is in (2 x - low - high) / (high - low) instead, from -1 to 1.
class Polynomial final : public Component {
  public:
    /// Degree 0 to 20; low < high, or both zero for raw x. Throws ConfigError otherwise.
    explicit Polynomial(std::size_t degree, double low = 0.0, double high = 0.0);
    [[nodiscard]] std::string_view type() const override { return "Polynomial1D"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return table_; }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;

  private:
    std::vector<ParameterSpec> table_;
    double centre_ = 0.0;
    double half_ = 1.0;
};

}  // namespace aliquot::spectra
