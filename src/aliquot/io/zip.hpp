#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/input_file.hpp"

namespace aliquot::io {

/// A member of a ZIP archive such as .npz.
struct ZipMember {
    std::string name;
    bool deflated = false;     ///< otherwise stored as it is
    std::uint32_t crc = 0;     ///< of the content
    std::uint64_t packed = 0;  ///< bytes in the archive
    std::uint64_t size = 0;    ///< bytes of the content
    std::uint64_t offset = 0;  ///< of the member's data in the archive
};

/// The members of an archive by its central directory (ZIP64 too). Throws DataError: not a ZIP archive, damaged, encrypted or
/// compressed by another method than deflate.
[[nodiscard]] std::vector<ZipMember> read_zip_directory(const InputFile& file);

/// The content of a member, one byte after the other, whose check sum is verified at its end. Both arguments must outlive it.
[[nodiscard]] std::unique_ptr<ByteStream> open_zip_member(const InputFile& file, const ZipMember& member);

/// Writes an archive of stored members whose sizes are known in advance and whose contents grow side by side.
class ZipWriter {
  public:
    struct Member {
        std::string name;
        std::uint64_t size;
    };
    ZipWriter(const std::filesystem::path& path, const std::vector<Member>& members);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// Append to the content of a member.
    void append(std::size_t member, std::string_view bytes);
    /// Write the directory and put the archive in its place; every member must have its size by now.
    void close();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace aliquot::io
