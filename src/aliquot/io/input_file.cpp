#include "aliquot/io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::io {

namespace {

std::string reason(int code) {
    return std::generic_category().message(code);
}

class StandardInput final : public ByteStream {
  public:
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }
    std::size_t read(std::span<std::byte> bytes) override {
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t count = ::read(STDIN_FILENO, bytes.data() + done, bytes.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) throw ResourceError(format("cannot read standard input ({}): check what feeds it", reason(errno)));
            if (count == 0) break;
            done += static_cast<std::size_t>(count);
        }
        bytes_read_ += done;
        return done;
    }

  private:
    std::string name_ = "standard input";
    std::uint64_t bytes_read_ = 0;
};

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw DataError(format("cannot open {} ({}): check the path", path_, reason(errno)), ExitCode::no_input);
    struct stat status{};
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    if (!regular) {
        ::close(descriptor_);
        throw DataError(format("cannot read {} ({}): name a file", path_,
                               S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file"),
                        ExitCode::no_input);
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

InputFile::~InputFile() {
    ::close(descriptor_);
}

void InputFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw ResourceError(format("cannot read {} ({}): check the disk it is on", path_, reason(errno)));
        if (count == 0)
            throw DataError(
                format("{}: the file is truncated ({} bytes are promised at byte {}, the file ends at {}): fetch it again", path_,
                       bytes.size(), offset, offset + done));
        done += static_cast<std::size_t>(count);
    }
    bytes_read_.fetch_add(done, std::memory_order_relaxed);
}

void InputFile::will_need(std::uint64_t offset, std::uint64_t length) const {
    ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
}

std::unique_ptr<ByteStream> standard_input() {
    return std::make_unique<StandardInput>();
}

}  // namespace aliquot::io
