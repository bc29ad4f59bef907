#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aliquot/summary/layers.hpp"

namespace aliquot::summary {

/// How layers are written.
enum class OutputFormat { npy, csv, ecsv, hdf5, fits };

/// "npy", "csv", "ecsv", "hdf5" or "fits". Throws ConfigError.
[[nodiscard]] OutputFormat parse_output_format(const std::string& name);

/// Takes layers row by row, in order. Nothing appears under its final name before close().
class LayerSink {
  public:
    virtual ~LayerSink() = default;
    /// The next rows: layer l of row r stands at layers[l * stride + r].
    virtual void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                        std::size_t stride) = 0;
    /// Finish the files and put them in their places; returns their names, relative to the folder.
    virtual std::vector<std::string> close() = 0;
};

/// Names of the two columns of an index, "month_id" and "priogrid_id".
struct IndexNames {
    std::string time = "time";
    std::string unit = "unit";
    std::vector<std::string> labels;  ///< a name per unit, which text tables carry too; or empty
};

/// A sink for `rows` rows in `folder`: name/<layer>.npy and name/identifiers.npz, or one table name.<format>. Layers are float32,
/// times and units int64. Throws ResourceError where writing fails.
[[nodiscard]] std::unique_ptr<LayerSink> make_layer_sink(OutputFormat format, const std::filesystem::path& folder,
                                                         const std::string& name, std::span<const Layer> layers,
                                                         const IndexNames& index, std::size_t rows);

}  // namespace aliquot::summary
