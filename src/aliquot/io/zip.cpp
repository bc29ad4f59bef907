#include "aliquot/io/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::io {

namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::uint16_t zip64_extra = 1;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t locator64_bytes = 20;
constexpr std::size_t central_bytes = 46;
constexpr std::size_t local_bytes = 30;
constexpr std::size_t largest_directory = std::size_t{1} << 26U;

/// Little-endian numbers out of bytes that may end too early.
class Fields {
  public:
    Fields(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}
    [[noreturn]] void damaged() const {
        throw DataError(format("{}: the ZIP directory is damaged or the file is truncated: fetch or save it again", path_));
    }
    template <typename T>
    [[nodiscard]] T at(std::size_t offset) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) damaged();
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof(T));
        return value;
    }
    [[nodiscard]] std::string_view text(std::size_t offset, std::size_t length) const {
        if (offset > bytes_.size() || bytes_.size() - offset < length) damaged();
        return bytes_.substr(offset, length);
    }

  private:
    std::string_view bytes_;
    const std::string& path_;
};

std::string read_range(const InputFile& file, std::uint64_t offset, std::uint64_t length) {
    if (offset > file.size() || length > file.size() - offset) Fields({}, file.path()).damaged();
    std::string bytes(length, '\0');
    file.read_at(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

struct Directory {
    std::uint64_t offset;
    std::uint64_t length;
};

Directory find_directory(const InputFile& file) {
    const std::uint64_t tail = std::min<std::uint64_t>(file.size(), end_bytes + 0xffff + locator64_bytes);
    const std::string text = read_range(file, file.size() - tail, tail);
    const Fields fields(text, file.path());
    for (std::size_t at = text.size() >= end_bytes ? text.size() - end_bytes + 1 : 0; at-- > 0;) {
        if (fields.at<std::uint32_t>(at) != end_signature) continue;
        Directory found{fields.at<std::uint32_t>(at + 16), fields.at<std::uint32_t>(at + 12)};
        if (at >= locator64_bytes && fields.at<std::uint32_t>(at - locator64_bytes) == locator64_signature) {
            const std::string end64 = read_range(file, fields.at<std::uint64_t>(at - locator64_bytes + 8), 56);
            const Fields wide(end64, file.path());
            if (wide.at<std::uint32_t>(0) != end64_signature) wide.damaged();
            found = {wide.at<std::uint64_t>(48), wide.at<std::uint64_t>(40)};
        }
        if (found.length > largest_directory) fields.damaged();
        return found;
    }
    throw DataError(format("{}: not a ZIP archive (.npz) or truncated (it has no directory at its end): fetch or save it again",
                           file.path()));
}

/// Sizes and offset that stand in the ZIP64 extra field where the plain ones are all ones.
void apply_zip64(const Fields& extra, std::size_t length, ZipMember& member, std::uint64_t& header) {
    for (std::size_t at = 0; at + 4 <= length;) {
        const auto id = extra.at<std::uint16_t>(at);
        const std::size_t size = extra.at<std::uint16_t>(at + 2);
        if (id == zip64_extra) {
            std::size_t field = at + 4;
            for (std::uint64_t* value : {&member.size, &member.packed, &header}) {
                if (*value != 0xffffffffU) continue;
                *value = extra.at<std::uint64_t>(field);
                field += 8;
            }
        }
        at += 4 + size;
    }
}

class ZipMemberStream final : public ByteStream {
  public:
    ZipMemberStream(const InputFile& file, const ZipMember& member)
        : file_(file), member_(member), name_(file.path() + ", member " + member.name), packed_left_(member.packed) {
        if (member.deflated && inflateInit2(&zip_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    ~ZipMemberStream() override {
        if (member_.deflated) inflateEnd(&zip_);
    }
    ZipMemberStream(const ZipMemberStream&) = delete;
    ZipMemberStream& operator=(const ZipMemberStream&) = delete;

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return member_.packed - packed_left_; }

    std::size_t read(std::span<std::byte> bytes) override {
        const std::size_t wanted = std::min<std::uint64_t>(bytes.size(), member_.size - given_);
        std::size_t done = 0;
        while (done < wanted)
            done +=
                member_.deflated ? inflate_some(bytes.subspan(done, wanted - done)) : copy(bytes.subspan(done, wanted - done));
        for (std::size_t at = 0; at < done;) {
            const std::size_t part = std::min<std::size_t>(done - at, 1U << 30U);
            crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(part));
            at += part;
        }
        given_ += done;
        if (done > 0 && given_ == member_.size && crc_ != member_.crc)
            throw DataError(format("{}: the check sum is wrong (the file is damaged): fetch or save it again", name_));
        return done;
    }

  private:
    std::size_t copy(std::span<std::byte> bytes) {
        if (bytes.size() > packed_left_) damaged();
        file_.read_at(member_.offset + member_.packed - packed_left_, bytes);
        packed_left_ -= bytes.size();
        return bytes.size();
    }
    std::size_t inflate_some(std::span<std::byte> bytes) {
        if (zip_.avail_in == 0) {
            const std::size_t count = std::min<std::uint64_t>(packed_.size(), packed_left_);
            if (count == 0) damaged();
            file_.read_at(member_.offset + member_.packed - packed_left_, std::span(packed_).first(count));
            packed_left_ -= count;
            zip_.next_in = reinterpret_cast<Bytef*>(packed_.data());
            zip_.avail_in = static_cast<uInt>(count);
        }
        const std::size_t room = std::min<std::size_t>(bytes.size(), 1U << 30U);
        zip_.next_out = reinterpret_cast<Bytef*>(bytes.data());
        zip_.avail_out = static_cast<uInt>(room);
        const int code = inflate(&zip_, Z_NO_FLUSH);
        const std::size_t given = room - zip_.avail_out;
        if (code != Z_OK && (code != Z_STREAM_END || given == 0)) damaged();
        return given;
    }
    [[noreturn]] void damaged() const {
        throw DataError(format("{}: the compressed data are damaged or truncated: fetch or save the file again", name_));
    }

    const InputFile& file_;
    ZipMember member_;
    std::string name_;
    std::uint64_t packed_left_;
    std::uint64_t given_ = 0;
    uLong crc_ = 0;
    z_stream zip_{};
    std::array<std::byte, 1 << 16> packed_{};
};

template <typename T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::vector<ZipMember> read_zip_directory(const InputFile& file) {
    const Directory directory = find_directory(file);
    const std::string text = read_range(file, directory.offset, directory.length);
    const Fields fields(text, file.path());
    std::vector<ZipMember> members;
    for (std::size_t at = 0; at < text.size();) {
        if (fields.at<std::uint32_t>(at) != central_signature) fields.damaged();
        const auto flags = fields.at<std::uint16_t>(at + 8);
        const auto method = fields.at<std::uint16_t>(at + 10);
        const std::size_t name = fields.at<std::uint16_t>(at + 28);
        const std::size_t extra = fields.at<std::uint16_t>(at + 30);
        const std::size_t comment = fields.at<std::uint16_t>(at + 32);
        ZipMember member;
        member.name = fields.text(at + central_bytes, name);
        member.deflated = method == 8;
        member.crc = fields.at<std::uint32_t>(at + 16);
        member.packed = fields.at<std::uint32_t>(at + 20);
        member.size = fields.at<std::uint32_t>(at + 24);
        std::uint64_t header = fields.at<std::uint32_t>(at + 42);
        apply_zip64(Fields(fields.text(at + central_bytes + name, extra), file.path()), extra, member, header);
        if ((flags & 1U) != 0 || (method != 0 && method != 8))
            throw DataError(format("{}, member {}: {} (stored and deflated members are read): save it with numpy.savez",
                                   file.path(), member.name,
                                   (flags & 1U) != 0 ? "it is encrypted" : "its compression is not known"));
        const std::string local = read_range(file, header, local_bytes);
        const Fields start(local, file.path());
        if (start.at<std::uint32_t>(0) != local_signature) start.damaged();
        member.offset = header + local_bytes + start.at<std::uint16_t>(26) + start.at<std::uint16_t>(28);
        if (member.offset > file.size() || member.packed > file.size() - member.offset ||
            (!member.deflated && member.packed != member.size))
            fields.damaged();
        members.push_back(std::move(member));
        at += central_bytes + name + extra + comment;
    }
    return members;
}

std::unique_ptr<ByteStream> open_zip_member(const InputFile& file, const ZipMember& member) {
    return std::make_unique<ZipMemberStream>(file, member);
}

struct ZipWriter::State {
    struct Part {
        Member member;
        std::uint64_t header;  ///< offset of the local header
        std::uint64_t data;
        std::uint64_t written = 0;
        uLong crc = 0;
    };
    explicit State(const std::filesystem::path& path) : file(path) {}
    AtomicFile file;
    std::vector<Part> parts;
    std::uint64_t end = 0;
};

ZipWriter::ZipWriter(const std::filesystem::path& path, const std::vector<Member>& members)
    : state_(std::make_unique<State>(path)) {
    for (const Member& member : members) {
        const std::uint64_t data = state_->end + local_bytes + member.name.size() + 20;
        state_->parts.push_back({member, state_->end, data});
        state_->end = data + member.size;
    }
}

ZipWriter::~ZipWriter() = default;

void ZipWriter::append(std::size_t member, std::string_view bytes) {
    State::Part& part = state_->parts.at(member);
    ALIQUOT_EXPECT(bytes.size() <= part.member.size - part.written && bytes.size() < (1U << 31U));
    state_->file.write_at(part.data + part.written, bytes);
    part.crc = crc32(part.crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    part.written += bytes.size();
}

void ZipWriter::close() {
    constexpr std::uint32_t wide = 0xffffffffU;
    constexpr std::uint16_t version = 45;
    constexpr std::uint16_t first_of_january_1980 = 0x21;
    std::string directory;
    for (const State::Part& part : state_->parts) {
        ALIQUOT_EXPECT(part.written == part.member.size);
        // Both headers agree from "version needed" to the sizes, which stand in a ZIP64 field as numpy writes it.
        std::string common;
        put(common, version);
        put(common, std::uint16_t{0});
        put(common, std::uint16_t{0});
        put(common, std::uint16_t{0});
        put(common, first_of_january_1980);
        put(common, static_cast<std::uint32_t>(part.crc));
        put(common, wide);
        put(common, wide);
        put(common, static_cast<std::uint16_t>(part.member.name.size()));
        std::string local;
        put(local, local_signature);
        local += common;
        put(local, std::uint16_t{20});
        local += part.member.name;
        put(local, zip64_extra);
        put(local, std::uint16_t{16});
        put(local, part.member.size);
        put(local, part.member.size);
        state_->file.write_at(part.header, local);
        put(directory, central_signature);
        put(directory, version);
        directory += common;
        put(directory, std::uint16_t{28});
        directory.append(2 + 2 + 2 + 4, '\0');
        put(directory, wide);
        directory += part.member.name;
        put(directory, zip64_extra);
        put(directory, std::uint16_t{24});
        put(directory, part.member.size);
        put(directory, part.member.size);
        put(directory, part.header);
    }
    std::string end;
    put(end, end64_signature);
    put(end, std::uint64_t{44});
    put(end, version);
    put(end, version);
    put(end, std::uint64_t{0});
    put(end, std::uint64_t{state_->parts.size()});
    put(end, std::uint64_t{state_->parts.size()});
    put(end, std::uint64_t{directory.size()});
    put(end, state_->end);
    put(end, locator64_signature);
    put(end, std::uint32_t{0});
    put(end, state_->end + directory.size());
    put(end, std::uint32_t{1});
    put(end, end_signature);
    put(end, std::uint32_t{0});
    put(end, static_cast<std::uint16_t>(state_->parts.size()));
    put(end, static_cast<std::uint16_t>(state_->parts.size()));
    put(end, static_cast<std::uint32_t>(directory.size()));
    put(end, wide);
    put(end, std::uint16_t{0});
    state_->file.write_at(state_->end, directory + end);
    state_->file.commit();
}

}  // namespace aliquot::io
