#include "aliquot/spectra/components/line_gaussian.hpp"

#include <algorithm>

#include "aliquot/spectra/components/velocity_gaussian.hpp"

namespace aliquot::spectra {

std::span<const ParameterSpec> LineGaussian::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, 0.0, unbounded, false, "flux"},
                                                  {"dv", 0.0, -2000.0, 2000.0, false, "km/s"},
                                                  {"sigma", 200.0, 20.0, 10000.0, false, "km/s"},
                                                  {"wavec", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void LineGaussian::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    add_velocity_gaussian(wavelength, values[0], values[1], values[2], values[3], flux);
}

void LineGaussian::emit(std::span<const double> values, TermSink& terms) const {
    emit_velocity_gaussian(values[0], values[1], values[2], values[3], terms);
}

}  // namespace aliquot::spectra
