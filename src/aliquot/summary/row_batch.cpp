#include "aliquot/summary/row_batch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "aliquot/core/contract.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t few_keys = 24;        // sorted alone by insertion
constexpr std::size_t batches_waiting = 3;  // rows wait for this many networks, so that rows of like length meet
constexpr std::size_t aligned_ints = 16;    // 64 bytes

std::size_t rounded_up(std::size_t count, std::size_t multiple) {
    return (count + multiple - 1) / multiple * multiple;
}

std::size_t power_of_two(std::size_t count) {
    std::size_t power = 16;
    while (power < count)
        power *= 2;
    return power;
}

struct Sizes {
    bool network;
    std::size_t capacity;
    std::size_t key_stride;
    std::size_t row_stride;
    std::size_t rows;
    std::size_t scratch;
};

Sizes sizes(std::size_t draws, const RowKernels& kernels) {
    Sizes s{};
    s.network = draws <= network_limit;
    s.capacity = s.network ? batches_waiting * kernels.lanes : 1;
    s.key_stride = rounded_up(draws, 16) + scan_padding;
    // A short row of a network is written behind its zeros together with the padding of the longest row.
    s.row_stride = (s.network ? 2 : 1) * rounded_up(draws, 16) + 2 * row_padding;
    s.rows = s.network ? kernels.lanes : 1;
    s.scratch = (s.network ? kernels.lanes * power_of_two(draws) : draws) + aligned_ints;
    return s;
}

/// Ascending order by least-significant-digit radix, three digits of eleven bits; `other` is scratch of at least the same size.
void radix_sort(std::span<int> keys, std::span<int> other) {
    constexpr unsigned digits = 3;
    constexpr unsigned bits = 11;
    constexpr std::uint32_t radix = 1U << bits;
    const auto digit = [](int key, unsigned d) {
        return ((static_cast<std::uint32_t>(key) ^ 0x80000000U) >> (d * bits)) & (radix - 1);
    };
    static thread_local std::array<std::array<std::uint32_t, radix>, digits> counts;
    for (auto& count : counts)
        count.fill(0);
    for (const int key : keys) {
        for (unsigned d = 0; d < digits; ++d)
            ++counts[d][digit(key, d)];
    }
    std::span<int> from = keys;
    std::span<int> to = other.first(keys.size());
    for (unsigned d = 0; d < digits; ++d) {
        if (counts[d][digit(from.front(), d)] == from.size()) continue;  // all keys share this digit
        std::uint32_t start = 0;
        for (std::uint32_t& count : counts[d])
            start += std::exchange(count, start);
        for (const int key : from)
            to[counts[d][digit(key, d)]++] = key;
        std::swap(from, to);
    }
    if (from.data() != keys.data()) std::ranges::copy(from, keys.begin());
}

}  // namespace

RowBatch::RowBatch(std::size_t draws, const RowKernels& kernels) : kernels_(&kernels) {
    const Sizes s = sizes(draws, kernels);
    network_ = s.network;
    capacity_ = s.capacity;
    key_stride_ = s.key_stride;
    row_stride_ = s.row_stride;
    keys_.resize(s.capacity * s.key_stride);
    rows_.resize(s.rows * s.row_stride);
    scratch_.resize(s.scratch);
    waiting_.reserve(s.capacity);
}

std::size_t RowBatch::bytes(std::size_t draws, const RowKernels& kernels) {
    const Sizes s = sizes(draws, kernels);
    return sizeof(int) * (s.capacity * s.key_stride + s.scratch) + sizeof(float) * s.rows * s.row_stride;
}

void RowBatch::give(const Waiting& waiting, float* row, const Sink& sink) {
    const std::size_t zeros = waiting.draws - waiting.scan.kept;
    const std::size_t negative = waiting.scan.negative;
    if (negative > 0) std::memmove(row, row + zeros, negative * sizeof(float));
    std::fill_n(row + negative, zeros, 0.0F);
    sink(waiting.tag, waiting.scan, {row, waiting.draws});
}

void RowBatch::sort_alone(const Waiting& waiting, const Sink& sink) {
    const std::span<int> keys(slot(waiting.slot), waiting.scan.kept);
    if (keys.size() <= few_keys) {
        for (std::size_t i = 1; i < keys.size(); ++i) {
            const int key = keys[i];
            std::size_t j = i;
            for (; j > 0 && keys[j - 1] > key; --j)
                keys[j] = keys[j - 1];
            keys[j] = key;
        }
    } else {
        radix_sort(keys, scratch_);
    }
    float* sorted = row(0) + (waiting.draws - keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const int bits = keys[i] ^ ((keys[i] >> 31) & 0x7fffffff);
        std::memcpy(sorted + i, &bits, sizeof bits);
    }
    give(waiting, row(0), sink);
}

void RowBatch::sort_together(std::span<const Waiting> rows, const Sink& sink) {
    constexpr std::size_t most_lanes = 16;
    std::array<int*, most_lanes> keys{};
    std::array<std::size_t, most_lanes> lengths{};
    std::array<float*, most_lanes> sorted{};
    std::size_t longest = 0;
    for (std::size_t lane = 0; lane < kernels_->lanes; ++lane) {
        const Waiting& waiting = rows[std::min(lane, rows.size() - 1)];  // idle lanes repeat the last row
        keys[lane] = slot(waiting.slot);
        lengths[lane] = waiting.scan.kept;
        sorted[lane] = row(lane) + (waiting.draws - waiting.scan.kept);
        longest = std::max(longest, waiting.scan.kept);
    }
    void* scratch = scratch_.data();
    std::size_t space = scratch_.size() * sizeof(int);
    std::align(aligned_ints * sizeof(int), space - aligned_ints * sizeof(int), scratch, space);
    kernels_->sort(keys.data(), lengths.data(), longest, static_cast<int*>(scratch), sorted.data());
    for (std::size_t lane = 0; lane < rows.size(); ++lane)
        give(rows[lane], row(lane), sink);
}

void RowBatch::add(std::size_t tag, const RowScan& scan, std::size_t draws, const Sink& sink) {
    ALIQUOT_EXPECT(scan.kept <= draws && draws + scan_padding <= key_stride_);
    const Waiting waiting{waiting_.size(), tag, draws, scan};
    if (!network_ || scan.kept <= few_keys) {
        sort_alone(waiting, sink);
        return;
    }
    waiting_.push_back(waiting);
    if (waiting_.size() == capacity_) flush(sink);
}

void RowBatch::flush(const Sink& sink) {
    std::ranges::sort(waiting_, {}, [](const Waiting& w) { return w.scan.kept; });
    std::span<const Waiting> left = waiting_;
    while (!left.empty()) {
        const std::size_t together = std::min(left.size(), kernels_->lanes);
        if (together <= kernels_->lanes / 8) {
            sort_alone(left.front(), sink);
            left = left.subspan(1);
        } else {
            sort_together(left.first(together), sink);
            left = left.subspan(together);
        }
    }
    waiting_.clear();
}

}  // namespace aliquot::summary
