#include "aliquot/core/random.hpp"

#include <gtest/gtest.h>

#include <Random123/philox.h>
#undef philox4x32  // a macro of theirs, a function of ours
#include <cmath>
#include <set>

namespace aliquot {
namespace {

TEST(Philox, GivesTheBitsOfRandom123) {
    const r123::Philox4x32 reference;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const std::array<std::uint32_t, 4> counter{i * 2654435761U, ~i, i ^ 0x5bd1e995U, 7U * i};
        const std::array<std::uint32_t, 2> key{i * 40503U, 0xdeadbeefU - i};
        const auto expected = reference({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
        const auto got = philox4x32(counter, key);
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_EQ(got[k], expected[k]);
    }
}

TEST(Philox, KnownAnswer) {
    // Random123's kat_vectors: philox4x32 10, counter and key all ones.
    const auto got = philox4x32({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U});
    EXPECT_EQ(got, (std::array<std::uint32_t, 4>{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
}

TEST(RandomStream, IsAddressedBySeedStreamAndIndex) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed : {1ULL, 2ULL, 1ULL << 40}) {
        for (std::uint32_t stream : {1U, 2U}) {
            for (std::uint64_t index : {0ULL, 1ULL, 1ULL << 33})
                seen.insert(RandomStream(seed, stream, index).bits());
        }
    }
    EXPECT_EQ(seen.size(), 18U);
    EXPECT_EQ(RandomStream(5, 6, 7).bits(), RandomStream(5, 6, 7).bits());
}

TEST(RandomStream, UniformIsOpenAndHasItsMoments) {
    RandomStream random(42, 1, 0);
    constexpr int n = 200000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform();
        ASSERT_GT(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    EXPECT_NEAR(sum / n, 0.5, 5.0 / std::sqrt(12.0 * n));  // 5 standard errors: 6e-7
    EXPECT_NEAR(squares / n, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / n));
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
    RandomStream random(1, 2, 3);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70000; ++i)
        ++counts[random.below(7)];
    for (const int count : counts)
        EXPECT_NEAR(count, 10000, 5.0 * std::sqrt(10000.0 * 6.0 / 7.0));
}

}  // namespace
}  // namespace aliquot
