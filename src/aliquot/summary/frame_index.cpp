#include "aliquot/summary/frame_index.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/zip.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t stretch = std::size_t{1} << 15U;

class CountingIndex final : public FrameIndex {
  public:
    explicit CountingIndex(std::size_t rows) : rows_(rows) {}
    [[nodiscard]] std::size_t rows() const override { return rows_; }
    void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const override {
        std::ranges::fill(times, 0);
        for (std::size_t i = 0; i < units.size(); ++i)
            units[i] = static_cast<std::int64_t>(first + i);
    }

  private:
    std::size_t rows_;
};

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// One integer array, at some place of the archive or of a temporary file that holds it unpacked.
struct Column {
    io::NumberType type;
    std::size_t rows = 0;
    std::uint64_t offset = 0;
    TemporaryFile unpacked{nullptr, std::fclose};

    void read(const io::InputFile& file, std::size_t first, std::span<std::int64_t> out) const {
        std::vector<std::byte> raw(std::min(stretch, out.size()) * type.bytes);
        for (std::size_t done = 0; done < out.size();) {
            const std::size_t part = std::min(stretch, out.size() - done);
            const std::span<std::byte> bytes(raw.data(), part * type.bytes);
            const std::uint64_t place = offset + (first + done) * type.bytes;
            if (unpacked == nullptr) {
                file.read_at(place, bytes);
            } else if (std::fseek(unpacked.get(), static_cast<long>(place), SEEK_SET) != 0 ||
                       std::fread(bytes.data(), 1, bytes.size(), unpacked.get()) != bytes.size()) {
                throw ResourceError(format(
                    "cannot read back the unpacked identifiers of {} (the temporary file fails): check TMPDIR", file.path()));
            }
            io::to_int64(type, bytes.data(), type.bytes, part, out.data() + done);
            done += part;
        }
    }
};

TemporaryFile unpack(io::ByteStream& stream) {
    TemporaryFile file(std::tmpfile(), std::fclose);
    std::vector<std::byte> bytes(stretch);
    bool fine = file != nullptr;
    while (fine) {
        const std::size_t count = stream.read(bytes);
        if (count == 0) break;
        fine = std::fwrite(bytes.data(), 1, count, file.get()) == count;
    }
    if (!fine || std::fflush(file.get()) != 0)
        throw ResourceError(format("cannot unpack {} into a temporary file (no room or no right): check TMPDIR", stream.name()));
    return file;
}

Column open_column(const io::InputFile& file, const std::vector<io::ZipMember>& members, const std::string& name) {
    const auto member = std::ranges::find(members, name + ".npy", &io::ZipMember::name);
    if (member == members.end())
        throw DataError(format("{}: no array \"{}\" (identifiers need \"time\" and \"unit\"): save both", file.path(), name));
    const std::string place = file.path() + ", array " + name;
    std::string header(std::min<std::uint64_t>(io::npy_preamble_bytes, member->size), '\0');
    Column column;
    const auto fill = [&](std::string& text) {
        auto stream = io::open_zip_member(file, *member);
        if (stream->read(std::as_writable_bytes(std::span(text))) != text.size())
            throw DataError(format("{}: truncated inside its header: fetch or save it again", place));
    };
    fill(header);
    header.resize(std::min<std::uint64_t>(io::npy_header_length(header, place), member->size));
    fill(header);
    const io::NpyHeader npy = io::parse_npy_header(header, place);
    if (npy.type.kind == io::NumberKind::floating)
        throw DataError(
            format("{}: {} (identifiers must be integers, so that none can be NaN): save them with astype(numpy.int64)", place,
                   io::to_string(npy.type)));
    if (npy.shape.size() != 1)
        throw DataError(format("{}: {} dimensions (one is expected): save one number per row", place, npy.shape.size()));
    if (npy.data_offset + npy.count() * npy.type.bytes != member->size)
        throw DataError(format("{}: {} numbers are promised in {} bytes (the array is truncated or damaged): save it again",
                               place, npy.count(), member->size));
    column.type = npy.type;
    column.rows = npy.shape[0];
    column.offset = npy.data_offset;
    if (member->deflated) {
        column.unpacked = unpack(*io::open_zip_member(file, *member));
    } else {
        column.offset += member->offset;
    }
    return column;
}

class NpzIndex final : public FrameIndex {
  public:
    explicit NpzIndex(const std::string& path) : file_(path) {
        const auto members = io::read_zip_directory(file_);
        time_ = open_column(file_, members, "time");
        unit_ = open_column(file_, members, "unit");
        if (time_.rows != unit_.rows)
            throw DataError(format("{}: {} times and {} units (one of each per row is expected): save them again", path,
                                   time_.rows, unit_.rows));
    }
    [[nodiscard]] std::size_t rows() const override { return time_.rows; }
    void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const override {
        time_.read(file_, first, times);
        unit_.read(file_, first, units);
    }

  private:
    io::InputFile file_;
    Column time_;
    Column unit_;
};

}  // namespace

std::unique_ptr<FrameIndex> make_counting_index(std::size_t rows) {
    return std::make_unique<CountingIndex>(rows);
}

std::unique_ptr<FrameIndex> open_npz_index(const std::string& path) {
    return std::make_unique<NpzIndex>(path);
}

std::vector<RowRange> rows_at_times(const FrameIndex& index, RowRange range, std::span<const std::int64_t> times) {
    std::vector<RowRange> runs;
    std::vector<std::int64_t> time(stretch);
    for (std::size_t done = 0; done < range.count;) {
        const std::size_t part = std::min(stretch, range.count - done);
        index.read(range.first + done, std::span(time).first(part), {});
        for (std::size_t i = 0; i < part; ++i) {
            if (!std::ranges::binary_search(times, time[i])) continue;
            const std::size_t row = range.first + done + i;
            if (!runs.empty() && runs.back().first + runs.back().count == row) {
                ++runs.back().count;
            } else {
                runs.push_back({row, 1});
            }
        }
        done += part;
    }
    return runs;
}

}  // namespace aliquot::summary
