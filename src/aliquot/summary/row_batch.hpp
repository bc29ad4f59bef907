#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "aliquot/summary/kernels/row_kernels.hpp"

namespace aliquot::summary {

/// Sorts rows of finite draws, many at once. Only draws that are not zero are sorted; zeros are put back where they belong.
///
/// Scan a row into keys(), then add() it: rows wait until enough of them are there to fill the lanes of the sorting network,
/// those with about as many keys together. Each comes back through the sink given to add() or flush(), sooner or later and in any
/// order; what comes back does not depend on which rows shared a network. Rows of few keys and rows longer than network_limit are
/// sorted alone. Not for use by several threads.
class RowBatch {
  public:
    /// Gets the row's tag, its scan and its draws in ascending order (-0 as 0), with row_padding values of room behind them.
    using Sink = std::function<void(std::size_t tag, const RowScan& scan, std::span<const float> sorted)>;

    /// For rows of at most `draws` draws.
    RowBatch(std::size_t draws, const RowKernels& kernels);

    /// Bytes that a batch for rows of `draws` draws takes.
    [[nodiscard]] static std::size_t bytes(std::size_t draws, const RowKernels& kernels);

    /// Room for the scan of the next row; valid until add().
    [[nodiscard]] int* keys() { return slot(waiting_.size()); }
    /// The row that was scanned into keys() has `draws` draws.
    void add(std::size_t tag, const RowScan& scan, std::size_t draws, const Sink& sink);
    /// Sort what is waiting.
    void flush(const Sink& sink);

  private:
    struct Waiting {
        std::size_t slot;
        std::size_t tag;
        std::size_t draws;
        RowScan scan;
    };
    [[nodiscard]] int* slot(std::size_t index) { return keys_.data() + index * key_stride_; }
    [[nodiscard]] float* row(std::size_t lane) { return rows_.data() + lane * row_stride_; }
    /// Sort `rows` (at most the number of lanes) by one network.
    void sort_together(std::span<const Waiting> rows, const Sink& sink);
    void sort_alone(const Waiting& waiting, const Sink& sink);
    /// Move negative draws in front of the zeros and hand the row over.
    void give(const Waiting& waiting, float* row, const Sink& sink);

    const RowKernels* kernels_;
    bool network_;
    std::size_t capacity_;
    std::size_t key_stride_;
    std::size_t row_stride_;
    std::vector<int> keys_;
    std::vector<float> rows_;
    std::vector<int> scratch_;
    std::vector<Waiting> waiting_;
};

}  // namespace aliquot::summary
