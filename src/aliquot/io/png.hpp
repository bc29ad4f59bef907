#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace aliquot::io {

using Palette = std::array<std::array<std::uint8_t, 3>, 256>;  ///< red, green, blue

/// A PNG image of palette indices, row by row from the top; index 0 is transparent.
[[nodiscard]] std::string encode_png(std::span<const std::uint8_t> pixels, std::size_t width, std::size_t height,
                                     const Palette& palette);

/// Base64 (RFC 4648), for data: addresses.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace aliquot::io
