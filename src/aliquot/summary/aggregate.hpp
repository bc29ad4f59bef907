#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aliquot/summary/collapse.hpp"
#include "aliquot/summary/unit_mapping.hpp"

namespace aliquot::summary {

/// Sums of draws over the units of larger ones, draw by draw (joint sampling): draw d of a country at a time is the sum of the
/// draws d of its cells, accumulated in float32 in the order of the rows (views-frames ADR-017). Summarising sums is not summing
/// summaries.
class DrawSums final : public RowConsumer {
  public:
    /// `most_bytes` bounds the sums; ConfigError is thrown where they need more. `clamp` counts negative draws as zero.
    DrawSums(const UnitMapping& mapping, std::size_t draws, std::size_t most_bytes, bool clamp = false)
        : mapping_(mapping), draws_(draws), most_bytes_(most_bytes), clamp_(clamp) {}

    void take(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* rows,
              Threads& threads) override;

    [[nodiscard]] std::size_t rows() const { return sums_.size(); }
    [[nodiscard]] std::size_t draws() const { return draws_; }
    /// The sums as a frame, sorted by time, then unit. It shares the sums with this object, which must outlive it.
    [[nodiscard]] std::unique_ptr<ChunkSource> source() const;
    [[nodiscard]] std::unique_ptr<FrameIndex> index() const;
    /// The sum of (time, unit), or null.
    [[nodiscard]] const float* find(std::int64_t time, std::int64_t unit) const;

  private:
    using Key = std::pair<std::int64_t, std::int64_t>;
    const UnitMapping& mapping_;
    std::size_t draws_;
    std::size_t most_bytes_;
    bool clamp_;
    std::map<Key, std::vector<float>> sums_;
};

/// Reads another source and makes its cells sum to given totals, draw by draw: out = max(g, 0) T / sum of max(g, 0) over the
/// cells of the total, or 0 where that sum is 0. All arguments must outlive it; `sums` are those of the same rows, with negative
/// draws as zero; `totals` has the same draws or one. Throws DataError for a missing or negative total.
[[nodiscard]] std::unique_ptr<ChunkSource> make_reconciled_source(ChunkSource& cells, const FrameIndex& index,
                                                                  const UnitMapping& mapping, const DrawSums& sums,
                                                                  const DrawSums& totals);

}  // namespace aliquot::summary
