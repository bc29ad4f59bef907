#pragma once

#include <memory>

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// A component made of Gaussian lines, seen by an instrument whose line-spread function is a Gaussian of constant width in
/// wavelength: the closed form of convolve_lsf. A Gaussian of dispersion s and peak A becomes one of dispersion sqrt(s^2 + w^2)
/// and peak A s / sqrt(s^2 + w^2): its flux stays.
class Convolved final : public Component {
  public:
    /// `lsf_sigma` is w, Angstrom, positive. Throws ConfigError where `lines` is not made of Gaussian lines.
    Convolved(std::shared_ptr<const Component> lines, double lsf_sigma);
    [[nodiscard]] std::string_view type() const override { return lines_->type(); }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return lines_->parameters(); }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] bool gaussian_lines() const override { return true; }
    [[nodiscard]] const Component& intrinsic() const override { return *lines_; }
    [[nodiscard]] std::vector<ComponentPart> parts(std::span<const double> values) const override;

  private:
    std::shared_ptr<const Component> lines_;
    double lsf_sigma_;
};

}  // namespace aliquot::spectra
