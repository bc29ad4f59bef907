#include "aliquot/spectra/components/continuum_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/spectra/spectrum_prepare.hpp"

namespace aliquot::spectra {

namespace {

constexpr double second_radiation_constant = 1.438776877503933e8;  // h c / k, Angstrom K
constexpr double ccm89_low = 1000.0;
constexpr double ccm89_high = 1e4 / 0.3;
constexpr double calzetti_low = 1200.0;
constexpr double calzetti_high = 22000.0;

/// k(x) of Calzetti et al. (2000), for R_V.
double calzetti(double wavelength_angstrom, double r_v) {
    const double x = 1e4 / wavelength_angstrom;  // per micron
    const double shape = x > 1.0 / 0.63 ? -2.156 + x * (1.509 + x * (-0.198 + x * 0.011)) : -1.857 + 1.040 * x;
    return 2.659 * shape + r_v;
}

std::vector<std::string> beyond(std::string_view law, double first, double last, double low, double high) {
    if (low >= first && high <= last) return {};
    return {format("{} is defined from {:.0f} to {:.0f} Angstrom: beyond, its edge value is held", law, first, last)};
}

}  // namespace

std::span<const ParameterSpec> BlackBody::parameters() const {
    static const std::vector<ParameterSpec> table{{"scale", 1.0, -unbounded, unbounded, false, "flux"},
                                                  {"temperature", 5000.0, 1.0, unbounded, false, "K"},
                                                  {"x_0", 5000.0, 1.0, unbounded, true, "Angstrom"}};
    return table;
}

void BlackBody::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    const double reference = second_radiation_constant / (values[2] * values[1]);
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double a = second_radiation_constant / (wavelength[i] * values[1]);
        // (e^a0 - 1) / (e^a - 1) without overflow
        const double planck = std::exp(reference - a) * std::expm1(-reference) / std::expm1(-a);
        flux[i] = values[0] * std::pow(values[2] / wavelength[i], 5.0) * planck;
    }
}

std::span<const ParameterSpec> ExtinctionCcm89::parameters() const {
    static const std::vector<ParameterSpec> table{{"a_v", 0.0, 0.0, unbounded, false, "mag"}, {"r_v", 3.1, 1.0, 10.0, true, ""}};
    return table;
}

void ExtinctionCcm89::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = std::pow(10.0, -0.4 * values[0] * ccm89(std::clamp(wavelength[i], ccm89_low, ccm89_high), values[1]));
}

std::vector<std::string> ExtinctionCcm89::coverage_warnings(double low, double high) const {
    return beyond(type(), ccm89_low, ccm89_high, low, high);
}

std::span<const ParameterSpec> ExtinctionCalzetti::parameters() const {
    static const std::vector<ParameterSpec> table{{"a_v", 0.0, 0.0, unbounded, false, "mag"}, {"r_v", 4.05, 1.0, 10.0, true, ""}};
    return table;
}

void ExtinctionCalzetti::evaluate(std::span<const double> wavelength, std::span<const double> values,
                                  std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = std::pow(
            10.0, -0.4 * values[0] / values[1] * calzetti(std::clamp(wavelength[i], calzetti_low, calzetti_high), values[1]));
}

std::vector<std::string> ExtinctionCalzetti::coverage_warnings(double low, double high) const {
    return beyond(type(), calzetti_low, calzetti_high, low, high);
}

}  // namespace aliquot::spectra
