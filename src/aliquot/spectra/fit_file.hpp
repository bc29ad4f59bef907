#pragma once

#include <string>

#include "aliquot/spectra/fit.hpp"

namespace aliquot::spectra {

/// Values of SAMPLE_METHOD.
inline constexpr const char* nested_method = "slice";
inline constexpr const char* quick_method = "importance";

/// Write a fit to one FITS file (atomically): the layout of GalSpec's dynesty_fit_io, under Aliquot's own version keys.
///
/// Images, float64: WAVE_USE, FLUX_USE, FERR (pixels); THETA_INIT, THETA_BEST (ndim); SAMPLES, SAMPLES_U (n, ndim); LOGWT, LOGL,
/// LOGBIRTH, NLIVES (points alive at each death), LOGVOL, LOGZ, LOGZERR, INFORMATION (n; LOGZ and INFORMATION cumulative);
/// SAMPLES_EQ (equal weights, ndim columns). Tables: PARAM_NAMES, FULL_PARAM, PARAM_BOUNDS (of the prior; log10 where LOG_SCALE
/// says so), LOG_SCALE_PARAMS, MODEL_PARAM, SUBMODELS; DERIVED (n rows, one column per quantity) where there are such;
/// MEASURED (equally weighted draws; SAMPLE is their row in SAMPLES, from 0). Texts as
/// bytes: CONFIG (TOML), SUMMARY (JSON), HISTORY (one line per step of the spectrum's preparation). Throws ResourceError.
void write_fit(const Fit& fit, const std::string& path);

/// The fit in numbers as JSON text; see docs/fit.md for the keys.
[[nodiscard]] std::string summary_json(const Fit& fit);

}  // namespace aliquot::spectra
