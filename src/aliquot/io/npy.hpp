#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aliquot/io/number_type.hpp"

namespace aliquot::io {

/// What stands in front of the data of a .npy file (NumPy's format versions 1.0, 2.0 and 3.0).
struct NpyHeader {
    NumberType type;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
    std::size_t data_offset = 0;  ///< bytes before the data

    /// Numbers in the array.
    [[nodiscard]] std::size_t count() const;
};

/// Bytes that must be there before anything is known about a header's length.
inline constexpr std::size_t npy_preamble_bytes = 12;

/// Length of the whole header, magic included, from its first npy_preamble_bytes bytes (or all there are). Throws DataError for
/// what is not .npy; `path` stands in messages.
[[nodiscard]] std::size_t npy_header_length(std::string_view start, const std::string& path);

/// Parse a whole header. Throws DataError: damaged, object or text or complex numbers, an array too large for this machine.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view header, const std::string& path);

/// A version 1.0 header, padded so that the data begin at a multiple of 64 bytes. `descr` as NumPy writes it, "<f4".
[[nodiscard]] std::string npy_header(std::string_view descr, std::span<const std::size_t> shape);

}  // namespace aliquot::io
