#include "aliquot/spectra/data_paths.hpp"

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

DataPaths::DataPaths(std::filesystem::path config_directory, std::filesystem::path data_directory)
    : config_directory_(std::move(config_directory)), data_directory_(std::move(data_directory)) {}

std::string DataPaths::resolve(const std::string& file) const {
    if (file.empty()) throw ConfigError("a file name is empty (there is nothing to open): give the path");
    const std::filesystem::path given(file);
    std::error_code ignored;
    if (given.is_absolute()) {
        if (!std::filesystem::exists(given, ignored))
            throw DataError(format("{}: no such file: check the path", file), ExitCode::no_input);
        return file;
    }
    const std::filesystem::path beside = config_directory_ / given;
    if (std::filesystem::exists(beside, ignored)) return beside.string();
    if (data_directory_.empty())
        throw DataError(
            format("{}: no such file (looked beside the configuration, for {}): check the path or name its folder with --data",
                   file, beside.string()),
            ExitCode::no_input);
    const std::filesystem::path in_data = data_directory_ / given;
    if (std::filesystem::exists(in_data, ignored)) return in_data.string();
    throw DataError(format("{}: no such file (looked for {} and {}): check the path", file, beside.string(), in_data.string()),
                    ExitCode::no_input);
}

}  // namespace aliquot::spectra
