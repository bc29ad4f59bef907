#include "aliquot/io/number_type.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "aliquot/core/contract.hpp"

namespace aliquot::io {

namespace {

/// IEEE binary16 as it lies in memory.
struct Half {
    std::uint16_t bits;
    explicit operator float() const {
        const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16U;
        const std::uint32_t exponent = (bits >> 10U) & 31U;
        const std::uint32_t fraction = bits & 1023U;
        if (exponent == 0) {
            const float value = std::ldexp(static_cast<float>(fraction), -24);
            return sign != 0 ? -value : value;
        }
        const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
        return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
    }
};

template <std::size_t Bytes>
auto swap_bytes(std::array<std::byte, Bytes> bytes) {
    for (std::size_t i = 0; i < Bytes / 2; ++i)
        std::swap(bytes[i], bytes[Bytes - 1 - i]);
    return bytes;
}

template <typename T, bool Swap, typename Out>
void convert(const std::byte* in, std::size_t stride, std::size_t count, Out* out) {
    for (std::size_t i = 0; i < count; ++i, in += stride) {
        std::array<std::byte, sizeof(T)> bytes;
        std::memcpy(bytes.data(), in, sizeof(T));
        if constexpr (Swap) bytes = swap_bytes(bytes);
        out[i] = static_cast<Out>(std::bit_cast<T>(bytes));  // NOLINT(bugprone-signed-char-misuse): bytes with a sign are numbers
    }
}

template <typename T, typename Out>
void convert(bool swap, const std::byte* in, std::size_t stride, std::size_t count, Out* out) {
    if (swap) {
        convert<T, true>(in, stride, count, out);
    } else {
        convert<T, false>(in, stride, count, out);
    }
}

template <typename Out>
void convert_integers(const NumberType& type, const std::byte* in, std::size_t stride, std::size_t count, Out* out) {
    const bool is_signed = type.kind == NumberKind::signed_integer;
    switch (type.bytes) {
        case 1:
            return is_signed ? convert<std::int8_t>(false, in, stride, count, out)
                             : convert<std::uint8_t>(false, in, stride, count, out);
        case 2:
            return is_signed ? convert<std::int16_t>(type.big_endian, in, stride, count, out)
                             : convert<std::uint16_t>(type.big_endian, in, stride, count, out);
        case 4:
            return is_signed ? convert<std::int32_t>(type.big_endian, in, stride, count, out)
                             : convert<std::uint32_t>(type.big_endian, in, stride, count, out);
        default:
            ALIQUOT_EXPECT(type.bytes == 8);
            return is_signed ? convert<std::int64_t>(type.big_endian, in, stride, count, out)
                             : convert<std::uint64_t>(type.big_endian, in, stride, count, out);
    }
}

}  // namespace

std::string to_string(const NumberType& type) {
    const char* kind = type.kind == NumberKind::floating ? "float" : type.kind == NumberKind::signed_integer ? "int" : "uint";
    return (type.big_endian && type.bytes > 1 ? "big-endian " : "") + std::string(kind) + std::to_string(8 * type.bytes);
}

void to_float32(const NumberType& type, const std::byte* in, std::size_t stride, std::size_t count, float* out) {
    if (type.kind != NumberKind::floating) return convert_integers(type, in, stride, count, out);
    switch (type.bytes) {
        case 2:
            return convert<Half>(type.big_endian, in, stride, count, out);
        case 4:
            return convert<float>(type.big_endian, in, stride, count, out);
        default:
            ALIQUOT_EXPECT(type.bytes == 8);
            return convert<double>(type.big_endian, in, stride, count, out);
    }
}

void to_int64(const NumberType& type, const std::byte* in, std::size_t stride, std::size_t count, std::int64_t* out) {
    ALIQUOT_EXPECT(type.kind != NumberKind::floating);
    convert_integers(type, in, stride, count, out);
}

}  // namespace aliquot::io
