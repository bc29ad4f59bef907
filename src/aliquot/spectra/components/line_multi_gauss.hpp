#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// Line_MultiGauss: a core and n - 1 winds that share a rest wavelength,
/// amp_c [E(v - dv_c, sigma_c) + sum_i amp_wi E(v - dv_c - dv_wi, sigma_wi)], E(u, s) = exp(-u^2 / 2 s^2), v = c (x - wavec) /
/// wavec.
///
/// amp_c            peak flux density of the core
/// dv_c, sigma_c    its shift and dispersion, km/s
/// wavec            rest wavelength, Angstrom (fixed by default)
/// amp_wi           peak of wind i relative to amp_c
/// dv_wi, sigma_wi  its shift relative to the core, and its dispersion, km/s
class LineMultiGauss final : public Component {
  public:
    /// `components` counts the core. Throws ConfigError below 1.
    explicit LineMultiGauss(std::size_t components);
    [[nodiscard]] std::string_view type() const override { return "Line_MultiGauss"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return table_; }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] bool gaussian_lines() const override { return true; }
    [[nodiscard]] std::vector<ComponentPart> parts(std::span<const double> values) const override;

  private:
    std::vector<ParameterSpec> table_;
};

/// Line_MultiGauss_doublet: two lines of one profile, peaks amp_c0 and amp_c1 at wavec0 and wavec1; shift, width and winds are
/// shared.
class LineMultiGaussDoublet final : public Component {
  public:
    /// `components` counts the core. Throws ConfigError below 1.
    explicit LineMultiGaussDoublet(std::size_t components);
    [[nodiscard]] std::string_view type() const override { return "Line_MultiGauss_doublet"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return table_; }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] bool gaussian_lines() const override { return true; }
    [[nodiscard]] std::vector<ComponentPart> parts(std::span<const double> values) const override;

  private:
    std::vector<ParameterSpec> table_;
};

}  // namespace aliquot::spectra
