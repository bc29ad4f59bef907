#pragma once

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/zip.hpp"
#include "aliquot/summary/layer_sink.hpp"
#include "summary/rows.hpp"

namespace aliquot::test {

/// A small frame: rows like those of a forecast, months 541, 542, ... of 40 cells each.
struct SmallFrame {
    SmallFrame(std::size_t row_count, std::size_t draw_count) : rows(row_count), draws(draw_count) {
        for (std::size_t r = 0; r < rows; ++r) {
            const std::vector<float> row = random_row(r, draws);
            values.insert(values.end(), row.begin(), row.end());
            times.push_back(541 + static_cast<std::int64_t>(r / 40));
            units.push_back(60001 + static_cast<std::int64_t>(r % 40));
        }
    }
    std::size_t rows;
    std::size_t draws;
    std::vector<float> values;
    std::vector<std::int64_t> times;
    std::vector<std::int64_t> units;
};

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::string npy_bytes(const std::string& descr, const std::vector<std::size_t>& shape, const std::vector<T>& values) {
    return io::npy_header(descr, shape) + bytes_of(values);
}

inline void write_identifiers(const std::filesystem::path& path, const std::vector<std::int64_t>& times,
                              const std::vector<std::int64_t>& units) {
    const std::string time = npy_bytes("<i8", {times.size()}, times);
    const std::string unit = npy_bytes("<i8", {units.size()}, units);
    io::ZipWriter writer(path, {{"time.npy", time.size()}, {"unit.npy", unit.size()}});
    writer.append(0, time);
    writer.append(1, unit);
    writer.close();
}

/// The pipeline layout: y_pred.npy and identifiers.npz.
inline void write_frame(const std::filesystem::path& folder, const SmallFrame& frame) {
    io::ensure_directory(folder);
    io::write_file(folder / "y_pred.npy", npy_bytes("<f4", {frame.rows, frame.draws}, frame.values));
    write_identifiers(folder / "identifiers.npz", frame.times, frame.units);
}

/// Keeps what it is given, layer by layer.
class MemorySink final : public summary::LayerSink {
  public:
    explicit MemorySink(std::size_t layer_count) : layers(layer_count) {}
    void append(std::span<const std::int64_t> new_times, std::span<const std::int64_t> new_units, const float* values,
                std::size_t stride) override {
        times.insert(times.end(), new_times.begin(), new_times.end());
        units.insert(units.end(), new_units.begin(), new_units.end());
        for (std::size_t l = 0; l < layers.size(); ++l)
            layers[l].insert(layers[l].end(), values + l * stride, values + l * stride + new_times.size());
    }
    std::vector<std::string> close() override { return {}; }
    /// Everything, bit by bit (NaN equals itself).
    [[nodiscard]] std::string bits() const {
        std::string all = bytes_of(times) + bytes_of(units);
        for (const auto& layer : layers)
            all += bytes_of(layer);
        return all;
    }

    std::vector<std::vector<float>> layers;
    std::vector<std::int64_t> times;
    std::vector<std::int64_t> units;
};

inline std::vector<summary::Layer> many_layers() {
    const std::vector<std::string> names{"map",          "p_any",       "hdi90_upper",
                                         "hdi95_lower",  "p_gt_1",      "p_gt_0.1_f32",
                                         "es_05",        "q50",         "q2.5",
                                         "mean",         "sd",          "median",
                                         "mad",          "min",         "max",
                                         "bimodal",      "mode",        "mode_discrete",
                                         "map_estimate", "eti90_lower", "shortest90_upper"};
    return summary::parse_layers(names);
}

}  // namespace aliquot::test
