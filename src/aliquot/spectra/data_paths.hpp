#pragma once

#include <filesystem>
#include <string>

namespace aliquot::spectra {

/// Where the files named in a configuration are looked for: beside the configuration, then in the folder given with --data.
class DataPaths {
  public:
    explicit DataPaths(std::filesystem::path config_directory, std::filesystem::path data_directory = {});
    /// The path to open. Throws DataError (no input) naming every place looked at.
    [[nodiscard]] std::string resolve(const std::string& file) const;

  private:
    std::filesystem::path config_directory_;
    std::filesystem::path data_directory_;
};

}  // namespace aliquot::spectra
