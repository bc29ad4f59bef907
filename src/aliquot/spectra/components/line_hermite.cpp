#include "aliquot/spectra/components/line_hermite.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

namespace {

struct Shape {
    double dv;
    double sigma;
    double h3;
    double h4;
};

void add_hermite(std::span<const double> wavelength, double amplitude, double wavec, const Shape& s, std::span<double> flux) {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double w = ((wavelength[i] - wavec) / wavec * speed_of_light_km_s - s.dv) / s.sigma;
        const double third = w * (2.0 * w * w - 3.0) / std::numbers::sqrt3;
        const double fourth = ((4.0 * w * w - 12.0) * w * w + 3.0) / std::sqrt(24.0);
        flux[i] += amplitude * std::exp(-0.5 * w * w) * (1.0 + s.h3 * third + s.h4 * fourth);
    }
}

void clip_below_zero(std::span<double> flux) {
    for (double& value : flux)
        value = std::max(value, 0.0);
}

}  // namespace

std::span<const ParameterSpec> LineGaussHermite::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"h3", 0.0, -0.4, 0.4, false, ""},
                                                  {"h4", 0.0, -0.4, 0.4, false, ""},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineGaussHermite::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    add_hermite(wavelength, values[0], values[5], {values[1], values[2], values[3], values[4]}, flux);
    if (clip_) clip_below_zero(flux);
}

std::span<const ParameterSpec> LineGaussHermiteDoublet::parameters() const {
    static const std::vector<ParameterSpec> table{{"amp_c0", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"amp_c1", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv_c", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"sigma_c", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"h3", 0.0, -0.4, 0.4, false, ""},
                                                  {"h4", 0.0, -0.4, 0.4, false, ""},
                                                  {"wavec0", 5000.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"wavec1", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineGaussHermiteDoublet::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                       std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    const Shape shape{values[2], values[3], values[4], values[5]};
    add_hermite(wavelength, values[0], values[6], shape, flux);
    add_hermite(wavelength, values[1], values[7], shape, flux);
    if (clip_) clip_below_zero(flux);
}

}  // namespace aliquot::spectra
