#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "aliquot/summary/frame_index.hpp"
#include "aliquot/summary/layers.hpp"

namespace aliquot::summary {

struct RunResult;
struct TargetResult;

/// The times whose maps are drawn: steps 1, 6, 12, 24 and 36 of those that the rows have, counted from the first.
[[nodiscard]] std::vector<std::int64_t> map_times(const FrameIndex& index, std::span<const RowRange> rows);

/// Collects what the report shows of a target's layers while they stream by: a few numbers per layer, and the values of cells at
/// the chosen times (PRIO-GRID: 720 x 360 cells of half a degree, numbered from 1 in the south-west corner, eastwards first).
class LayerMaps {
  public:
    LayerMaps(std::span<const Layer> layers, std::vector<std::int64_t> times);

    void take(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers, std::size_t stride);

    /// Over all rows with a value.
    struct Range {
        std::uint64_t count = 0;
        std::uint64_t not_zero = 0;
        double sum = 0.0;
        float least = 0.0F;
        float greatest = 0.0F;
    };
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
    [[nodiscard]] const std::vector<std::int64_t>& times() const { return times_; }
    /// Cells (numbers from 1) and the values of a layer at time number `time`; empty where the layer has no maps.
    [[nodiscard]] std::span<const std::int32_t> cells(std::size_t time) const { return cells_[time]; }
    [[nodiscard]] std::span<const float> values(std::size_t layer, std::size_t time) const;

  private:
    std::vector<std::int64_t> times_;
    std::vector<Range> ranges_;
    std::size_t mapped_layers_;
    std::vector<std::vector<std::int32_t>> cells_;  ///< per time
    std::vector<std::vector<float>> values_;        ///< per mapped layer and time
};

/// One layer at one time as a PNG image, a pixel per cell, north up, rows of the grid without cells cut off: zero grey, counts on
/// a logarithmic scale up to `greatest`, shares on a linear one; "" where there are no maps.
[[nodiscard]] std::string map_png(const LayerMaps& maps, std::size_t layer, std::size_t time, const Layer& what, float greatest);

/// The page of a run: what was done, numbers per layer, and maps where units are PRIO-GRID cells.
class CollapseReport {
  public:
    explicit CollapseReport(std::span<const Layer> layers) : layers_(layers.begin(), layers.end()) {}
    void add(const TargetResult& target, const LayerMaps& maps);
    void write(const std::filesystem::path& path, const RunResult& result) const;

  private:
    struct Section {
        std::string name;
        std::string html;
    };
    std::vector<Layer> layers_;
    std::vector<Section> sections_;
};

}  // namespace aliquot::summary
