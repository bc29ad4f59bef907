#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// Vacuum wavelength of an air wavelength and back, Angstrom, by the refraction of standard air of Morton (1991, ApJS 77, 119,
/// eq. 3; the formula of the SDSS). Above 2000 Angstrom; shorter wavelengths are given in vacuum by convention and stay as they
/// are.
[[nodiscard]] double air_to_vacuum(double air_angstrom);
[[nodiscard]] double vacuum_to_air(double vacuum_angstrom);

/// A(lambda) / A(V) of Cardelli, Clayton & Mathis (1989, ApJ 345, 245, eqs. 1-4), 1000 to 33 333 Angstrom. Throws DataError
/// outside.
[[nodiscard]] double ccm89(double wavelength_angstrom, double r_v);

/// What to do to a spectrum before it is fitted, in this order.
struct PrepareOptions {
    double flux_scale = 1.0;
    std::string flux_unit;  ///< of the scaled flux; "" = the file's over flux_scale: "erg/s/cm2/A" becomes "1e-17 erg/s/cm2/A"
    double a_v = 0.0;       ///< Galactic extinction to remove, magnitudes, at observed wavelengths
    double r_v = 3.1;
    std::optional<Medium> convert_to;
    std::optional<double> redshift;                   ///< wavelengths are divided by 1 + z; default: the spectrum's own
    bool rescale_flux = false;                        ///< multiply flux and error by 1 + z too
    std::optional<std::pair<double, double>> window;  ///< keep low < wavelength < high, Angstrom
    std::optional<double> error_fraction;             ///< error = max(fraction |flux|, floor), instead of the file's
    double error_floor = 0.0;
    std::size_t oversample = 1;                    ///< k times as many pixels by linear interpolation, errors times sqrt(k)
    std::vector<std::pair<double, double>> masks;  ///< drop low < wavelength < high
};

/// The steps above, each recorded in the history, and at the end pixels dropped whose flux or error is not finite or whose error
/// is not positive. Throws ConfigError for options that mean nothing, DataError where no pixel or no error is left.
[[nodiscard]] Spectrum prepare(Spectrum spectrum, const PrepareOptions& options);

}  // namespace aliquot::spectra
