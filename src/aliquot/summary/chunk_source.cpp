#include "aliquot/summary/chunk_source.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t staging_bytes = std::size_t{256} << 10U;

/// Rows lie one after the other, perhaps with other things between them.
class RowSource final : public ChunkSource {
  public:
    explicit RowSource(StridedArray array) : array_(std::move(array)) {}
    [[nodiscard]] std::size_t rows() const override { return array_.rows; }
    [[nodiscard]] std::size_t draws() const override { return array_.draws; }
    [[nodiscard]] bool blocks_in_any_order() const override { return true; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return array_.file->bytes_read(); }

    void will_need(std::size_t first, std::size_t count) override {
        array_.file->will_need(array_.offset + first * array_.row_stride, count * array_.row_stride);
    }
    void read(std::size_t first, std::size_t count, float* out) override {
        const std::size_t row_bytes = array_.draws * array_.type.bytes;
        if (array_.type.is_float32_here() && array_.row_stride == row_bytes) {
            array_.file->read_at(array_.offset + first * row_bytes, std::as_writable_bytes(std::span(out, count * array_.draws)));
            return;
        }
        // Whole records where they are mostly ours, else row by row.
        const bool whole = array_.row_stride <= 2 * row_bytes;
        const std::size_t at_once = whole ? std::max<std::size_t>(1, staging_bytes / array_.row_stride) : 1;
        thread_local std::vector<std::byte> staging;
        for (std::size_t done = 0; done < count;) {
            const std::size_t part = std::min(at_once, count - done);
            staging.resize((part - 1) * array_.row_stride + row_bytes);
            array_.file->read_at(array_.offset + (first + done) * array_.row_stride, staging);
            for (std::size_t r = 0; r < part; ++r)
                io::to_float32(array_.type, staging.data() + r * array_.row_stride, array_.type.bytes, array_.draws,
                               out + (done + r) * array_.draws);
            done += part;
        }
    }

  private:
    StridedArray array_;
};

/// Draws lie one after the other: each read fetches a stretch of every draw and transposes.
class DrawSource final : public ChunkSource {
  public:
    explicit DrawSource(StridedArray array) : array_(std::move(array)) {}
    [[nodiscard]] std::size_t rows() const override { return array_.rows; }
    [[nodiscard]] std::size_t draws() const override { return array_.draws; }
    [[nodiscard]] bool blocks_in_any_order() const override { return false; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return array_.file->bytes_read(); }

    void read(std::size_t first, std::size_t count, float* out) override {
        for (std::size_t done = 0; done < count; done += most_rows)
            read_part(first + done, std::min(most_rows, count - done), out + done * array_.draws);
    }

  private:
    static constexpr std::size_t draws_at_once = 16;
    static constexpr std::size_t most_rows = std::size_t{1} << 15U;

    void read_part(std::size_t first, std::size_t count, float* out) {
        raw_.resize(count * array_.type.bytes);
        columns_.resize(draws_at_once * count);
        for (std::size_t draw = 0; draw < array_.draws; draw += draws_at_once) {
            const std::size_t part = std::min(draws_at_once, array_.draws - draw);
            for (std::size_t d = 0; d < part; ++d) {
                array_.file->read_at(array_.offset + (draw + d) * array_.draw_stride + first * array_.type.bytes, raw_);
                io::to_float32(array_.type, raw_.data(), array_.type.bytes, count, columns_.data() + d * count);
            }
            for (std::size_t r = 0; r < count; ++r) {
                float* cell = out + r * array_.draws + draw;
                for (std::size_t d = 0; d < part; ++d)
                    cell[d] = columns_[d * count + r];
            }
        }
    }

    StridedArray array_;
    std::vector<std::byte> raw_;
    std::vector<float> columns_;
};

class StreamSource final : public ChunkSource {
  public:
    StreamSource(std::unique_ptr<io::ByteStream> stream, io::NumberType type, std::size_t rows, std::size_t draws)
        : stream_(std::move(stream)), type_(type), rows_(rows), draws_(draws) {}
    [[nodiscard]] std::size_t rows() const override { return rows_; }
    [[nodiscard]] std::size_t draws() const override { return draws_; }
    [[nodiscard]] bool blocks_in_any_order() const override { return false; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return stream_->bytes_read(); }

    void read(std::size_t first, std::size_t count, float* out) override {
        ALIQUOT_EXPECT(first >= next_);
        for (; next_ < first; next_ += std::min(count, first - next_))  // rows that nobody wants go by
            read_rows(std::min(count, first - next_), out);
        read_rows(count, out);
        next_ += count;
        std::byte more{};
        if (next_ == rows_ && stream_->read(std::span(&more, 1)) != 0)
            throw DataError(
                format("{}: more bytes than {} rows of {} draws take: check the shape", stream_->name(), rows_, draws_));
    }

  private:
    void read_rows(std::size_t count, float* out) {
        if (type_.is_float32_here()) {
            take(std::as_writable_bytes(std::span(out, count * draws_)));
            return;
        }
        const std::size_t numbers = count * draws_;
        for (std::size_t done = 0; done < numbers;) {
            const std::size_t part = std::min(numbers - done, staging_bytes / type_.bytes);
            staging_.resize(part * type_.bytes);
            take(staging_);
            io::to_float32(type_, staging_.data(), type_.bytes, part, out + done);
            done += part;
        }
    }
    void take(std::span<std::byte> bytes) {
        if (stream_->read(bytes) != bytes.size())
            throw DataError(
                format("{}: truncated ({} rows of {} draws are promised, it ends before): check the shape or fetch it again",
                       stream_->name(), rows_, draws_));
    }

    std::unique_ptr<io::ByteStream> stream_;
    io::NumberType type_;
    std::size_t rows_;
    std::size_t draws_;
    std::size_t next_ = 0;
    std::vector<std::byte> staging_;
};

}  // namespace

std::unique_ptr<ChunkSource> make_strided_source(const StridedArray& array) {
    ALIQUOT_EXPECT(array.draw_stride == array.type.bytes || array.row_stride == array.type.bytes);
    if (array.rows > 0 && array.draws > 0) {
        const std::uint64_t end =
            array.offset + (array.rows - 1) * array.row_stride + (array.draws - 1) * array.draw_stride + array.type.bytes;
        if (end > array.file->size())
            throw DataError(
                format("{}: the file is truncated ({} rows of {} draws end at byte {}, the file at {}): fetch it again",
                       array.file->path(), array.rows, array.draws, end, array.file->size()));
    }
    if (array.draw_stride == array.type.bytes) return std::make_unique<RowSource>(array);
    return std::make_unique<DrawSource>(array);
}

std::unique_ptr<ChunkSource> make_stream_source(std::unique_ptr<io::ByteStream> stream, io::NumberType type, std::size_t rows,
                                                std::size_t draws) {
    return std::make_unique<StreamSource>(std::move(stream), type, rows, draws);
}

}  // namespace aliquot::summary
