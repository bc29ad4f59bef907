#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "aliquot/summary/frame_files.hpp"

/// One function per file format that holds an array of draws; used by frame_files.cpp, which says which file is meant. All throw
/// DataError: not such a file, not two-dimensional, no rows or draws, not real numbers, truncated, rows that do not match the
/// identifiers.
namespace aliquot::summary {

/// A .npy file; `index_rows` is the number of identifiers, where there are any.
[[nodiscard]] std::unique_ptr<ChunkSource> open_npy(const std::string& path, const FrameOptions& options,
                                                    std::optional<std::size_t> index_rows);
/// Raw float32 of this machine's byte order.
[[nodiscard]] std::unique_ptr<ChunkSource> open_raw(const std::string& path, const FrameOptions& options);
/// Standard input, as .npy or raw.
[[nodiscard]] std::unique_ptr<ChunkSource> open_standard_input(const FrameOptions& options);
/// An array of a .npz file, by name or the one that is meant; arrays "time" and "unit" in it are its identifiers.
[[nodiscard]] Frame open_npz(const std::string& path, const std::string& array, const FrameOptions& options);
/// A dataset of an HDF5 file, by path or the only one of two dimensions; "time" and "unit" beside it are its identifiers.
[[nodiscard]] Frame open_hdf5(const std::string& path, const std::string& dataset, const FrameOptions& options);
/// An image ("HDU") or a column of vectors ("HDU/COLUMN") of a FITS file, its first two-dimensional image, or the posterior of a
/// fit.fits.
[[nodiscard]] Frame open_fits(const std::string& path, const std::string& part, const FrameOptions& options);

/// The level that a header.json states; unknown where there is no such file.
[[nodiscard]] Level read_header_level(const std::filesystem::path& path);

}  // namespace aliquot::summary
