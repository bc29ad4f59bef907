#include "aliquot/io/number_type.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace aliquot::io {
namespace {

float half(std::uint16_t bits, bool big_endian = false) {
    if (big_endian) bits = static_cast<std::uint16_t>(bits << 8U | bits >> 8U);
    float out = 0.0F;
    to_float32({NumberKind::floating, 2, big_endian}, reinterpret_cast<const std::byte*>(&bits), 2, 1, &out);
    return out;
}

TEST(NumberType, HalfPrecisionByItsDefinition) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const std::uint32_t exponent = bits >> 10U & 31U;
        const std::uint32_t fraction = bits & 1023U;
        const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
        const float found = half(static_cast<std::uint16_t>(bits));
        EXPECT_EQ(std::bit_cast<std::uint32_t>(found),
                  std::bit_cast<std::uint32_t>(half(static_cast<std::uint16_t>(bits), true)));
        if (exponent == 31) {
            EXPECT_EQ(std::isnan(found), fraction != 0);
            EXPECT_EQ(std::isinf(found), fraction == 0);
        } else {
            const double value =
                exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
            EXPECT_EQ(static_cast<double>(found), sign * value);
        }
        EXPECT_EQ(std::signbit(found), sign < 0.0);
    }
}

TEST(NumberType, StridesOrdersAndIntegers) {
    const std::int16_t numbers[] = {-2, 9, 300, 9};
    float values[2];
    to_float32({NumberKind::signed_integer, 2, false}, reinterpret_cast<const std::byte*>(numbers), 4, 2, values);
    EXPECT_EQ(values[0], -2.0F);
    EXPECT_EQ(values[1], 300.0F);
    const std::uint8_t big[] = {0, 0, 0, 0, 0, 0, 1, 2};
    std::int64_t integer = 0;
    to_int64({NumberKind::unsigned_integer, 8, true}, reinterpret_cast<const std::byte*>(big), 8, 1, &integer);
    EXPECT_EQ(integer, 258);
    const double wide[] = {0.1, 1e300};
    to_float32({NumberKind::floating, 8, false}, reinterpret_cast<const std::byte*>(wide), 8, 2, values);
    EXPECT_EQ(values[0], 0.1F);
    EXPECT_TRUE(std::isinf(values[1]));
    EXPECT_EQ(to_string({NumberKind::floating, 4, true}), "big-endian float32");
}

}  // namespace
}  // namespace aliquot::io
