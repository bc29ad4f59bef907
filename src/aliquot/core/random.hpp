#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace aliquot {

/// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a block of 128 random bits is a pure
/// function of a 64-bit key and a 128-bit counter. Same bits as Random123's philox4x32.
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                                std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * counter[0];
        const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
        key[0] += 0x9E3779B9U;
        key[1] += 0xBB67AE85U;
    }
    return counter;
}

/// A stream of random numbers addressed by (seed, stream, index): never by thread, time or order of use. `stream` names the
/// purpose, `index` the item (a chain, a star, a pixel); a stream holds 2^33 numbers.
class RandomStream {
  public:
    constexpr RandomStream(std::uint64_t seed, std::uint32_t stream, std::uint64_t index)
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)},
          counter_{0, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32U), stream} {}

    /// Numbers of a stream that may be made beforehand, many streams at a time.
    static constexpr std::size_t ahead = 12;
    /// The stream whose first `ahead` numbers (bits) somebody has made already; the same numbers as without.
    RandomStream(std::uint64_t seed, std::uint32_t stream, std::uint64_t index, const std::uint64_t* first)
        : RandomStream(seed, stream, index) {
        std::copy_n(first, ahead, buffer_.begin());
        counter_[0] = ahead / 2;
        left_ = ahead;
    }

    /// 64 random bits.
    [[nodiscard]] constexpr std::uint64_t bits() {
        if (left_ == 0) refill();
        return buffer_[ahead - left_--];
    }
    /// Uniform in the open interval (0, 1): (k + 1/2) 2^-52.
    [[nodiscard]] constexpr double uniform() {
        return (static_cast<double>(static_cast<std::int64_t>(bits() >> 12U)) + 0.5) * 0x1p-52;
    }
    /// Uniform integer in [0, bound), bound < 2^32; multiply-shift, bias below 2^-32.
    [[nodiscard]] constexpr std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((bits() >> 32U) * bound) >> 32U);
    }

  private:
    /// Two blocks at a time: each is one long chain of dependent operations, and two run side by side.
    constexpr void refill() {
        auto next = counter_;
        ++next[0];
        const auto first = philox4x32(counter_, key_);
        const auto second = philox4x32(next, key_);
        counter_[0] += 2;
        buffer_[ahead - 4] = first[0] | std::uint64_t{first[1]} << 32U;
        buffer_[ahead - 3] = first[2] | std::uint64_t{first[3]} << 32U;
        buffer_[ahead - 2] = second[0] | std::uint64_t{second[1]} << 32U;
        buffer_[ahead - 1] = second[2] | std::uint64_t{second[3]} << 32U;
        left_ = 4;
    }

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::array<std::uint64_t, ahead> buffer_{};
    std::uint32_t left_ = 0;
};

}  // namespace aliquot
