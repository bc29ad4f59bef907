#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace aliquot::io {

/// A file opened for reading at any place, by any number of threads. DataError (no_input) where it is missing or is not a regular
/// file; DataError where it ends too early; ResourceError where the system fails to read.
class InputFile {
  public:
    explicit InputFile(std::string path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Bytes that read_at has given so far.
    [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
    /// Fill `bytes` from `offset`.
    void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
    /// Ask the system to fetch a range in the background.
    void will_need(std::uint64_t offset, std::uint64_t length) const;

  private:
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    mutable std::atomic<std::uint64_t> bytes_read_{0};
};

/// Bytes that come one after the other.
class ByteStream {
  public:
    virtual ~ByteStream() = default;
    /// Name for messages.
    [[nodiscard]] virtual const std::string& name() const = 0;
    /// Read up to `bytes.size()` bytes; fewer only at the end. Errors as for InputFile.
    virtual std::size_t read(std::span<std::byte> bytes) = 0;
    /// Bytes taken from the file or pipe so far.
    [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

/// Standard input.
[[nodiscard]] std::unique_ptr<ByteStream> standard_input();

}  // namespace aliquot::io
