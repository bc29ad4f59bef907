#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/io/config.hpp"
#include "aliquot/spectra/fit.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// Everything that one configuration file describes, read and checked.
struct FitConfig {
    std::string title;
    Spectrum spectrum;  ///< prepared: exactly the pixels to fit
    std::shared_ptr<const Model> model;
    FitOptions options;
    std::vector<std::string> warnings;  ///< what the user should know before the fit: gaps in templates, lines outside the data
    std::string text;                   ///< the configuration with its overrides, as TOML
    std::string run_text;               ///< the same but for the keys that may change when a run is continued: its caps
};

/// Read [input] (and the spectrum it names), [model] and [sampler]; every key must be known. `data_directory` is where files are
/// looked for besides the configuration's own folder. docs/fit.md lists all keys. Throws ConfigError and DataError.
[[nodiscard]] FitConfig read_fit_config(const io::Config& config, const std::filesystem::path& data_directory);

/// Sentences about what the model cannot describe in this spectrum: templates that end inside it, lines that lie outside it.
[[nodiscard]] std::vector<std::string> coverage_warnings(const Model& model, const Spectrum& spectrum);

}  // namespace aliquot::spectra
