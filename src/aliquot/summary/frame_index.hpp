#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aliquot/io/input_file.hpp"

namespace aliquot::summary {

/// Time and unit of every row, read in stretches: they may not fit into memory.
class FrameIndex {
  public:
    virtual ~FrameIndex() = default;
    [[nodiscard]] virtual std::size_t rows() const = 0;
    /// Time and unit of rows [first, first + times.size()).
    virtual void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const = 0;
};

/// Rows counted from 0 at time 0, for arrays without identifiers.
[[nodiscard]] std::unique_ptr<FrameIndex> make_counting_index(std::size_t rows);

/// The arrays "time" and "unit" of an identifiers.npz; deflated ones are unpacked into a temporary file. Throws DataError:
/// missing array, not integers, not one-dimensional, different lengths.
[[nodiscard]] std::unique_ptr<FrameIndex> open_npz_index(const std::string& path);

/// A run of rows.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Rows of the range whose time is one of `times` (sorted), as runs in ascending order.
[[nodiscard]] std::vector<RowRange> rows_at_times(const FrameIndex& index, RowRange range, std::span<const std::int64_t> times);

}  // namespace aliquot::summary
