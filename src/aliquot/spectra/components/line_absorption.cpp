#include "aliquot/spectra/components/line_absorption.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

namespace {

void absorb(std::span<const double> wavelength, double log_depth, double dv, double sigma, double covering, double wavec,
            std::span<double> flux) {
    const double depth = std::pow(10.0, log_depth);
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double u = ((wavelength[i] - wavec) / wavec * speed_of_light_km_s - dv) / sigma;
        flux[i] *= 1.0 + covering * std::expm1(-depth * std::exp(-0.5 * u * u));
    }
}

}  // namespace

std::span<const ParameterSpec> LineAbsorption::parameters() const {
    static const std::vector<ParameterSpec> table{{"logtau0", 0.0, -2.0, 2.0, false, ""},
                                                  {"dv", 0.0, -10000.0, 10000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"Cf", 1.0, 0.0, 1.0, false, ""},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineAbsorption::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 1.0);
    absorb(wavelength, values[0], values[1], values[2], values[3], values[4], flux);
}

std::span<const ParameterSpec> LineAbsorptionDoublet::parameters() const {
    static const std::vector<ParameterSpec> table{{"logtau0", 0.0, -2.0, 2.0, false, ""},
                                                  {"logtau1", 0.0, -2.0, 2.0, false, ""},
                                                  {"dv", 0.0, -10000.0, 10000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"Cf", 1.0, 0.0, 1.0, false, ""},
                                                  {"wavec0", 5000.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"wavec1", 5100.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineAbsorptionDoublet::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                     std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 1.0);
    absorb(wavelength, values[0], values[2], values[3], values[4], values[5], flux);
    absorb(wavelength, values[1], values[2], values[3], values[4], values[6], flux);
}

}  // namespace aliquot::spectra
