#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aliquot/io/number_type.hpp"

namespace aliquot::io {

/// What is known of a dataset before it is read.
struct Hdf5Dataset {
    std::string path;
    std::vector<std::size_t> shape;
    NumberType type;
    std::optional<std::uint64_t> offset;  ///< of its first byte in the file, where it lies there in one piece
};

/// Reads datasets of real numbers from an HDF5 file (netCDF-4 files are such). Throws DataError (no_input where the file is
/// missing). Not for use by several threads.
class Hdf5Reader {
  public:
    explicit Hdf5Reader(const std::string& path);
    ~Hdf5Reader();
    Hdf5Reader(const Hdf5Reader&) = delete;
    Hdf5Reader& operator=(const Hdf5Reader&) = delete;

    /// Paths of all datasets, "/sb/values".
    [[nodiscard]] std::vector<std::string> datasets() const;
    /// DataError naming the nearest dataset where there is none of that path, or where it does not hold real numbers.
    [[nodiscard]] Hdf5Dataset describe(const std::string& dataset) const;
    /// Elements [first, first + count) of the first axis, all of the others, as float32.
    void read(const std::string& dataset, std::size_t first, std::size_t count, float* out) const;
    /// The same as int64, for datasets of integers.
    void read(const std::string& dataset, std::size_t first, std::size_t count, std::int64_t* out) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

/// Writes an HDF5 file of one-dimensional datasets that grow side by side, as one AtomicFile. ResourceError where writing fails.
class Hdf5Writer {
  public:
    enum class Type { float32, int64 };
    explicit Hdf5Writer(const std::filesystem::path& path);
    /// Leaves nothing behind unless close() was called.
    ~Hdf5Writer();
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    /// Add a column of `rows` numbers; columns are numbered from 0.
    void column(const std::string& name, Type type, std::size_t rows);
    /// Fill part of a column.
    void put(std::size_t column, std::size_t first, const void* values, std::size_t count);
    void close();

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace aliquot::io
