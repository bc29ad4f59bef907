#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Line_GaussHermite: with w = (v - dv) / sigma, amplitude exp(-w^2 / 2) [1 + h3 (2 w^3 - 3 w) / sqrt(3) + h4 (4 w^4 - 12 w^2 +
/// 3) / sqrt(24)] (van der Marel & Franx 1993, ApJ 407, 525), negative values set to zero where `clip` says so.
///
/// amplitude  peak flux density of the Gaussian underneath
/// dv, sigma  shift and dispersion, km/s
/// h3, h4     skewness and kurtosis
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineGaussHermite final : public Component {
  public:
    explicit LineGaussHermite(bool clip = true) : clip_(clip) {}
    [[nodiscard]] std::string_view type() const override { return "Line_GaussHermite"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;

  private:
    bool clip_;
};

/// Line_GaussHermite_doublet: two such lines, peaks amp_c0 and amp_c1 at wavec0 and wavec1, with one shift dv_c, dispersion
/// sigma_c, h3 and h4; their sum is clipped.
class LineGaussHermiteDoublet final : public Component {
  public:
    explicit LineGaussHermiteDoublet(bool clip = true) : clip_(clip) {}
    [[nodiscard]] std::string_view type() const override { return "Line_GaussHermite_doublet"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;

  private:
    bool clip_;
};

}  // namespace aliquot::spectra
