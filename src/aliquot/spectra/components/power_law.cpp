#include "aliquot/spectra/components/power_law.hpp"

#include <cmath>

namespace aliquot::spectra {

std::span<const ParameterSpec> PowerLaw::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, -unbounded, unbounded, false, "flux"},
                                                  {"x_0", 1.0, -unbounded, unbounded, false, "Angstrom"},
                                                  {"alpha", 1.0, -unbounded, unbounded, false, ""}};
    return table;
}

void PowerLaw::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = values[0] * std::pow(wavelength[i] / values[1], -values[2]);
}

void PowerLaw::emit(std::span<const double> values, TermSink& terms) const {
    terms.power(values[0], values[1], -values[2]);
}

std::span<const ParameterSpec> BrokenPowerLaw::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, -unbounded, unbounded, false, "flux"},
                                                  {"x_break", 1.0, -unbounded, unbounded, false, "Angstrom"},
                                                  {"alpha_1", 1.0, -unbounded, unbounded, false, ""},
                                                  {"alpha_2", 1.0, -unbounded, unbounded, false, ""}};
    return table;
}

void BrokenPowerLaw::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double alpha = wavelength[i] < values[1] ? values[2] : values[3];
        flux[i] = values[0] * std::pow(wavelength[i] / values[1], -alpha);
    }
}

std::span<const ParameterSpec> WindowedPowerLaw::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, -unbounded, unbounded, false, "flux"},
                                                  {"x_0", 4500.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"alpha", -1.0, -unbounded, unbounded, false, ""},
                                                  {"x_min", 4000.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"x_max", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void WindowedPowerLaw::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const bool inside = wavelength[i] >= values[3] && wavelength[i] < values[4];
        flux[i] = inside ? values[0] * std::pow(wavelength[i] / values[1], -values[2]) : 0.0;
    }
}

}  // namespace aliquot::spectra
