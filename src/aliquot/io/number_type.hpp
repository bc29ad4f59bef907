#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aliquot::io {

enum class NumberKind { floating, signed_integer, unsigned_integer };

/// How a number lies in a file.
struct NumberType {
    NumberKind kind = NumberKind::floating;
    std::size_t bytes = 4;    ///< 2, 4, 8 for floating point; 1, 2, 4, 8 for integers
    bool big_endian = false;  ///< meaningless for single bytes

    [[nodiscard]] bool is_float32_here() const { return kind == NumberKind::floating && bytes == 4 && !big_endian; }
    friend bool operator==(const NumberType&, const NumberType&) = default;
};

/// "float32", "big-endian int16", ...
[[nodiscard]] std::string to_string(const NumberType& type);

/// Convert `count` numbers, the next one `stride` bytes behind the last, to float32 (nearest, ties to even; float64 beyond the
/// range of float32 becomes infinite).
void to_float32(const NumberType& type, const std::byte* in, std::size_t stride, std::size_t count, float* out);
/// The same for an integer type to int64; unsigned 64-bit numbers wrap.
void to_int64(const NumberType& type, const std::byte* in, std::size_t stride, std::size_t count, std::int64_t* out);

}  // namespace aliquot::io
