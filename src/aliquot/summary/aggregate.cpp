#include "aliquot/summary/aggregate.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t draws_per_task = 128;

class SumSource final : public ChunkSource {
  public:
    SumSource(std::vector<const float*> rows, std::size_t draws) : rows_(std::move(rows)), draws_(draws) {}
    [[nodiscard]] std::size_t rows() const override { return rows_.size(); }
    [[nodiscard]] std::size_t draws() const override { return draws_; }
    [[nodiscard]] bool blocks_in_any_order() const override { return true; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return 0; }
    void read(std::size_t first, std::size_t count, float* out) override {
        for (std::size_t r = 0; r < count; ++r)
            std::copy_n(rows_[first + r], draws_, out + r * draws_);
    }

  private:
    std::vector<const float*> rows_;
    std::size_t draws_;
};

class SumIndex final : public FrameIndex {
  public:
    explicit SumIndex(std::vector<std::pair<std::int64_t, std::int64_t>> keys) : keys_(std::move(keys)) {}
    [[nodiscard]] std::size_t rows() const override { return keys_.size(); }
    void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const override {
        for (std::size_t i = 0; i < times.size(); ++i)
            times[i] = keys_[first + i].first;
        for (std::size_t i = 0; i < units.size(); ++i)
            units[i] = keys_[first + i].second;
    }

  private:
    std::vector<std::pair<std::int64_t, std::int64_t>> keys_;
};

class ReconciledSource final : public ChunkSource {
  public:
    ReconciledSource(ChunkSource& cells, const FrameIndex& index, const UnitMapping& mapping, const DrawSums& sums,
                     const DrawSums& totals)
        : cells_(cells), index_(index), mapping_(mapping), sums_(sums), totals_(totals) {}
    [[nodiscard]] std::size_t rows() const override { return cells_.rows(); }
    [[nodiscard]] std::size_t draws() const override { return cells_.draws(); }
    [[nodiscard]] bool blocks_in_any_order() const override { return cells_.blocks_in_any_order(); }
    [[nodiscard]] std::uint64_t bytes_read() const override { return cells_.bytes_read(); }
    void will_need(std::size_t first, std::size_t count) override { cells_.will_need(first, count); }
    void read(std::size_t first, std::size_t count, float* out) override {
        cells_.read(first, count, out);
        std::vector<std::int64_t> times(count);
        std::vector<std::int64_t> units(count);
        index_.read(first, times, units);
        for (std::size_t r = 0; r < count; ++r)
            scale(times[r], units[r], out + r * draws());
    }

  private:
    void scale(std::int64_t time, std::int64_t unit, float* row) const {
        const auto target = mapping_.target(time, unit);
        if (!target) return;  // cells of no country stay as they are
        const float* sum = sums_.find(time, *target);
        const float* total = totals_.find(time, *target);
        if (total == nullptr)
            throw DataError(
                format("no total for unit {} at time {} (cells belong to it): add it, or leave its cells out", *target, time));
        ALIQUOT_EXPECT(sum != nullptr);
        for (std::size_t d = 0; d < draws(); ++d) {
            const float wanted = total[totals_.draws() == 1 ? 0 : d];
            if (!(wanted >= 0.0F) || !std::isfinite(wanted))
                throw DataError(format("the total of unit {} at time {} is {} (totals must be finite and not negative): mend it",
                                       *target, time, wanted));
            row[d] = sum[d] > 0.0F ? std::max(row[d], 0.0F) * (wanted / sum[d]) : 0.0F;
        }
    }

    ChunkSource& cells_;
    const FrameIndex& index_;
    const UnitMapping& mapping_;
    const DrawSums& sums_;
    const DrawSums& totals_;
};

}  // namespace

void DrawSums::take(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* rows,
                    Threads& threads) {
    std::vector<float*> into(times.size(), nullptr);
    for (std::size_t r = 0; r < times.size(); ++r) {
        const auto target = mapping_.target(times[r], units[r]);
        if (!target) continue;
        std::vector<float>& sum = sums_[{times[r], *target}];
        if (sum.empty()) {
            if (sums_.size() * draws_ * sizeof(float) > most_bytes_)
                throw ConfigError(
                    format("memory: the sums of {} units and times of {} draws do not fit into {} MB: allow more, or choose "
                           "fewer --times",
                           sums_.size(), draws_, most_bytes_ >> 20U));
            sum.assign(draws_, 0.0F);
        }
        into[r] = sum.data();
    }
    threads.for_each_block((draws_ + draws_per_task - 1) / draws_per_task, [&](std::size_t task) {
        const std::size_t begin = task * draws_per_task;
        const std::size_t end = std::min(begin + draws_per_task, draws_);
        for (std::size_t r = 0; r < times.size(); ++r) {
            if (into[r] == nullptr) continue;
            const float* row = rows + r * draws_;
            for (std::size_t d = begin; d < end; ++d)
                into[r][d] += clamp_ ? std::max(row[d], 0.0F) : row[d];
        }
    });
}

std::unique_ptr<ChunkSource> DrawSums::source() const {
    std::vector<const float*> rows;
    for (const auto& [key, sum] : sums_)
        rows.push_back(sum.data());
    return std::make_unique<SumSource>(std::move(rows), draws_);
}

std::unique_ptr<FrameIndex> DrawSums::index() const {
    std::vector<Key> keys;
    for (const auto& [key, sum] : sums_)
        keys.push_back(key);
    return std::make_unique<SumIndex>(std::move(keys));
}

const float* DrawSums::find(std::int64_t time, std::int64_t unit) const {
    const auto found = sums_.find({time, unit});
    return found == sums_.end() ? nullptr : found->second.data();
}

std::unique_ptr<ChunkSource> make_reconciled_source(ChunkSource& cells, const FrameIndex& index, const UnitMapping& mapping,
                                                    const DrawSums& sums, const DrawSums& totals) {
    if (totals.draws() != 1 && totals.draws() != cells.draws())
        throw DataError(format("the totals have {} draws, the cells {} (as many, or one, are expected): choose another file",
                               totals.draws(), cells.draws()));
    return std::make_unique<ReconciledSource>(cells, index, mapping, sums, totals);
}

}  // namespace aliquot::summary
