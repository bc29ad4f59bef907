#pragma once

#include <cstddef>
#include <filesystem>

#include "aliquot/spectra/fit.hpp"

namespace aliquot::app {

/// How a fit's results are told.
struct FitTelling {
    bool json = false;
    bool quiet = false;
    std::size_t warnings_told = 0;  ///< the first ones, which were printed before
};

/// Write fit.fits, summary.json and report.html into `out` and print the summary (JSON, or a table for people) and the warnings.
void write_and_tell(const spectra::Fit& fit, const std::filesystem::path& out, const FitTelling& telling);

}  // namespace aliquot::app
