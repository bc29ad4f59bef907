#pragma once

#include <string>

#include "aliquot/spectra/fit.hpp"

namespace aliquot::spectra {

/// Write the report of a fit: one self-contained HTML page with the fit and its components, residuals in units of sigma, zooms on
/// the lines, parameters with their priors and flags, evidence and diagnostics, posteriors, and how it was made. Throws
/// ResourceError.
void write_report(const Fit& fit, const std::string& path);

}  // namespace aliquot::spectra
