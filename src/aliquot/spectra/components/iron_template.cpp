#include "aliquot/spectra/components/iron_template.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

namespace {

constexpr double narrowest_sigma = 900.0 / fwhm_per_sigma;

double intrinsic_sigma(const std::string& name, double fwhm_km_s) {
    if (!(fwhm_km_s > 0.0) || !std::isfinite(fwhm_km_s))
        throw ConfigError(
            format("intrinsic_fwhm = {} for template {} (a width is positive): give the template's own line width in km/s",
                   fwhm_km_s, name));
    return fwhm_km_s / fwhm_per_sigma;
}

double sigma_channels(double sigma, double intrinsic, double channel_km_s) {
    return sigma < intrinsic ? 0.0 : std::sqrt(sigma * sigma - intrinsic * intrinsic) / channel_km_s;
}

std::vector<std::string> gaps(const TemplateSpectrum& spectrum, std::string_view beyond, double low, double high) {
    std::vector<std::string> all;
    const auto& w = spectrum.wavelength_angstrom;
    if (low < w.front())
        all.push_back(format("template {} begins at {:.1f} Angstrom: from {:.1f} to {:.1f} the model {}", spectrum.name,
                             w.front(), low, std::min(high, w.front()), beyond));
    if (high > w.back())
        all.push_back(format("template {} ends at {:.1f} Angstrom: from {:.1f} to {:.1f} the model {}", spectrum.name, w.back(),
                             std::max(low, w.back()), high, beyond));
    for (std::size_t i = 1; i < w.size(); ++i) {
        const double step_km_s = (w[i] - w[i - 1]) / w[i - 1] * speed_of_light_km_s;
        if (step_km_s > 2000.0 && w[i] > low && w[i - 1] < high)
            all.push_back(format("template {} has no data from {:.1f} to {:.1f} Angstrom: the model is interpolated there",
                                 spectrum.name, w[i - 1], w[i]));
    }
    return all;
}

}  // namespace

IronTemplate::IronTemplate(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s)
    : spectrum_(spectrum),
      grid_(tabulated_grid(spectrum)),
      intrinsic_sigma_(intrinsic_sigma(spectrum.name, intrinsic_fwhm_km_s)) {}

std::span<const ParameterSpec> IronTemplate::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"stddev", narrowest_sigma, narrowest_sigma, unbounded, false, "km/s"},
                                                  {"z", 0.0, 0.0, 10.0, false, ""}};
    return table;
}

void IronTemplate::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    const double sigma = sigma_channels(values[1], intrinsic_sigma_, grid_.channel_km_s());
    project(grid_, gaussian_filter(grid_.value(), sigma), values[0], 1.0 + values[2], wavelength, flux);
}

void IronTemplate::emit(std::span<const double> values, TermSink& terms) const {
    terms.broadened(grid_, sigma_channels(values[1], intrinsic_sigma_, grid_.channel_km_s()), values[0], 1.0 + values[2]);
}

std::vector<std::string> IronTemplate::coverage_warnings(double low, double high) const {
    return gaps(spectrum_, "holds the template's edge value", low, high);
}

IronTemplateNew::IronTemplateNew(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s)
    : spectrum_(spectrum),
      grid_(logarithmic_grid(spectrum)),
      intrinsic_sigma_(intrinsic_sigma(spectrum.name, intrinsic_fwhm_km_s)) {}

std::span<const ParameterSpec> IronTemplateNew::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"sigma", narrowest_sigma, narrowest_sigma, unbounded, false, "km/s"},
                                                  {"z", 0.0, -unbounded, unbounded, true, ""},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"}};
    return table;
}

void IronTemplateNew::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    const double sigma = sigma_channels(values[1], intrinsic_sigma_, grid_.channel_km_s());
    const double stretch = 1.0 + values[2] + values[3] / speed_of_light_km_s;
    project(grid_, gaussian_filter(grid_.value(), sigma), values[0], stretch, wavelength, flux);
}

void IronTemplateNew::emit(std::span<const double> values, TermSink& terms) const {
    const double stretch = 1.0 + values[2] + values[3] / speed_of_light_km_s;
    terms.broadened(grid_, sigma_channels(values[1], intrinsic_sigma_, grid_.channel_km_s()), values[0], stretch);
}

std::vector<std::string> IronTemplateNew::coverage_warnings(double low, double high) const {
    return gaps(spectrum_, "fades to zero", low, high);
}

IronTemplateTied::IronTemplateTied(const TemplateSpectrum& spectrum, double intrinsic_fwhm_km_s, std::size_t components)
    : spectrum_(spectrum),
      grid_(logarithmic_grid(spectrum)),
      intrinsic_sigma_(intrinsic_sigma(spectrum.name, intrinsic_fwhm_km_s)) {
    if (components < 1)
        throw ConfigError("IronTemplate_tied without components (its kernel has 1 or more Gaussians): give n_components");
    table_ = {{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
              {"z", 0.0, -unbounded, unbounded, true, ""},
              {"dv_c", 0.0, -2000.0, 2000.0, false, "km/s"},
              {"sigma_c", narrowest_sigma, narrowest_sigma, unbounded, false, "km/s"}};
    for (std::size_t i = 0; i + 1 < components; ++i) {
        table_.push_back({format("amp_w{}", i), 0.0, 0.0, 1.0, false, ""});
        table_.push_back({format("dv_w{}", i), 0.0, -8000.0, 8000.0, false, "km/s"});
        table_.push_back({format("sigma_w{}", i), narrowest_sigma, 0.0, 10000.0, false, "km/s"});
    }
}

std::vector<IronTemplateTied::Piece> IronTemplateTied::pieces(std::span<const double> values) const {
    std::vector<Piece> all;
    double area = 0.0;
    for (std::size_t first = 1; first < values.size(); first += 3) {
        const bool core = first == 1;
        const double peak = core ? 1.0 : values[first];
        const double dv = values[2] + (core ? 0.0 : values[first + 1]);
        const double sigma = values[first + 2];
        area += peak * sigma;
        all.push_back({values[0] * peak * sigma, sigma_channels(sigma, intrinsic_sigma_, grid_.channel_km_s()),
                       1.0 + values[1] + dv / speed_of_light_km_s});
    }
    for (Piece& piece : all)
        piece.amplitude /= area;
    return all;
}

void IronTemplateTied::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    std::vector<double> one(flux.size());
    for (const Piece& piece : pieces(values)) {
        project(grid_, gaussian_filter(grid_.value(), piece.sigma_channels), piece.amplitude, piece.stretch, wavelength, one);
        for (std::size_t i = 0; i < flux.size(); ++i)
            flux[i] += one[i];
    }
}

void IronTemplateTied::emit(std::span<const double> values, TermSink& terms) const {
    for (const Piece& piece : pieces(values))
        terms.broadened(grid_, piece.sigma_channels, piece.amplitude, piece.stretch);
}

std::vector<std::string> IronTemplateTied::coverage_warnings(double low, double high) const {
    return gaps(spectrum_, "fades to zero", low, high);
}

}  // namespace aliquot::spectra
