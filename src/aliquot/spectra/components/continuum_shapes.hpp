#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// BlackBody: scale B(x, T) / B(x_0, T), B Planck's law per wavelength. Scaled at a wavelength, not by the largest value on the
/// grid that happens to be evaluated.
///
/// scale        flux density at x_0
/// temperature  K
/// x_0          Angstrom (fixed by default)
class BlackBody final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "BlackBody"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
};

/// extinction_ccm89: the transmission 10^(-0.4 A(x)) of dust in the source, Cardelli, Clayton & Mathis (1989), ApJ 345, 245; to
/// be multiplied with. Beyond 1000 to 33 333 Angstrom A is held.
///
/// a_v  extinction in V, mag
/// r_v  A(V) / E(B - V) (fixed by default)
class ExtinctionCcm89 final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "extinction_ccm89"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;
};

/// extinction_calzetti00: the same for starbursts, Calzetti et al. (2000), ApJ 533, 682, equation 4. Beyond 1200 to 22 000
/// Angstrom A is held.
///
/// a_v  effective extinction in V, mag
/// r_v  4.05 (fixed by default)
class ExtinctionCalzetti final : public Component {
  public:
    [[nodiscard]] std::string_view type() const override { return "extinction_calzetti00"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;
};

}  // namespace aliquot::spectra
