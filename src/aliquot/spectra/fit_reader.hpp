#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "aliquot/core/parallel.hpp"
#include "aliquot/infer/chain_files.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/spectra/fit.hpp"
#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// What write_fit has kept of a fit; the model is there as the text of its configuration only.
struct FitFile {
    std::string path;
    std::string title;
    Spectrum spectrum;
    infer::NestedResult run;                        ///< without the parameters of NaN points
    std::vector<infer::ChainParameter> parameters;  ///< the free ones
    std::vector<infer::DerivedChain> derived;
    std::string config_text;
    std::string summary_text;  ///< summary.json as it was
};

/// Read a file of write_fit. Throws DataError naming file and HDU where something is missing or does not fit together.
[[nodiscard]] FitFile read_fit(const std::string& path);

/// Merge the runs of fits of one problem with infer::merge_runs and summarise the result as run_fit does. The model is made from
/// the first file's configuration; files named in it are looked for in the working directory and in `data_directory`. Throws
/// DataError where pixels, parameters or priors differ, where the model gives a file's samples another ln L than the file does,
/// and what merge_runs throws, with the files' names.
[[nodiscard]] Fit merge_fits(const std::vector<FitFile>& files, const std::filesystem::path& data_directory, Threads& threads);

}  // namespace aliquot::spectra
