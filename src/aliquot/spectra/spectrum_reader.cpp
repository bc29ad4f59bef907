#include "aliquot/spectra/spectrum_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <string_view>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/io/text_table.hpp"

namespace aliquot::spectra {

namespace {

constexpr double bad = std::numeric_limits<double>::quiet_NaN();

const std::vector<std::string> usual_wavelengths{"wavelength",          "wave",   "lambda",       "lam", "wl",
                                                 "wavelength_angstrom", "loglam", "spectral_axis"};
const std::vector<std::string> usual_fluxes{"flux", "flam", "f_lambda", "flux_density", "spec", "fnu"};
const std::vector<std::string> usual_errors{"error", "err",         "flux_error", "e_flux",
                                            "sigma", "uncertainty", "fluxerr",    "flux_err"};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

/// The column the user named, or the first usual one that is there; "" where there is none.
std::string choose(const std::string& wanted, const std::vector<std::string>& usual, const std::vector<std::string>& columns) {
    if (!wanted.empty()) return wanted;
    for (const std::string& name : usual) {
        for (const std::string& column : columns) {
            if (lower(column) == name) return column;
        }
    }
    return "";
}

std::string require_column(const std::string& chosen, const char* what, const std::vector<std::string>& columns,
                           const std::string& path) {
    if (!chosen.empty()) return chosen;
    std::string known;
    for (const std::string& column : columns)
        known += (known.empty() ? "" : ", ") + column;
    throw DataError(format("{}: no column is recognised as {} (columns: {}): name it with input.{}", path, what, known, what));
}

double angstrom_per_unit(const std::string& unit, const std::string& path) {
    const std::string name = lower(unit);
    if (name.empty() || name == "angstrom" || name == "angstroms" || name == "agstrom" || name == "aa" || name == "a" ||
        name == "0.1nm")
        return 1.0;
    if (name == "nm" || name == "nanometer" || name == "nanometre") return 10.0;
    if (name == "um" || name == "micron" || name == "microns" || name == "micrometer" || name == "micrometre") return 1e4;
    throw DataError(
        format("{}: wavelength unit \"{}\" (not one of angstrom, nm, micron): set input.wavelength_unit", path, unit));
}

void to_angstrom(Spectrum& s, const std::string& file_unit, const ReadOptions& options, bool logarithmic,
                 const std::string& path) {
    if (options.log_wavelength.value_or(logarithmic)) {
        for (double& w : s.wavelength_angstrom)
            w = std::pow(10.0, w);
    }
    const std::string& unit = options.wavelength_unit.empty() ? file_unit : options.wavelength_unit;
    const bool file_log = lower(unit).starts_with("log");
    const double factor = file_log ? 1.0 : angstrom_per_unit(unit, path);
    const auto longest = std::max_element(s.wavelength_angstrom.begin(), s.wavelength_angstrom.end());
    constexpr double suspicious = 100.0;
    if (unit.empty() && longest != s.wavelength_angstrom.end() && *longest < suspicious)
        throw DataError(
            format("{}: wavelengths up to {:g} and no unit (too short for Angstrom): set input.wavelength_unit", path, *longest));
    if (unit.empty()) s.history.emplace_back("the file gives no wavelength unit: Angstrom assumed");
    if (factor == 1.0) return;
    for (double& w : s.wavelength_angstrom)
        w *= factor;
    s.history.push_back(format("wavelengths converted from {} to Angstrom", unit));
}

Spectrum read_sdss(const io::FitsReader& file, const ReadOptions& options) {
    const std::size_t hdu = options.hdu.value_or(1);
    Spectrum s;
    s.wavelength_angstrom = file.column(hdu, "loglam");
    for (double& w : s.wavelength_angstrom)
        w = std::pow(10.0, w);
    s.flux = file.column(hdu, "flux");
    const std::vector<double> inverse_variance = file.column(hdu, "ivar");
    std::size_t unusable = 0;
    for (const double value : inverse_variance) {
        unusable += value > 0.0 ? 0 : 1;
        s.error.push_back(value > 0.0 ? 1.0 / std::sqrt(value) : bad);
    }
    if (unusable > 0) s.history.push_back(format("{} pixels have zero inverse variance", unusable));
    if (options.mask_bits != 0) {
        const std::vector<std::int64_t> mask = file.column_integers(hdu, "and_mask");
        std::size_t masked = 0;
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if ((static_cast<std::uint64_t>(mask[i]) & options.mask_bits) == 0) continue;
            s.error[i] = bad;
            ++masked;
        }
        s.history.push_back(format("{} pixels masked by and_mask bits {:#x}", masked, options.mask_bits));
    }
    s.flux_unit = file.key_string(0, "BUNIT").value_or("1e-17 erg/cm^2/s/Ang");
    if (file.hdu_count() > 2 && file.kind(2) == io::FitsKind::table && !choose("", {"z"}, file.column_names(2)).empty()) {
        const std::vector<double> redshift = file.column(2, "z");
        if (!redshift.empty()) s.redshift = redshift[0];
    }
    return s;
}

Spectrum read_image(const io::FitsReader& file, const ReadOptions& options) {
    const std::size_t hdu = options.hdu.value_or(0);
    const std::vector<std::size_t> shape = file.shape(hdu);
    const auto longer = std::count_if(shape.begin(), shape.end(), [](std::size_t n) { return n > 1; });
    if (longer != 1)
        throw DataError(format("{}: HDU {} is no one-dimensional image ({} axes longer than 1): name another with input.hdu",
                               file.path(), hdu, longer));
    const auto start = file.key_double(hdu, "CRVAL1");
    auto step = file.key_double(hdu, "CD1_1");
    if (!step) step = file.key_double(hdu, "CDELT1");
    if (!start || !step || *step == 0.0)
        throw DataError(
            format("{}: HDU {} has no wavelength axis (CRVAL1 with CD1_1 or CDELT1 is missing or zero): convert it to a table",
                   file.path(), hdu));
    const double reference = file.key_double(hdu, "CRPIX1").value_or(1.0);
    const std::string type = lower(file.key_string(hdu, "CTYPE1").value_or(""));
    const bool logarithmic = file.key_double(hdu, "DC-FLAG").value_or(0.0) == 1.0 || type.find("log") != std::string::npos;
    Spectrum s;
    s.flux = file.image(hdu);
    for (std::size_t i = 0; i < s.flux.size(); ++i)
        s.wavelength_angstrom.push_back(*start + *step * (static_cast<double>(i) + 1.0 - reference));
    to_angstrom(s, file.key_string(hdu, "CUNIT1").value_or(""), options, logarithmic, file.path());
    s.flux_unit = file.key_string(hdu, "BUNIT").value_or("");
    return s;
}

Spectrum read_table(const io::FitsReader& file, const ReadOptions& options) {
    std::size_t hdu = options.hdu.value_or(0);
    if (!options.hdu) {
        while (hdu < file.hdu_count() && file.kind(hdu) != io::FitsKind::table)
            ++hdu;
        if (hdu == file.hdu_count()) throw DataError(format("{}: no table in this FITS file: set input.format", file.path()));
    }
    const std::vector<std::string> columns = file.column_names(hdu);
    const std::string wavelength =
        require_column(choose(options.wavelength, usual_wavelengths, columns), "wavelength", columns, file.path());
    const std::string flux = require_column(choose(options.flux, usual_fluxes, columns), "flux", columns, file.path());
    const std::string error = choose(options.error, usual_errors, columns);
    Spectrum s;
    s.wavelength_angstrom = file.column(hdu, wavelength);
    s.flux = file.column(hdu, flux);
    if (!error.empty()) s.error = file.column(hdu, error);
    s.flux_unit = file.column_unit(hdu, flux);
    to_angstrom(s, file.column_unit(hdu, wavelength), options, lower(wavelength) == "loglam", file.path());
    return s;
}

Spectrum read_text(const std::string& path, const ReadOptions& options) {
    const io::TextTable table = io::read_text_table(path);
    std::string wavelength = choose(options.wavelength, usual_wavelengths, table.names);
    std::string flux = choose(options.flux, usual_fluxes, table.names);
    std::string error = choose(options.error, usual_errors, table.names);
    if (wavelength.empty() && flux.empty() && table.columns.size() >= 2 && !table.named) {
        wavelength = "1";
        flux = "2";
        if (table.columns.size() >= 3 && error.empty()) error = "3";
    }
    wavelength = require_column(wavelength, "wavelength", table.names, path);
    flux = require_column(flux, "flux", table.names, path);
    Spectrum s;
    const std::size_t w = table.find(wavelength, path);
    const std::size_t f = table.find(flux, path);
    s.wavelength_angstrom = table.columns[w];
    s.flux = table.columns[f];
    s.flux_unit = table.units[f];
    if (!error.empty()) s.error = table.columns[table.find(error, path)];
    to_angstrom(s, table.units[w], options, lower(table.names[w]) == "loglam", path);
    return s;
}

/// Increasing wavelengths; descending files are turned round.
void sort_by_wavelength(Spectrum& s, const std::string& path) {
    std::vector<std::size_t> order(s.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<double>& w = s.wavelength_angstrom;
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (!(w[i] > 0.0) || !std::isfinite(w[i]))
            throw DataError(format("{}: wavelength {} in row {} (wavelengths are positive numbers): check columns and units",
                                   path, w[i], i + 1));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return w[a] < w[b]; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (w[order[i]] == w[order[i - 1]])
            throw DataError(format("{}: wavelength {} appears twice (rows {} and {}): merge the spectra first", path, w[order[i]],
                                   order[i - 1] + 1, order[i] + 1));
    }
    if (std::is_sorted(order.begin(), order.end())) return;
    const auto reorder = [&](std::vector<double>& values) {
        if (values.empty()) return;
        std::vector<double> sorted;
        for (const std::size_t i : order)
            sorted.push_back(values[i]);
        values = std::move(sorted);
    };
    reorder(s.wavelength_angstrom);
    reorder(s.flux);
    reorder(s.error);
    s.history.emplace_back("pixels sorted by wavelength");
}

bool has_sdss_columns(const io::FitsReader& file) {
    if (file.hdu_count() < 2 || file.kind(1) != io::FitsKind::table) return false;
    const std::vector<std::string> columns = file.column_names(1);
    const auto has = [&](const char* name) {
        return std::any_of(columns.begin(), columns.end(), [&](const std::string& column) { return lower(column) == name; });
    };
    return has("loglam") && has("ivar") && has("flux");
}

bool looks_like_fits(const std::string& path) {
    std::array<char, 9> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    const std::string_view bytes(start.data(), start.size());
    return bytes == "SIMPLE  =" || bytes.starts_with("\x1f\x8b");
}

}  // namespace

Spectrum read_spectrum(const std::string& path, const ReadOptions& options) {
    Spectrum s;
    SpectrumFormat chosen = options.format;
    if (chosen == SpectrumFormat::ascii || (chosen == SpectrumFormat::automatic && !looks_like_fits(path))) {
        s = read_text(path, options);
        chosen = SpectrumFormat::ascii;
    } else {
        const io::FitsReader file(path);
        if (chosen == SpectrumFormat::automatic) {
            const std::size_t hdu = options.hdu.value_or(0);
            const bool image = file.kind(hdu) == io::FitsKind::image && !file.shape(hdu).empty();
            chosen = has_sdss_columns(file) && options.hdu.value_or(1) == 1 ? SpectrumFormat::sdss
                     : image                                                ? SpectrumFormat::fits_image
                                                                            : SpectrumFormat::fits_table;
        }
        s = chosen == SpectrumFormat::sdss         ? read_sdss(file, options)
            : chosen == SpectrumFormat::fits_image ? read_image(file, options)
                                                   : read_table(file, options);
    }
    if (s.flux.size() != s.size() || (!s.error.empty() && s.error.size() != s.size()))
        throw DataError(format("{}: columns of different length: give a table with one row per pixel", path));
    sort_by_wavelength(s, path);
    s.source = path;
    s.frame = options.frame;
    s.medium = options.medium.value_or(Medium::vacuum);
    const bool stated = options.medium.has_value() || chosen == SpectrumFormat::sdss;
    s.history.insert(s.history.begin(), format("read {} pixels from {}; {} wavelengths{}, {} frame", s.size(), path,
                                               s.medium == Medium::vacuum ? "vacuum" : "air", stated ? "" : " (assumed)",
                                               s.frame == Frame::rest ? "rest" : "observed"));
    return s;
}

SpectrumFormat parse_spectrum_format(const std::string& name) {
    static const std::vector<std::string> names{"auto", "sdss", "fits-image", "fits-table", "ascii"};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw ConfigError(format("format = \"{}\" (unknown){}", name, suggest(name, names)));
    return static_cast<SpectrumFormat>(found - names.begin());
}

}  // namespace aliquot::spectra
