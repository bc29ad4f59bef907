#include "aliquot/spectra/components/star_spectrum.hpp"

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

namespace {

using Gap = Star::Gap;

constexpr std::size_t shortest_gap = 10;  // pixels
constexpr double least_channels = 1e-6;   // of a dispersion, as in the original

double channels(double sigma, const TemplateGrid& grid) {
    return std::max(sigma / grid.channel_km_s(), least_channels);
}

/// Runs of one value: libraries of stars fill the gaps of their spectra so (Indo-US with 0.0001).
std::vector<Gap> gaps_of(const TemplateSpectrum& star) {
    std::vector<Gap> all;
    for (std::size_t begin = 0; begin < star.flux.size();) {
        std::size_t end = begin + 1;
        while (end < star.flux.size() && star.flux[end] == star.flux[begin])
            ++end;
        if (end - begin >= shortest_gap) all.push_back({star.wavelength_angstrom[begin], star.wavelength_angstrom[end - 1]});
        begin = end;
    }
    return all;
}

void add_coverage(const Star& star, double low, double high, std::vector<std::string>& all) {
    const double first = star.grid.wavelength().front();
    const double last = star.grid.wavelength().back();
    if (low < first)
        all.push_back(format("star {} begins at {:.1f} Angstrom: from {:.1f} to {:.1f} the model holds its edge value", star.name,
                             first, low, std::min(high, first)));
    if (high > last)
        all.push_back(format("star {} ends at {:.1f} Angstrom: from {:.1f} to {:.1f} the model holds its edge value", star.name,
                             last, std::max(low, last), high));
    for (const Gap& gap : star.gaps) {
        if (gap.low < high && gap.high > low)
            all.push_back(
                format("star {} has no data from {:.1f} to {:.1f} Angstrom (its file repeats one value there): mask these "
                       "pixels or take another star",
                       star.name, gap.low, gap.high));
    }
}

Star make_star(const TemplateSpectrum& spectrum, double channel_km_s) {
    return {spectrum.name, star_grid(spectrum, channel_km_s), gaps_of(spectrum)};
}

}  // namespace

StarSpectrum::StarSpectrum(const TemplateSpectrum& star, double channel_km_s) : star_(make_star(star, channel_km_s)) {}

std::span<const ParameterSpec> StarSpectrum::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"sigma", 200.0, 20.0, 6000.0, false, "km/s"},
                                                  {"delta_z", 0.0, -0.001, 0.001, false, ""}};
    return table;
}

void StarSpectrum::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    project(star_.grid, gaussian_filter(star_.grid.value(), channels(values[1], star_.grid)), values[0], 1.0 / (1.0 + values[2]),
            wavelength, flux);
}

void StarSpectrum::emit(std::span<const double> values, TermSink& terms) const {
    terms.broadened(star_.grid, channels(values[1], star_.grid), values[0], 1.0 / (1.0 + values[2]));
}

std::vector<std::string> StarSpectrum::coverage_warnings(double low, double high) const {
    std::vector<std::string> all;
    add_coverage(star_, low, high, all);
    return all;
}

MultiStarSpectrum::MultiStarSpectrum(const std::vector<TemplateSpectrum>& stars, double channel_km_s) {
    if (stars.empty()) throw ConfigError("Multi_StarSpectrum without stars: name at least one in templates");
    for (const TemplateSpectrum& star : stars) {
        table_.push_back({format("amp_{}", stars_.size()), 1.0, 0.0, unbounded, false, "flux"});
        stars_.push_back(make_star(star, channel_km_s));
    }
    table_.push_back({"sigma", 200.0, 20.0, 6000.0, false, "km/s"});
}

void MultiStarSpectrum::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                 std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    std::vector<double> one(flux.size());
    for (std::size_t k = 0; k < stars_.size(); ++k) {
        project(stars_[k].grid, gaussian_filter(stars_[k].grid.value(), channels(values.back(), stars_[k].grid)), values[k], 1.0,
                wavelength, one);
        for (std::size_t i = 0; i < flux.size(); ++i)
            flux[i] += one[i];
    }
}

void MultiStarSpectrum::emit(std::span<const double> values, TermSink& terms) const {
    for (std::size_t k = 0; k < stars_.size(); ++k)
        terms.broadened(stars_[k].grid, channels(values.back(), stars_[k].grid), values[k], 1.0);
}

std::vector<std::string> MultiStarSpectrum::coverage_warnings(double low, double high) const {
    std::vector<std::string> all;
    for (const Star& star : stars_)
        add_coverage(star, low, high, all);
    return all;
}

}  // namespace aliquot::spectra
