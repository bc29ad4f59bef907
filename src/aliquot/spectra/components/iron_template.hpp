#pragma once

#include "aliquot/spectra/component.hpp"
#include "aliquot/spectra/template_grid.hpp"

namespace aliquot::spectra {

/// IronTemplate, the published CPU form: amplitude T(x / (1 + z)), T the template on its own grid (maximum 1 in 4500-5500
/// Angstrom) broadened by a Gaussian of sqrt(stddev^2 - sigma_intrinsic^2), not at all where stddev is below the template's own
/// width. Channels count as wide as the first one, and beyond the template its edge values are held.
///
/// amplitude  peak flux density of the unbroadened template
/// stddev     dispersion, km/s
/// z          redshift of the template (free by default)
class IronTemplate final : public Component {
  public:
    /// `intrinsic_fwhm_km_s`: width of the lines in the template itself, 800 for Park et al. (2022), 900 for Boroson & Green
    /// (1992).
    IronTemplate(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s);
    [[nodiscard]] std::string_view type() const override { return "IronTemplate"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;

  private:
    TemplateSpectrum spectrum_;
    TemplateGrid grid_;
    double intrinsic_sigma_;
};

/// IronTemplate_new: amplitude T(x / (1 + z + dv / c)), T on an even grid of ln(wavelength) padded with zeros, so that the
/// broadening is the same velocity everywhere and the model fades out where the template ends.
///
/// amplitude  peak flux density of the unbroadened template
/// sigma      dispersion, km/s; the template's own width is subtracted in quadrature
/// z          redshift of the template (fixed by default)
/// dv         velocity shift, km/s
class IronTemplateNew final : public Component {
  public:
    IronTemplateNew(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s);
    [[nodiscard]] std::string_view type() const override { return "IronTemplate_new"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;

    /// The grid in use; for tests against the published one.
    [[nodiscard]] const TemplateGrid& grid() const { return grid_; }

  private:
    TemplateSpectrum spectrum_;
    TemplateGrid grid_;
    double intrinsic_sigma_;
};

/// IronTemplate_tied: the template convolved with a kernel of a broad line's shape, a core and winds, to whose parameters its own
/// are tied: amplitude sum_k W_k T_k(x / (1 + z + d_k / c)), T_k as in IronTemplate_new with the dispersion of Gaussian k, and
/// weights W_k = a_k s_k / sum_j a_j s_j by area, because a kernel of the line's shape has unit area.
///
/// amplitude        peak flux density of the unbroadened template
/// z                redshift of the template (fixed by default)
/// dv_c, sigma_c    shift and dispersion of the core, km/s
/// amp_wi           peak of wind i relative to the core's
/// dv_wi, sigma_wi  its shift relative to the core, and its dispersion, km/s
class IronTemplateTied final : public Component {
  public:
    /// `components` counts the core. Throws ConfigError below 1.
    IronTemplateTied(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s, std::size_t components);
    [[nodiscard]] std::string_view type() const override { return "IronTemplate_tied"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return table_; }
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;
    void emit(std::span<const double> values, TermSink& terms) const override;
    [[nodiscard]] std::vector<std::string> coverage_warnings(double low, double high) const override;

  private:
    struct Piece {
        double amplitude;
        double sigma_channels;
        double stretch;
    };
    [[nodiscard]] std::vector<Piece> pieces(std::span<const double> values) const;

    TemplateSpectrum spectrum_;
    TemplateGrid grid_;
    double intrinsic_sigma_;
    std::vector<ParameterSpec> table_;
};

}  // namespace aliquot::spectra
