#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "aliquot/io/input_file.hpp"
#include "aliquot/io/number_type.hpp"

namespace aliquot::summary {

/// Rows of draws out of some file, whatever its format: float32, row-major.
class ChunkSource {
  public:
    virtual ~ChunkSource() = default;
    [[nodiscard]] virtual std::size_t rows() const = 0;
    [[nodiscard]] virtual std::size_t draws() const = 0;
    /// Whether small blocks may be read by several threads at once and in any order. Otherwise calls of read() come one at a
    /// time, with rows in ascending order, and large blocks are better than small ones.
    [[nodiscard]] virtual bool blocks_in_any_order() const = 0;
    /// Read rows [first, first + count) into `out` (count, draws).
    virtual void read(std::size_t first, std::size_t count, float* out) = 0;
    /// Let the system fetch rows in the background.
    virtual void will_need(std::size_t /*first*/, std::size_t /*count*/) {}
    /// Bytes read so far.
    [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

/// A two-dimensional array of numbers somewhere in a file.
struct StridedArray {
    std::shared_ptr<const io::InputFile> file;
    io::NumberType type;
    std::uint64_t offset = 0;  ///< of the first number
    std::size_t rows = 0;
    std::size_t draws = 0;
    std::uint64_t row_stride = 0;   ///< bytes from a row to the next
    std::uint64_t draw_stride = 0;  ///< bytes from a draw to the next; the size of a number, or row_stride is
};

/// Reads a strided array: rows of draws as they are, with conversion, as cells of wider records, or draw by draw (sample axis
/// first, Fortran order), where blocks are transposed. Throws DataError where the file is shorter than the array.
[[nodiscard]] std::unique_ptr<ChunkSource> make_strided_source(const StridedArray& array);

/// Reads rows that come one after the other. Throws DataError where the stream ends too early or goes on behind the last row.
[[nodiscard]] std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<io::ByteStream> stream, io::NumberType type,
                                                              std::size_t rows, std::size_t draws);

}  // namespace aliquot::summary
