#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/math/dispatch.hpp"
#include "aliquot/summary/chunk_source.hpp"
#include "aliquot/summary/frame_index.hpp"
#include "aliquot/summary/layer_sink.hpp"
#include "aliquot/summary/layers.hpp"
#include "aliquot/summary/row_summariser.hpp"

namespace aliquot::summary {

/// Takes whole stretches of rows, in order, while they are in memory; for sums over rows.
class RowConsumer {
  public:
    virtual ~RowConsumer() = default;
    /// Rows (times.size(), draws), and their index.
    virtual void take(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* rows,
                      Threads& threads) = 0;
};

struct CollapseOptions {
    std::vector<Layer> layers;
    SummaryOptions summary;
    std::size_t memory_bytes = std::size_t{256} << 20U;  ///< of buffers; kept for any number of rows and draws
    math::SimdLevel level = math::simd_level();
};

/// One frame to collapse. What is pointed to must outlive the call.
struct CollapseInput {
    std::string name;  ///< for messages and progress
    ChunkSource* source = nullptr;
    const FrameIndex* index = nullptr;
    std::vector<RowRange> rows;       ///< which rows, ascending
    ChunkSource* observed = nullptr;  ///< one value per row of the source, or none
    RowConsumer* consumer = nullptr;  ///< or none
};

/// What was done.
struct CollapseCount {
    std::size_t rows = 0;
    std::size_t draws = 0;
    NonFiniteCount non_finite;
    std::vector<std::uint64_t> nan_values;  ///< per layer: values that are NaN
};

/// Rows that the ranges hold together.
[[nodiscard]] std::size_t row_count(std::span<const RowRange> ranges);

/// Collapse one frame into its layers: blocks of rows are read once, in order, summarised by all threads and appended to the
/// sink, which is left open. Progress counts rows. Throws DataError for draws that are not finite under NonFinite::raise (the
/// first row is named), ConfigError where a row does not fit into the memory allowed, Interrupted once `interrupted` says so.
CollapseCount collapse(const CollapseInput& input, const CollapseOptions& options, Threads& threads, LayerSink& sink,
                       const ProgressCallback& progress, const std::function<bool()>& interrupted);

}  // namespace aliquot::summary
