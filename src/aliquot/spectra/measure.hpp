#pragma once

#include <span>
#include <string>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/model.hpp"

namespace aliquot::spectra {

/// Several components that make one line, such as a broad and a narrow one.
struct ProfileDefinition {
    std::string name;
    std::vector<std::string> components;
};

/// The table [measure].
struct MeasureDefinition {
    bool lines = true;                        ///< every emission line on its own
    std::vector<ProfileDefinition> profiles;  ///< [[measure.profile]]: name, components
    std::vector<double> continuum;            ///< wavelengths, Angstrom
};

/// One measured quantity, at every posterior draw it was measured at.
struct Measured {
    std::string of;        ///< "OIII 5006.8", a profile's name, "continuum 5100.0"
    std::string quantity;  ///< "flux", "fwhm", "velocity", "dispersion", "ew"
    std::string unit;      ///< "flux Angstrom", "km/s", "Angstrom", "flux"
    std::vector<double> values;
};

/// Read [measure]. Throws ConfigError: unknown components (nearest offered), components without an emission line in a profile,
/// wavelengths that are not positive, a continuum in a model that is not a sum.
[[nodiscard]] MeasureDefinition read_measure(const io::ConfigTable& table, const Model& model);

/// Measure a model at every row of theta (n, dimension). Lines as they leave the source: without the instrument's line-spread
/// function, and without factors that multiply them. Of each line and profile
///
///   flux        integral over wavelength
///   fwhm        full width at half maximum of the whole profile, km/s, from its outermost crossings
///   velocity    first moment, km/s
///   dispersion  root of the second central moment, km/s
///   ew          flux over the continuum at the rest wavelength, where the model is a sum that has a continuum
///
/// and the continuum at the wavelengths asked for. Not a number where a line has no flux. Integrals are trapezoids of a sixth of
/// the narrowest width, out to 10 dispersions (100 half widths of a Lorentzian, which leaves 0.6 % of its flux outside).
[[nodiscard]] std::vector<Measured> measure(const MeasureDefinition& definition, const Model& model,
                                            MatrixView<const double> theta, Threads& threads);

}  // namespace aliquot::spectra
