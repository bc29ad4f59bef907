#include "aliquot/spectra/components/velocity_gaussian.hpp"

#include <cmath>

#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

void add_velocity_gaussian(std::span<const double> wavelength, double amplitude, double dv, double sigma, double wavec,
                           std::span<double> flux) {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double v = (wavelength[i] - wavec) / wavec * speed_of_light_km_s - dv;
        flux[i] += amplitude * std::exp(-0.5 * (v / sigma) * (v / sigma));
    }
}

void emit_velocity_gaussian(double amplitude, double dv, double sigma, double wavec, TermSink& terms) {
    terms.gaussian(amplitude, wavec * (1.0 + dv / speed_of_light_km_s), wavec * sigma / speed_of_light_km_s);
}

}  // namespace aliquot::spectra
