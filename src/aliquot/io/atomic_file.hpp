#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aliquot::io {

/// Writes a file under a temporary name beside its target and renames it when it is whole: whoever reads the target sees the old
/// file or the new one, never half of one. Every failure is a ResourceError that names the path and the system's reason.
class AtomicFile {
  public:
    /// Create the temporary. A target that is a symbolic link keeps being one: the file it points to is replaced.
    explicit AtomicFile(std::filesystem::path target);
    /// Removes the temporary unless commit() was called.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    [[nodiscard]] const std::filesystem::path& target() const { return target_; }
    /// Append bytes to the temporary.
    void write(std::string_view bytes);
    /// Write bytes at a place of the temporary; gaps that stay unwritten are zero. Not to be mixed with write().
    void write_at(std::uint64_t offset, std::string_view bytes);
    /// Hand the temporary name to a library that creates files itself; the name is free when this returns and is still removed or
    /// renamed by this object. Not to be mixed with write().
    [[nodiscard]] const std::filesystem::path& hand_over();
    /// Flush to the disk and rename onto the target.
    void commit();

  private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
    bool committed_ = false;
};

/// Remove the temporaries of `target` that killed processes of this machine have left behind.
void remove_abandoned(const std::filesystem::path& target);

/// Write `bytes` to `path` as one AtomicFile.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole content of a file. DataError (no_input) where it is missing or cannot be opened, ResourceError where reading fails.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Make a directory and its parents; one that is there already is fine.
void ensure_directory(const std::filesystem::path& path);

}  // namespace aliquot::io
