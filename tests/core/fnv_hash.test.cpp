#include "aliquot/core/fnv_hash.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace aliquot {
namespace {

std::uint64_t hash_of(std::string_view text) {
    FnvHash hash;
    hash.add(text);
    return hash.value();
}

/// Values of the test vectors in the reference implementation by Noll.
TEST(FnvHash, ReferenceVectors) {
    EXPECT_EQ(hash_of(""), 0xCBF29CE484222325U);
    EXPECT_EQ(hash_of("a"), 0xAF63DC4C8601EC8CU);
    EXPECT_EQ(hash_of("foobar"), 0x85944171F73967E8U);
}

TEST(FnvHash, PartsAddUp) {
    FnvHash hash;
    hash.add("foo");
    hash.add("bar");
    EXPECT_EQ(hash.value(), hash_of("foobar"));
    FnvHash number;
    number.add(std::vector<double>{1.0});
    EXPECT_EQ(number.value(), hash_of(std::string_view("\0\0\0\0\0\0\xf0\x3f", 8)));
}

}  // namespace
}  // namespace aliquot
