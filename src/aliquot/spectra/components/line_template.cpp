#include "aliquot/spectra/components/line_template.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/units.hpp"
#include "aliquot/io/text_table.hpp"

namespace aliquot::spectra {

namespace {

void add_profile(const VelocityProfile& profile, std::span<const double> wavelength, double amplitude, double dv, double wavec,
                 std::span<double> flux) {
    const auto& v = profile.velocity_km_s;
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double u = (wavelength[i] - wavec) / wavec * speed_of_light_km_s - dv;
        if (!(u >= v.front() && u <= v.back())) continue;
        const auto above = std::upper_bound(v.begin(), v.end() - 1, u);
        const auto k = static_cast<std::size_t>(above - v.begin()) - 1;
        const double share = (u - v[k]) / (v[k + 1] - v[k]);
        flux[i] += amplitude * (profile.flux[k] + share * (profile.flux[k + 1] - profile.flux[k]));
    }
}

}  // namespace

VelocityProfile read_velocity_profile(const std::string& path) {
    const io::TextTable table = io::read_text_table(path);
    if (table.columns.size() < 2 || table.rows() < 2)
        throw DataError(
            format("{}: {} column(s) and {} row(s) (a line profile needs two columns, velocity in km/s and flux, and two "
                   "rows): give another file",
                   path, table.columns.size(), table.rows()));
    VelocityProfile profile{path, table.columns[0], table.columns[1]};
    for (std::size_t i = 0; i < profile.flux.size(); ++i) {
        if (!std::isfinite(profile.velocity_km_s[i]) || !std::isfinite(profile.flux[i]))
            throw DataError(
                format("{}: row {} is not finite (a line profile has no missing values): remove the row", path, i + 1));
        if (i > 0 && profile.velocity_km_s[i] <= profile.velocity_km_s[i - 1])
            throw DataError(format("{}: row {} has velocity {} after {} (velocities must increase): sort the file", path, i + 1,
                                   profile.velocity_km_s[i], profile.velocity_km_s[i - 1]));
    }
    return profile;
}

std::span<const ParameterSpec> LineTemplate::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineTemplate::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    add_profile(profile_, wavelength, values[0], values[1], values[2], flux);
}

std::span<const ParameterSpec> LineTemplateDoublet::parameters() const {
    static const std::vector<ParameterSpec> table{{"amp_c0", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"amp_c1", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv_c", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"wavec0", 5000.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"wavec1", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineTemplateDoublet::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                   std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    add_profile(profile_, wavelength, values[0], values[2], values[3], flux);
    add_profile(profile_, wavelength, values[1], values[2], values[4], flux);
}

}  // namespace aliquot::spectra
