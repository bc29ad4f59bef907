#include "aliquot/spectra/components/linear.hpp"

#include <algorithm>

namespace aliquot::spectra {

std::span<const ParameterSpec> Constant::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, -unbounded, unbounded, false, "flux"}};
    return table;
}

void Constant::evaluate(std::span<const double> /*wavelength*/, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), values[0]);
}

void Constant::emit(std::span<const double> values, TermSink& terms) const {
    terms.line(values[0], 0.0);
}

std::span<const ParameterSpec> Linear::parameters() const {
    static const std::vector<ParameterSpec> table{{"slope", 1.0, -unbounded, unbounded, false, "flux/Angstrom"},
                                                  {"intercept", 0.0, -unbounded, unbounded, false, "flux"}};
    return table;
}

void Linear::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = values[0] * wavelength[i] + values[1];
}

void Linear::emit(std::span<const double> values, TermSink& terms) const {
    terms.line(values[1], values[0]);
}

}  // namespace aliquot::spectra
