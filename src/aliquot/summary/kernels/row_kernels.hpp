#pragma once

#include <cstddef>

#include "aliquot/math/dispatch.hpp"
#include "aliquot/summary/kernels/row.hpp"

namespace aliquot::summary {

/// Row kernels of one instruction-set level. All levels give the same bits.
struct RowKernels {
    std::size_t lanes;  ///< rows that sort_rows takes at once
    /// Order-preserving integer keys of the draws that are not zero, in their order, into `keys` (draws + scan_padding of room).
    RowScan (*scan)(const float* row, std::size_t draws, int* keys) noexcept;
    /// Sort `lanes` rows of keys by a network: row r has lengths[r] <= count keys and room for count rounded up to 16; `scratch`
    /// has room for lanes * (count rounded up to a power of two, at least 16), aligned to 64 bytes; sorted[r] receives count
    /// floats, of which the first lengths[r] mean something, and needs row_padding of room behind them.
    void (*sort)(int* const* rows, const std::size_t* lengths, std::size_t count, int* scratch, float* const* sorted) noexcept;
    /// Leftmost i in [first, last] with the least row[i + steps] - row[i], widths rounded to float32.
    std::size_t (*narrowest)(const float* row, std::size_t first, std::size_t last, std::size_t steps) noexcept;
    /// The nested tower of a sorted row of finite draws, see tower.hpp.
    void (*tower)(const float* row, std::size_t draws, const TowerPlan& plan, Tower& tower) noexcept;
    /// bin[i] = trunc((values[i] - low) / span * bins) in float32, at most bins - 1.
    void (*bin)(const float* values, std::size_t count, float low, float span, float bins, int* bin) noexcept;
    /// Sum in float64, in eight fixed lanes.
    double (*sum)(const float* values, std::size_t count) noexcept;
    /// Sum of squared differences from `centre`, in eight fixed lanes.
    double (*squares)(const float* values, std::size_t count, double centre) noexcept;
};

/// The kernels of a level that this machine has.
[[nodiscard]] const RowKernels& row_kernels(math::SimdLevel level);

}  // namespace aliquot::summary
