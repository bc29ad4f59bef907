#include "aliquot/spectra/components/gaussian_1d.hpp"

#include <cmath>

namespace aliquot::spectra {

std::span<const ParameterSpec> Gaussian1D::parameters() const {
    static const std::vector<ParameterSpec> table{
        {"amplitude", 1.0, -unbounded, unbounded, false, "flux"},
        {"mean", 0.0, -unbounded, unbounded, false, "Angstrom"},
        {"stddev", 1.0, std::numeric_limits<double>::min(), unbounded, false, "Angstrom"}};
    return table;
}

void Gaussian1D::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double u = (wavelength[i] - values[1]) / values[2];
        flux[i] = values[0] * std::exp(-0.5 * u * u);
    }
}

void Gaussian1D::emit(std::span<const double> values, TermSink& terms) const {
    terms.gaussian(values[0], values[1], values[2]);
}

}  // namespace aliquot::spectra
