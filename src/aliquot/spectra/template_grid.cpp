#include "aliquot/spectra/template_grid.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/units.hpp"
#include "aliquot/io/text_table.hpp"

namespace aliquot::spectra {

namespace {

constexpr double padding_km_s = 100000.0;

void normalise(std::span<const double> wavelength, std::vector<double>& value, const std::string& name) {
    double peak = 0.0;
    double peak_anywhere = 0.0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (wavelength[i] > 4500.0 && wavelength[i] < 5500.0) peak = std::max(peak, value[i]);
        peak_anywhere = std::max(peak_anywhere, value[i]);
    }
    if (peak <= 0.0) peak = peak_anywhere;
    if (!(peak > 0.0) || !std::isfinite(peak))
        throw DataError(format("template {}: no positive flux (there is nothing to normalise by): give another template", name));
    for (double& v : value)
        v /= peak;
}

}  // namespace

TemplateGrid::TemplateGrid(std::vector<double> wavelength_angstrom, std::vector<double> value, double channel_km_s)
    : wavelength_(std::move(wavelength_angstrom)), value_(std::move(value)), channel_km_s_(channel_km_s) {
    ALIQUOT_EXPECT(wavelength_.size() == value_.size() && value_.size() > 1);
    std::size_t first = 0;
    std::size_t end = value_.size();
    while (first + 1 < end && value_[first] == 0.0)
        ++first;
    while (end > first + 1 && value_[end - 1] == 0.0)
        --end;
    broadening_ = std::make_shared<const BroadeningTable>(value_, first, end);
}

TemplateSpectrum read_template(const std::string& path) {
    const io::TextTable table = io::read_text_table(path);
    if (table.columns.size() < 2)
        throw DataError(format("{}: {} column(s) (a template needs wavelength and flux density): give a file with two columns",
                               path, table.columns.size()));
    TemplateSpectrum spectrum{path, table.columns[0], table.columns[1], {}};
    if (spectrum.wavelength_angstrom.size() < 8)
        throw DataError(
            format("{}: {} rows (a template needs at least 8): give a longer one", path, spectrum.wavelength_angstrom.size()));
    std::size_t negative = 0;
    for (std::size_t i = 0; i < spectrum.flux.size(); ++i) {
        if (!std::isfinite(spectrum.wavelength_angstrom[i]) || !std::isfinite(spectrum.flux[i]))
            throw DataError(format("{}: row {} is not finite (a template has no missing values): remove the row", path, i + 1));
        if (i > 0 && spectrum.wavelength_angstrom[i] <= spectrum.wavelength_angstrom[i - 1])
            throw DataError(format("{}: row {} has wavelength {} after {} (wavelengths must increase): sort the file", path,
                                   i + 1, spectrum.wavelength_angstrom[i], spectrum.wavelength_angstrom[i - 1]));
        if (spectrum.flux[i] < 0.0) {
            spectrum.flux[i] = 0.0;
            ++negative;
        }
    }
    if (negative > 0) spectrum.notes.push_back(format("template {}: {} negative value(s) set to zero", path, negative));
    return spectrum;
}

TemplateGrid tabulated_grid(const TemplateSpectrum& spectrum) {
    std::vector<double> value = spectrum.flux;
    normalise(spectrum.wavelength_angstrom, value, spectrum.name);
    const double w0 = spectrum.wavelength_angstrom[0];
    return {spectrum.wavelength_angstrom, std::move(value), (spectrum.wavelength_angstrom[1] - w0) / w0 * speed_of_light_km_s};
}

namespace {

/// A spectrum in even steps of ln(wavelength), flux density conserved.
struct Rebinned {
    double log_low;  ///< of the first border
    double step;
    std::vector<double> value;

    [[nodiscard]] double channel_km_s() const { return step * speed_of_light_km_s; }
    [[nodiscard]] double centre(double channel) const { return std::exp(log_low + (channel + 0.5) * step); }
};

/// Pixel borders are half-way, the end ones extrapolated by half a pixel. Channels are `channel_km_s` wide, as many as fit; with
/// 0 there are as many as pixels, from end to end.
Rebinned rebin(const TemplateSpectrum& spectrum, double channel_km_s) {
    const std::vector<double>& w = spectrum.wavelength_angstrom;
    const std::size_t n = w.size();
    std::vector<double> border(n + 1);
    border[0] = w[0] - 0.5 * (w[1] - w[0]);
    for (std::size_t i = 1; i < n; ++i)
        border[i] = 0.5 * (w[i - 1] + w[i]);
    border[n] = w[n - 1] + 0.5 * (w[n - 1] - w[n - 2]);

    const double range = std::log(border[n] / border[0]);
    Rebinned out{std::log(border[0]), range / static_cast<double>(n), std::vector<double>(n)};
    if (channel_km_s > 0.0) {
        out.step = channel_km_s / speed_of_light_km_s;
        const auto fitting = static_cast<std::size_t>(range / out.step);
        if (fitting < 2)
            throw ConfigError(format("velscale = {} km/s (template {} is no longer than two such channels): lower it",
                                     channel_km_s, spectrum.name));
        out.value.resize(fitting);
    }
    const std::size_t channels = out.value.size();
    const auto new_border = [&](std::size_t k) { return std::exp(out.log_low + static_cast<double>(k) * out.step); };
    std::size_t pixel = 0;
    for (std::size_t k = 0; k < channels; ++k) {
        const double low = k == 0 ? border[0] : new_border(k);
        const double high = channel_km_s > 0.0 || k + 1 < channels ? std::min(new_border(k + 1), border[n]) : border[n];
        while (pixel + 1 < n && border[pixel + 1] <= low)
            ++pixel;
        double integral = 0.0;
        for (std::size_t i = pixel; i < n && border[i] < high; ++i)
            integral += spectrum.flux[i] * (std::min(high, border[i + 1]) - std::max(low, border[i]));
        out.value[k] = integral / (high - low);
    }
    return out;
}

}  // namespace

TemplateGrid logarithmic_grid(const TemplateSpectrum& spectrum) {
    const Rebinned rebinned = rebin(spectrum, 0.0);
    const std::size_t n = rebinned.value.size();
    const auto pad = static_cast<std::size_t>(std::ceil(padding_km_s / rebinned.channel_km_s()));
    std::vector<double> wavelength(n + 2 * pad);
    std::vector<double> value(n + 2 * pad, 0.0);
    std::copy(rebinned.value.begin(), rebinned.value.end(), value.begin() + static_cast<std::ptrdiff_t>(pad));
    for (std::size_t k = 0; k < wavelength.size(); ++k)
        wavelength[k] = rebinned.centre(static_cast<double>(k) - static_cast<double>(pad));
    normalise(wavelength, value, spectrum.name);
    return {std::move(wavelength), std::move(value), rebinned.channel_km_s()};
}

TemplateGrid star_grid(const TemplateSpectrum& spectrum, double channel_km_s) {
    Rebinned rebinned = rebin(spectrum, channel_km_s);
    const double highest = *std::max_element(rebinned.value.begin(), rebinned.value.end());
    if (!(highest > 0.0) || !std::isfinite(highest))
        throw DataError(
            format("template {}: no positive flux (there is nothing to normalise by): give another template", spectrum.name));
    std::vector<double> wavelength;
    for (std::size_t k = 0; k < rebinned.value.size(); ++k) {
        wavelength.push_back(rebinned.centre(static_cast<double>(k)));
        rebinned.value[k] /= highest;
    }
    return {std::move(wavelength), std::move(rebinned.value), rebinned.channel_km_s()};
}

std::vector<double> gaussian_filter(std::span<const double> value, double sigma) {
    const std::vector<double> weights = gaussian_weights(sigma, filter_radius(sigma));
    std::vector<double> out(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        double total = weights[0] * value[i];
        for (std::size_t k = 1; k < weights.size(); ++k) {
            const auto at = static_cast<std::ptrdiff_t>(i);
            const auto offset = static_cast<std::ptrdiff_t>(k);
            total += weights[k] *
                     (value[mirrored_index(at - offset, value.size())] + value[mirrored_index(at + offset, value.size())]);
        }
        out[i] = total;
    }
    return out;
}

void project(const TemplateGrid& grid, std::span<const double> value, double amplitude, double stretch,
             std::span<const double> wavelength, std::span<double> flux) {
    const auto w = grid.wavelength();
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double x = wavelength[i];
        if (x <= w.front() * stretch) {
            flux[i] = amplitude * value.front();
        } else if (x >= w.back() * stretch) {
            flux[i] = amplitude * value.back();
        } else {
            const auto above =
                std::upper_bound(w.begin(), w.end(), x, [&](double at, double knot) { return at < knot * stretch; });
            const auto j = static_cast<std::size_t>(above - w.begin()) - 1;
            const double slope = (value[j + 1] - value[j]) / (w[j + 1] * stretch - w[j] * stretch);
            flux[i] = amplitude * (value[j] + slope * (x - w[j] * stretch));
        }
    }
}

}  // namespace aliquot::spectra
