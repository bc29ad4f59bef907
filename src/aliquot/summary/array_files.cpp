#include "aliquot/summary/array_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/zip.hpp"

namespace aliquot::summary {

namespace {

/// Rows, draws and strides of a two-dimensional array.
void lay_out(StridedArray& array, const std::vector<std::size_t>& shape, bool fortran_order, SampleAxis axis,
             const std::string& place) {
    if (shape.size() != 2)
        throw DataError(format("{}: {} dimension{} (rows and draws are expected): save an array of shape (rows, draws)", place,
                               shape.size(), shape.size() == 1 ? "" : "s"));
    const std::uint64_t first_stride = fortran_order ? array.type.bytes : shape[1] * array.type.bytes;
    const std::uint64_t second_stride = fortran_order ? shape[0] * array.type.bytes : array.type.bytes;
    const bool last = axis == SampleAxis::last;
    array.rows = last ? shape[0] : shape[1];
    array.draws = last ? shape[1] : shape[0];
    array.row_stride = last ? first_stride : second_stride;
    array.draw_stride = last ? second_stride : first_stride;
    if (array.draws == 0)
        throw DataError(format("{}: no draws (the sample axis has length 0): there is nothing to summarise", place));
    if (array.rows == 0) throw DataError(format("{}: no rows (the array is empty): there is nothing to summarise", place));
}

void check_rows(const StridedArray& array, std::optional<std::size_t> index_rows, const std::string& place) {
    if (!index_rows || *index_rows == array.rows) return;
    const char* advice = *index_rows == array.draws ? "is the sample axis the other one? see --sample-axis" : "save both again";
    throw DataError(
        format("{}: {} rows of values and {} identifiers (one per row is expected): {}", place, array.rows, *index_rows, advice));
}

io::NpyHeader read_header(io::ByteStream& stream, const std::string& place) {
    std::string header(io::npy_preamble_bytes, '\0');
    header.resize(stream.read(std::as_writable_bytes(std::span(header))));
    const std::size_t known = header.size();
    header.resize(std::max(io::npy_header_length(header, place), known));
    header.resize(known + stream.read(std::as_writable_bytes(std::span(header).subspan(known))));
    return io::parse_npy_header(header, place);
}

/// Rows of a .npy that streams by; its header has been read.
std::unique_ptr<ChunkSource> stream_rows(std::unique_ptr<io::ByteStream> stream, const io::NpyHeader& header,
                                         const FrameOptions& options, std::optional<std::size_t> index_rows) {
    StridedArray array;
    array.type = header.type;
    const std::string place = stream->name();
    lay_out(array, header.shape, header.fortran_order, options.sample_axis, place);
    check_rows(array, index_rows, place);
    if (array.draw_stride != array.type.bytes)
        throw DataError(
            format("{}: the draws of a row do not lie together (a stream cannot be transposed in bounded memory): give an "
                   "uncompressed file",
                   place));
    return make_stream_source(std::move(stream), header.type, array.rows, array.draws);
}

/// Part of a file as a stream, for headers inside it.
class RangeStream final : public io::ByteStream {
  public:
    RangeStream(std::shared_ptr<const io::InputFile> file, std::uint64_t offset, std::uint64_t size)
        : file_(std::move(file)), offset_(offset), left_(size) {}
    [[nodiscard]] const std::string& name() const override { return file_->path(); }
    [[nodiscard]] std::uint64_t bytes_read() const override { return file_->bytes_read(); }
    std::size_t read(std::span<std::byte> bytes) override {
        const std::size_t count = std::min<std::uint64_t>(bytes.size(), left_);
        file_->read_at(offset_, bytes.first(count));
        offset_ += count;
        left_ -= count;
        return count;
    }

  private:
    std::shared_ptr<const io::InputFile> file_;
    std::uint64_t offset_;
    std::uint64_t left_;
};

std::unique_ptr<ChunkSource> open_npy_at(const std::shared_ptr<const io::InputFile>& file, std::uint64_t offset,
                                         std::uint64_t size, const std::string& place, const FrameOptions& options,
                                         std::optional<std::size_t> index_rows) {
    RangeStream stream(file, offset, size);
    const io::NpyHeader header = read_header(stream, place);
    StridedArray array;
    array.file = file;
    array.type = header.type;
    array.offset = offset + header.data_offset;
    lay_out(array, header.shape, header.fortran_order, options.sample_axis, place);
    check_rows(array, index_rows, place);
    return make_strided_source(array);
}

/// A deflated member together with the archive that it needs.
class MemberStream final : public io::ByteStream {
  public:
    MemberStream(std::shared_ptr<const io::InputFile> file, const io::ZipMember& member)
        : file_(std::move(file)), stream_(io::open_zip_member(*file_, member)) {}
    [[nodiscard]] const std::string& name() const override { return stream_->name(); }
    [[nodiscard]] std::uint64_t bytes_read() const override { return stream_->bytes_read(); }
    std::size_t read(std::span<std::byte> bytes) override { return stream_->read(bytes); }

  private:
    std::shared_ptr<const io::InputFile> file_;
    std::unique_ptr<io::ByteStream> stream_;
};

const io::ZipMember& choose_member(const std::vector<io::ZipMember>& members, const std::string& path,
                                   const std::string& wanted) {
    std::vector<std::string> names;
    for (const io::ZipMember& member : members)
        names.push_back(member.name.ends_with(".npy") ? member.name.substr(0, member.name.size() - 4) : member.name);
    const auto find = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    if (!wanted.empty()) {
        const std::size_t at = find(wanted);
        if (at == names.size()) throw DataError(format("{}: no array \"{}\"{}", path, wanted, suggest(wanted, names)));
        return members[at];
    }
    for (const char* usual : {"y_pred", "values"}) {
        if (const std::size_t at = find(usual); at < names.size()) return members[at];
    }
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] != "time" && names[i] != "unit") others.push_back(i);
    }
    if (others.size() != 1)
        throw DataError(
            format("{}: {} arrays could be meant{}; name one, as in {}:y_pred", path, others.size(), suggest("", names), path));
    return members[others[0]];
}

}  // namespace

std::unique_ptr<ChunkSource> open_npy(const std::string& path, const FrameOptions& options,
                                      std::optional<std::size_t> index_rows) {
    const auto file = std::make_shared<io::InputFile>(path);
    return open_npy_at(file, 0, file->size(), path, options, index_rows);
}

std::unique_ptr<ChunkSource> open_raw(const std::string& path, const FrameOptions& options) {
    const auto file = std::make_shared<io::InputFile>(path);
    if (!options.shape)
        throw DataError(
            format("{}: not a format that is known by its name (.npy, .npz, .h5, .fits): give the shape of raw float32 "
                   "data, as in --shape 64818,1000",
                   path));
    StridedArray array;
    array.file = file;
    lay_out(array, {options.shape->first, options.shape->second}, false, options.sample_axis, path);
    if (array.rows * array.draws * sizeof(float) != file->size())
        throw DataError(format("{}: {} bytes, but {} rows of {} draws take {} (raw float32): check the shape", path, file->size(),
                               array.rows, array.draws, array.rows * array.draws * sizeof(float)));
    return make_strided_source(array);
}

std::unique_ptr<ChunkSource> open_standard_input(const FrameOptions& options) {
    auto stream = io::standard_input();
    if (options.shape) {
        const io::NpyHeader header{{}, false, {options.shape->first, options.shape->second}, 0};
        return stream_rows(std::move(stream), header, options, std::nullopt);
    }
    const io::NpyHeader header = read_header(*stream, stream->name());
    return stream_rows(std::move(stream), header, options, std::nullopt);
}

Frame open_npz(const std::string& path, const std::string& array, const FrameOptions& options) {
    const auto file = std::make_shared<io::InputFile>(path);
    const auto members = io::read_zip_directory(*file);
    const io::ZipMember& member = choose_member(members, path, array);
    Frame frame;
    const auto has = [&](const char* name) { return std::ranges::find(members, name, &io::ZipMember::name) != members.end(); };
    std::optional<std::size_t> rows;
    if (has("time.npy") && has("unit.npy")) {
        frame.index = open_npz_index(path);
        rows = frame.index->rows();
        frame.level = guess_level(*frame.index);
    }
    if (member.deflated) {
        auto stream = std::make_unique<MemberStream>(file, member);
        const io::NpyHeader header = read_header(*stream, stream->name());
        frame.source = stream_rows(std::move(stream), header, options, rows);
    } else {
        frame.source = open_npy_at(file, member.offset, member.size, path + ", array " + member.name, options, rows);
    }
    return frame;
}

Level read_header_level(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) return Level::unknown;
    const nlohmann::json header = nlohmann::json::parse(io::read_file(path), nullptr, false);
    if (!header.is_object())
        throw DataError(format("{}: not JSON (it should state the level): save the frame again", path.string()));
    const auto level = header.find("level");
    if (level == header.end() || !level->is_string()) return Level::unknown;
    if (*level == "pgm") return Level::priogrid;
    return *level == "cm" ? Level::country : Level::unknown;
}

}  // namespace aliquot::summary
