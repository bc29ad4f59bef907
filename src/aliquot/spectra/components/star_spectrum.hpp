#pragma once

#include "aliquot/spectra/component.hpp"
#include "aliquot/spectra/template_grid.hpp"

namespace aliquot::spectra {

/// A star as it is broadened, and where its file has no data.
struct Star {
    struct Gap {
        double low;
        double high;
    };
    std::string name;
    TemplateGrid grid;
    std::vector<Gap> gaps;
};

/// StarSpectrum: amplitude T(x (1 + delta_z)), T a star broadened by a Gaussian and divided by its maximum; its edge values are
/// held beyond its ends. A positive delta_z is a blueshift, as in the original, and the star's own width is not subtracted; the
/// filter runs on the whole star, so that the result does not depend on the pixels fitted.
///
/// amplitude  peak flux density of the unbroadened star
/// sigma      dispersion, km/s
/// delta_z    shift
class StarSpectrum final : public Component {
  public:
    /// `channel_km_s` as in star_grid.
    StarSpectrum(const TemplateSpectrum& star, double channel_km_s);
    [[nodiscard]] std::string_view type() const override { return "StarSpectrum"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;

  private:
    Star star_;
};

/// Multi_StarSpectrum: a sum of stars of one dispersion, amp_0, amp_1, ... their peaks.
class MultiStarSpectrum final : public Component {
  public:
    /// Throws ConfigError without stars.
    MultiStarSpectrum(const std::vector<TemplateSpectrum>& stars, double channel_km_s);
    [[nodiscard]] std::string_view type() const override { return "Multi_StarSpectrum"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return table_; }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;

  private:
    std::vector<Star> stars_;
    std::vector<ParameterSpec> table_;
};

}  // namespace aliquot::spectra
