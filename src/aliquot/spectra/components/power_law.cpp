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

}  // namespace aliquot::spectra
