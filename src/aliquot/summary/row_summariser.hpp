#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aliquot/summary/layers.hpp"
#include "aliquot/summary/row_batch.hpp"
#include "aliquot/summary/tower.hpp"

namespace aliquot::summary {

/// What happens to draws that are NaN or infinite.
enum class NonFinite {
    raise,     ///< they are an error
    omit,      ///< they are left out: a row is summarised from its finite draws, or is NaN where it has none
    propagate  ///< a row that has one is NaN in every layer
};

/// "raise", "omit" or "propagate". Throws ConfigError.
[[nodiscard]] NonFinite parse_non_finite(const std::string& name);

struct SummaryOptions {
    double tip_mass = 0.25;             ///< of the floor whose median is the tip
    std::optional<double> zero_cutoff;  ///< rows whose greatest draw is at most this have tower, tip and flag 0
    NonFinite non_finite = NonFinite::raise;
};

/// Draws that were not finite.
struct NonFiniteCount {
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
    std::uint64_t rows = 0;        ///< with at least one
    std::uint64_t empty_rows = 0;  ///< without a finite draw

    NonFiniteCount& operator+=(const NonFiniteCount& other);
};

/// Turns rows of draws into layers, one worker's share at a time. The same bits whatever the order and grouping of rows.
class RowSummariser {
  public:
    /// For rows of `draws` draws.
    RowSummariser(std::span<const Layer> layers, const SummaryOptions& options, std::size_t draws, const RowKernels& kernels);

    RowSummariser(const RowSummariser&) = delete;
    RowSummariser& operator=(const RowSummariser&) = delete;

    /// Where results go: layer l of the row with tag t at out[l * stride + t]; observed[t] is the row's observation, or the span
    /// is empty.
    void begin(float* out, std::size_t stride, std::span<const double> observed);
    /// Summarise `count` rows (count, draws) with tags from `first` on. Some wait for others until flush().
    void add(const float* rows, std::size_t count, std::size_t first);
    /// Finish all rows added since begin().
    void flush();

    [[nodiscard]] const NonFiniteCount& non_finite() const { return non_finite_; }
    /// Least tag of a row with a draw that is not finite, since begin().
    [[nodiscard]] std::optional<std::size_t> first_non_finite() const { return first_non_finite_; }
    /// Bytes that a summariser takes, roughly.
    [[nodiscard]] static std::size_t bytes(std::size_t draws, const RowKernels& kernels);

  private:
    void take_non_finite(const float* row, std::size_t tag);
    void fill(std::size_t tag, float value);
    /// All layers of a row that is nearly all zero, so that every floor of its tower is [0, 0]; `keys` are its other draws.
    void give_quiet_row(std::size_t tag, const RowScan& scan, const int* keys);
    void give(std::size_t tag, const RowScan& scan, std::span<const float> sorted);
    [[nodiscard]] float value(const Layer& layer, std::span<const float> sorted, const Tower& tower, double observed) const;

    std::vector<Layer> layers_;
    SummaryOptions options_;
    std::size_t draws_;
    const RowKernels* kernels_;
    RowBatch batch_;
    RowBatch::Sink sink_;
    std::array<std::size_t, floor_count> steps_;
    TowerPlan plan_{};
    bool wants_tower_ = false;
    bool quiet_rows_unsorted_ = true;
    float* out_ = nullptr;
    std::size_t stride_ = 0;
    std::span<const double> observed_;
    NonFiniteCount non_finite_;
    std::optional<std::size_t> first_non_finite_;
    std::vector<float> finite_;
};

}  // namespace aliquot::summary
