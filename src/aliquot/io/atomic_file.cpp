#include "aliquot/io/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::io {

namespace fs = std::filesystem;

namespace {

std::string reason(int code) {
    return std::generic_category().message(code);
}

[[noreturn]] void fail_write(const fs::path& path, int code) {
    throw ResourceError(
        format("cannot write {} ({}): check the path, its permissions and the free space", path.string(), reason(code)));
}

fs::path resolve(fs::path target) {
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(target, error))) {
        const fs::path pointed = fs::weakly_canonical(target, error);
        if (!error) return pointed;
    }
    return target;
}

fs::path directory_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(resolve(std::move(target))) {
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw ResourceError(format("cannot write {} ({}): name a file", target_.string(),
                                   fs::is_directory(status) ? "it is a directory" : "it is not a regular file"));
    if (!target_.has_filename()) throw ResourceError(format("cannot write \"{}\" (no file name): name a file", target_.string()));
    static std::atomic<unsigned> serial{0};
    for (int attempt = 0; attempt < 1000; ++attempt) {
        temporary_ = directory_of(target_) / format(".{}.{}-{}.tmp", target_.filename().string(), ::getpid(), serial++);
        descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) return;
        if (errno != EEXIST) break;
    }
    fail_write(target_, errno);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    ALIQUOT_EXPECT(descriptor_ >= 0 && !committed_);
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            fail_write(target_, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view bytes) {
    ALIQUOT_EXPECT(descriptor_ >= 0 && !committed_);
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0) {
            if (errno == EINTR) continue;
            fail_write(target_, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
}

const fs::path& AtomicFile::hand_over() {
    ALIQUOT_EXPECT(descriptor_ >= 0 && !committed_);
    ::close(std::exchange(descriptor_, -1));
    ::unlink(temporary_.c_str());
    return temporary_;
}

void AtomicFile::commit() {
    ALIQUOT_EXPECT(!committed_);
    if (descriptor_ < 0) descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0 || ::fsync(descriptor_) != 0) fail_write(target_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_write(target_, errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_write(target_, errno);
    committed_ = true;
    // The rename itself reaches the disk with the directory; a file system that cannot flush one has done what it can.
    if (const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); directory >= 0) {
        ::fsync(directory);
        ::close(directory);
    }
}

void remove_abandoned(const fs::path& target) {
    const std::string prefix = format(".{}.", target.filename().string());
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory_of(target), error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(".tmp")) continue;
        int process = 0;
        const char* const end = name.data() + name.size();
        const auto [rest, fault] = std::from_chars(name.data() + prefix.size(), end, process);
        if (fault != std::errc{} || *rest != '-' || process <= 0) continue;
        if (::kill(process, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), error);
    }
}

void write_file(const fs::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

std::string read_file(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        throw DataError(format("cannot open {} ({}): check the path", path.string(), reason(errno)), ExitCode::no_input);
    std::string content;
    struct stat status{};
    if (::fstat(descriptor, &status) == 0 && status.st_size > 0) content.reserve(static_cast<std::size_t>(status.st_size));
    char block[1 << 16];
    for (;;) {
        const ssize_t count = ::read(descriptor, block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int code = errno;
            ::close(descriptor);
            if (count == 0) return content;
            if (code == EISDIR)
                throw DataError(format("cannot read {} (it is a directory): name a file", path.string()), ExitCode::no_input);
            throw ResourceError(format("cannot read {} ({}): check the disk it is on", path.string(), reason(code)));
        }
        content.append(block, static_cast<std::size_t>(count));
    }
}

void ensure_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (!error && fs::is_directory(path, error)) return;
    const std::string why = fs::exists(path) ? "something else has that name" : error.message();
    throw ResourceError(format("cannot make the directory {} ({}): choose another place or free this one", path.string(), why));
}

}  // namespace aliquot::io
