#include "aliquot/spectra/components/line_multi_gauss.hpp"

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/velocity_gaussian.hpp"

namespace aliquot::spectra {

namespace {

void require_components(std::string_view type, std::size_t components) {
    if (components < 1)
        throw ConfigError(format("n_components = 0 for {} (a profile needs at least its core): give 1 or more", type));
}

void append_winds(std::size_t components, double wind_shift_bound, std::vector<ParameterSpec>& table) {
    for (std::size_t i = 0; i + 1 < components; ++i) {
        table.push_back({format("amp_w{}", i), 0.0, 0.0, 1.0, false, ""});
        table.push_back({format("dv_w{}", i), 0.0, -wind_shift_bound, wind_shift_bound, false, "km/s"});
        table.push_back({format("sigma_w{}", i), 200.0, 0.0, 10000.0, false, "km/s", "sigma_c"});
    }
}

/// One Gaussian of a profile with absolute values.
struct Profile {
    std::string name;
    double amplitude;
    double dv;
    double sigma;
};

std::vector<Profile> profiles(double amplitude, double dv, double sigma, std::span<const double> winds) {
    std::vector<Profile> all{{"core", amplitude, dv, sigma}};
    for (std::size_t i = 0; i < winds.size() / 3; ++i)
        all.push_back({format("wind{}", i), amplitude * winds[3 * i], dv + winds[3 * i + 1], winds[3 * i + 2]});
    return all;
}

template <typename Visit>
void for_each_profile(double amplitude, double dv, double sigma, std::span<const double> winds, const Visit& visit) {
    visit(amplitude, dv, sigma);
    for (std::size_t i = 0; i < winds.size(); i += 3)
        visit(amplitude * winds[i], dv + winds[i + 1], winds[i + 2]);
}

ComponentPart gaussian_part(const std::string& name, const Profile& profile, double wavec) {
    return {name, std::make_shared<LineGaussian>(), {profile.amplitude, profile.dv, profile.sigma, wavec}};
}

}  // namespace

LineMultiGauss::LineMultiGauss(std::size_t components)
    : table_{{"amp_c", 1.0, 0.0, unbounded, false, "flux"},
             {"dv_c", 0.0, -2000.0, 2000.0, false, "km/s"},
             {"sigma_c", 200.0, 20.0, 10000.0, false, "km/s"},
             {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}} {
    require_components(type(), components);
    append_winds(components, 8000.0, table_);
}

void LineMultiGauss::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    for_each_profile(values[0], values[1], values[2], values.subspan(4), [&](double amplitude, double dv, double sigma) {
        add_velocity_gaussian(wavelength, amplitude, dv, sigma, values[3], flux);
    });
}

void LineMultiGauss::emit(std::span<const double> values, TermSink& terms) const {
    for_each_profile(values[0], values[1], values[2], values.subspan(4), [&](double amplitude, double dv, double sigma) {
        emit_velocity_gaussian(amplitude, dv, sigma, values[3], terms);
    });
}

std::vector<ComponentPart> LineMultiGauss::parts(std::span<const double> values) const {
    std::vector<ComponentPart> all;
    if (values.size() == 4) return all;
    for (const Profile& profile : profiles(values[0], values[1], values[2], values.subspan(4)))
        all.push_back(gaussian_part(profile.name, profile, values[3]));
    return all;
}

LineMultiGaussDoublet::LineMultiGaussDoublet(std::size_t components)
    : table_{{"amp_c0", 1.0, 0.0, unbounded, false, "flux"},
             {"amp_c1", 1.0, 0.0, unbounded, false, "flux"},
             {"dv_c", 0.0, -2000.0, 2000.0, false, "km/s"},
             {"sigma_c", 200.0, 20.0, 10000.0, false, "km/s"},
             {"wavec0", 5000.0, -unbounded, unbounded, true, "Angstrom"},
             {"wavec1", 5000.0, -unbounded, unbounded, true, "Angstrom"}} {
    require_components(type(), components);
    append_winds(components, 2000.0, table_);
}

void LineMultiGaussDoublet::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                     std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    for (std::size_t line = 0; line < 2; ++line) {
        for_each_profile(values[line], values[2], values[3], values.subspan(6), [&](double amplitude, double dv, double sigma) {
            add_velocity_gaussian(wavelength, amplitude, dv, sigma, values[4 + line], flux);
        });
    }
}

void LineMultiGaussDoublet::emit(std::span<const double> values, TermSink& terms) const {
    for (std::size_t line = 0; line < 2; ++line) {
        for_each_profile(values[line], values[2], values[3], values.subspan(6), [&](double amplitude, double dv, double sigma) {
            emit_velocity_gaussian(amplitude, dv, sigma, values[4 + line], terms);
        });
    }
}

std::vector<ComponentPart> LineMultiGaussDoublet::parts(std::span<const double> values) const {
    std::vector<ComponentPart> all;
    const auto first = profiles(values[0], values[2], values[3], values.subspan(6));
    const auto second = profiles(values[1], values[2], values[3], values.subspan(6));
    for (std::size_t i = 0; i < first.size(); ++i) {
        all.push_back(gaussian_part(i == 0 ? "core0" : format("wind0{}", i - 1), first[i], values[4]));
        all.push_back(gaussian_part(i == 0 ? "core1" : format("wind1{}", i - 1), second[i], values[5]));
    }
    return all;
}

}  // namespace aliquot::spectra
