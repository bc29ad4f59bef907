#pragma once

#include <span>

#include "aliquot/spectra/terms.hpp"

namespace aliquot::spectra {

/// Add amplitude exp(-(v - dv)^2 / 2 sigma^2), v = c (x - wavec) / wavec, to flux: the profile of every line here, linear
/// ("optical") velocity. dv and sigma in km/s, x and wavec in Angstrom.
void add_velocity_gaussian(std::span<const double> wavelength, double amplitude, double dv, double sigma, double wavec,
                           std::span<double> flux);

/// The same function as a Gaussian in wavelength: centre wavec (1 + dv / c), width wavec sigma / c.
void emit_velocity_gaussian(double amplitude, double dv, double sigma, double wavec, TermSink& terms);

}  // namespace aliquot::spectra
