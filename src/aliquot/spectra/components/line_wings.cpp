#include "aliquot/spectra/components/line_wings.hpp"

#include <cerf.h>

#include <cmath>
#include <numbers>

#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

namespace {

double velocity(double wavelength, double wavec, double dv) {
    return (wavelength - wavec) / wavec * speed_of_light_km_s - dv;
}

/// exp(-g^2 / 2) erfcx(y) where either factor alone may overflow: for large negative y, erfcx(y) = 2 exp(y^2) - erfcx(-y).
double scaled_erfcx(double y, double g) {
    if (y > -5.0) return std::exp(-0.5 * g * g) * erfcx(y);
    return 2.0 * std::exp(y * y - 0.5 * g * g) - std::exp(-0.5 * g * g) * erfcx(-y);
}

}  // namespace

std::span<const ParameterSpec> LineExponential::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"w", 100.0, 1.0, 1000.0, false, "km/s"},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineExponential::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    const double ratio = values[2] / values[3];
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double g = velocity(wavelength[i], values[4], values[1]) / values[2];
        flux[i] = 0.5 * values[0] *
                  (scaled_erfcx((ratio - g) / std::numbers::sqrt2, g) + scaled_erfcx((ratio + g) / std::numbers::sqrt2, g));
    }
}

std::span<const ParameterSpec> LineLorentz::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"gamma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineLorentz::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double u = velocity(wavelength[i], values[3], values[1]) / values[2];
        flux[i] = values[0] / (1.0 + u * u);
    }
}

std::span<const ParameterSpec> LineVoigt::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"gamma", 100.0, 0.0, 10000.0, false, "km/s"},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineVoigt::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    const double peak = voigt(0.0, values[2], values[3]);
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = values[0] * voigt(velocity(wavelength[i], values[4], values[1]), values[2], values[3]) / peak;
}

}  // namespace aliquot::spectra
