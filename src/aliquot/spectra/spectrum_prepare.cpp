#include "aliquot/spectra/spectrum_prepare.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

namespace {

constexpr double ccm89_shortest = 1000.0;
constexpr double ccm89_longest = 1e4 / 0.3;

/// Refractive index of standard air as a function of the vacuum wavenumber.
double refraction(double vacuum_angstrom) {
    const double s2 = 1e8 / (vacuum_angstrom * vacuum_angstrom);
    return 1.0 + 6.4328e-5 + 2.94981e-2 / (146.0 - s2) + 2.5540e-4 / (41.0 - s2);
}

double polynomial(std::span<const double> coefficients, double x) {
    double value = 0.0;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c)
        value = value * x + *c;
    return value;
}

template <typename Keep>
std::size_t keep_pixels(Spectrum& s, const Keep& keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (!keep(i)) continue;
        s.wavelength_angstrom[kept] = s.wavelength_angstrom[i];
        s.flux[kept] = s.flux[i];
        if (!s.error.empty()) s.error[kept] = s.error[i];
        ++kept;
    }
    const std::size_t dropped = s.size() - kept;
    s.wavelength_angstrom.resize(kept);
    s.flux.resize(kept);
    if (!s.error.empty()) s.error.resize(kept);
    return dropped;
}

void require_range(const char* key, const std::pair<double, double>& range) {
    if (range.first < range.second) return;
    throw ConfigError(format("{} = [{}, {}] ({}): {}", key, range.first, range.second,
                             range.first > range.second ? "low end above high end" : "empty or not a number",
                             range.first > range.second ? "swap the two values" : "give two numbers, the low end first"));
}

void require_pixels(const Spectrum& s, const std::string& after, const std::string& range_before) {
    if (s.size() > 0) return;
    throw DataError(
        format("{}: no pixel left after {} (the spectrum covers {}): change window or masks", s.source, after, range_before));
}

std::string range_of(const Spectrum& s) {
    return s.size() == 0 ? "nothing"
                         : format("{:.1f} to {:.1f} Angstrom", s.wavelength_angstrom.front(), s.wavelength_angstrom.back());
}

/// The unit in which `scale` times the numbers of `unit` say the same: the number in front is divided by `scale`.
std::string scaled_unit(const std::string& unit, double scale) {
    if (unit.empty()) return unit;
    double number = 1.0;
    const char* const end = unit.data() + unit.size();
    const auto [rest, fault] = std::from_chars(unit.data(), end, number);
    // Other notations of a number, such as 10**(-17), stay as they are behind the new one.
    const bool numbered = fault == std::errc{} && number > 0.0 && rest != end && *rest == ' ';
    const std::string name = numbered ? std::string(rest + 1, end) : unit;
    const std::string factor = format("{:.6g}", (numbered ? number : 1.0) / scale);
    return factor == "1" ? name : factor + " " + name;
}

void scale_flux(Spectrum& s, const PrepareOptions& options) {
    if (options.flux_scale == 1.0) {
        if (!options.flux_unit.empty()) s.flux_unit = options.flux_unit;
        return;
    }
    if (!(options.flux_scale > 0.0) || !std::isfinite(options.flux_scale))
        throw ConfigError(format("flux_scale = {} (a factor is positive and finite): change it", options.flux_scale));
    for (double& f : s.flux)
        f *= options.flux_scale;
    for (double& e : s.error)
        e *= options.flux_scale;
    s.flux_scale = options.flux_scale;
    s.flux_unit = options.flux_unit.empty() ? scaled_unit(s.flux_unit, s.flux_scale) : options.flux_unit;
    s.history.push_back(format("flux multiplied by {:g}", options.flux_scale));
}

void deredden(Spectrum& s, const PrepareOptions& options) {
    if (options.a_v == 0.0) return;
    if (!(options.a_v > 0.0) || options.a_v > 30.0)
        throw ConfigError(format("a_v = {} (extinction is 0 to 30 magnitudes): change it", options.a_v));
    if (!(options.r_v >= 2.0 && options.r_v <= 6.0))
        throw ConfigError(format("r_v = {} (CCM89 holds for 2 to 6): change it", options.r_v));
    if (s.frame == Frame::rest)
        throw ConfigError(
            "a_v with frame = \"rest\" (Galactic extinction acts at observed wavelengths): give the observed spectrum and its "
            "redshift");
    std::size_t outside = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const double w = s.wavelength_angstrom[i];
        const bool covered = w >= ccm89_shortest && w <= ccm89_longest;
        outside += covered ? 0 : 1;
        const double factor =
            covered ? std::pow(10.0, 0.4 * options.a_v * ccm89(w, options.r_v)) : std::numeric_limits<double>::quiet_NaN();
        s.flux[i] *= factor;
        if (!s.error.empty()) s.error[i] *= factor;
    }
    if (outside > 0) s.history.push_back(format("{} pixels outside the range of CCM89 marked as invalid", outside));
    s.history.push_back(format("Galactic extinction removed: A_V = {:g}, R_V = {:g}, CCM89", options.a_v, options.r_v));
}

void convert_medium(Spectrum& s, const PrepareOptions& options) {
    if (!options.convert_to || *options.convert_to == s.medium) return;
    for (double& w : s.wavelength_angstrom)
        w = *options.convert_to == Medium::vacuum ? air_to_vacuum(w) : vacuum_to_air(w);
    s.medium = *options.convert_to;
    s.history.push_back(format("wavelengths converted to {} (Morton 1991)", s.medium == Medium::vacuum ? "vacuum" : "air"));
}

void to_rest_frame(Spectrum& s, const PrepareOptions& options) {
    if (options.redshift) s.redshift = *options.redshift;
    if (!(s.redshift > -1.0) || !std::isfinite(s.redshift))
        throw ConfigError(format("redshift = {} (must be above -1): change it", s.redshift));
    if (s.frame == Frame::rest) return;
    for (double& w : s.wavelength_angstrom)
        w /= 1.0 + s.redshift;
    s.frame = Frame::rest;
    s.history.push_back(format("wavelengths divided by 1 + z, z = {:.6g}", s.redshift));
    if (!options.rescale_flux) return;
    for (double& f : s.flux)
        f *= 1.0 + s.redshift;
    for (double& e : s.error)
        e *= 1.0 + s.redshift;
    s.history.emplace_back("flux multiplied by 1 + z");
}

void apply_window(Spectrum& s, const PrepareOptions& options) {
    if (!options.window) return;
    require_range("window", *options.window);
    const auto [low, high] = *options.window;
    const std::string before = range_of(s);
    keep_pixels(s, [&](std::size_t i) { return s.wavelength_angstrom[i] > low && s.wavelength_angstrom[i] < high; });
    require_pixels(s, format("window = [{}, {}]", low, high), before);
    s.history.push_back(format("window {:g} to {:g} Angstrom: {} pixels", low, high, s.size()));
}

void apply_error_model(Spectrum& s, const PrepareOptions& options) {
    if (!options.error_fraction) {
        if (s.error.empty())
            throw ConfigError(format(
                "{} has no errors (a likelihood needs them): name a column with input.error or set input.error_fraction and "
                "input.error_floor",
                s.source));
        return;
    }
    const double fraction = *options.error_fraction;
    if (!(fraction >= 0.0) || !(options.error_floor >= 0.0) || fraction + options.error_floor == 0.0 ||
        !std::isfinite(fraction + options.error_floor))
        throw ConfigError(
            format("error_fraction = {}, error_floor = {} (errors must be positive): give a positive fraction or floor", fraction,
                   options.error_floor));
    s.error.resize(s.size());
    for (std::size_t i = 0; i < s.size(); ++i)
        s.error[i] = std::max(fraction * std::abs(s.flux[i]), options.error_floor);
    s.history.push_back(format("errors set to max({:g} |flux|, {:g})", fraction, options.error_floor));
}

/// Evenly spaced wavelengths from first to last and linear interpolation, with the arithmetic of numpy's linspace and interp.
void oversample(Spectrum& s, const PrepareOptions& options) {
    const std::size_t k = options.oversample;
    if (k == 1) return;
    if (k == 0 || k > 1000) throw ConfigError(format("oversample = {} (1 to 1000): change it", k));
    if (s.size() < 2) throw DataError(format("{}: oversample needs at least two pixels (there is {})", s.source, s.size()));
    const std::size_t n = s.size() * k;
    const double first = s.wavelength_angstrom.front();
    const double last = s.wavelength_angstrom.back();
    const double step = (last - first) / static_cast<double>(n - 1);
    const double root = std::sqrt(static_cast<double>(k));
    std::vector<double> wavelength(n);
    std::vector<double> flux(n);
    std::vector<double> error(n);
    std::size_t j = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = i + 1 == n ? last : first + static_cast<double>(i) * step;
        while (j + 2 < s.size() && s.wavelength_angstrom[j + 1] <= x)
            ++j;
        const double width = s.wavelength_angstrom[j + 1] - s.wavelength_angstrom[j];
        const auto at = [&](const std::vector<double>& y) {
            if (x == s.wavelength_angstrom[j + 1]) return y[j + 1];
            return (y[j + 1] - y[j]) / width * (x - s.wavelength_angstrom[j]) + y[j];
        };
        wavelength[i] = x;
        flux[i] = at(s.flux);
        error[i] = at(s.error) * root;
    }
    s.wavelength_angstrom = std::move(wavelength);
    s.flux = std::move(flux);
    s.error = std::move(error);
    s.history.push_back(format("resampled to {} times as many pixels by linear interpolation, errors times sqrt({})", k, k));
}

void apply_masks(Spectrum& s, const PrepareOptions& options) {
    for (const auto& range : options.masks) {
        require_range("mask", range);
        const std::string before = range_of(s);
        const std::size_t dropped = keep_pixels(s, [&](std::size_t i) {
            return !(s.wavelength_angstrom[i] > range.first && s.wavelength_angstrom[i] < range.second);
        });
        s.history.push_back(format("mask {:g} to {:g} Angstrom: {} pixels dropped", range.first, range.second, dropped));
        require_pixels(s, format("mask = [{}, {}]", range.first, range.second), before);
    }
}

void drop_invalid(Spectrum& s) {
    const std::size_t before = s.size();
    const std::string range = range_of(s);
    const std::size_t dropped =
        keep_pixels(s, [&](std::size_t i) { return std::isfinite(s.flux[i]) && std::isfinite(s.error[i]) && s.error[i] > 0.0; });
    if (s.size() == 0)
        throw DataError(format(
            "{}: no pixel left: none of {} in {} has a finite flux and a finite, positive error: check columns and error model",
            s.source, before, range));
    if (dropped > 0) s.history.push_back(format("{} pixels dropped: flux or error not finite, or error not positive", dropped));
}

}  // namespace

double air_to_vacuum(double air_angstrom) {
    if (air_angstrom < 2000.0) return air_angstrom;
    double vacuum = air_angstrom;
    for (int i = 0; i < 20; ++i) {
        const double next = air_angstrom * refraction(vacuum);
        if (next == vacuum) break;
        vacuum = next;
    }
    return vacuum;
}

double vacuum_to_air(double vacuum_angstrom) {
    if (vacuum_angstrom < 2000.0) return vacuum_angstrom;
    return vacuum_angstrom / refraction(vacuum_angstrom);
}

double ccm89(double wavelength_angstrom, double r_v) {
    const double x = 1e4 / wavelength_angstrom;
    if (!(wavelength_angstrom >= ccm89_shortest && wavelength_angstrom <= ccm89_longest))
        throw DataError(format("extinction at {} Angstrom (CCM89 covers 1000 to 33 333): choose a narrower file or leave a_v out",
                               wavelength_angstrom));
    double a = 0.0;
    double b = 0.0;
    if (x < 1.1) {
        a = 0.574 * std::pow(x, 1.61);
        b = -0.527 * std::pow(x, 1.61);
    } else if (x < 3.3) {
        constexpr std::array<double, 8> ca{1.0, 0.17699, -0.50447, -0.02427, 0.72085, 0.01979, -0.77530, 0.32999};
        // NOLINTNEXTLINE(modernize-use-std-numbers): the paper's 1.41338 is no square root of 2
        constexpr std::array<double, 8> cb{0.0, 1.41338, 2.28305, 1.07233, -5.38434, -0.62251, 5.30260, -2.09002};
        a = polynomial(ca, x - 1.82);
        b = polynomial(cb, x - 1.82);
    } else if (x < 8.0) {
        const double y = x - 5.9;
        const double fa = x < 5.9 ? 0.0 : -0.04473 * y * y - 0.009779 * y * y * y;
        const double fb = x < 5.9 ? 0.0 : 0.2130 * y * y + 0.1207 * y * y * y;
        a = 1.752 - 0.316 * x - 0.104 / ((x - 4.67) * (x - 4.67) + 0.341) + fa;
        b = -3.090 + 1.825 * x + 1.206 / ((x - 4.62) * (x - 4.62) + 0.263) + fb;
    } else {
        constexpr std::array<double, 4> ca{-1.073, -0.628, 0.137, -0.070};
        constexpr std::array<double, 4> cb{13.670, 4.257, -0.420, 0.374};
        a = polynomial(ca, x - 8.0);
        b = polynomial(cb, x - 8.0);
    }
    return a + b / r_v;
}

Spectrum prepare(Spectrum spectrum, const PrepareOptions& options) {
    if (options.window) require_range("window", *options.window);
    scale_flux(spectrum, options);
    deredden(spectrum, options);
    convert_medium(spectrum, options);
    to_rest_frame(spectrum, options);
    apply_window(spectrum, options);
    apply_error_model(spectrum, options);
    drop_invalid(spectrum);
    oversample(spectrum, options);
    apply_masks(spectrum, options);
    return spectrum;
}

}  // namespace aliquot::spectra
