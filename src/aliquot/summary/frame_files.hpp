#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aliquot/summary/chunk_source.hpp"
#include "aliquot/summary/frame_index.hpp"
#include "aliquot/summary/layer_sink.hpp"

namespace aliquot::summary {

/// Which axis of a two-dimensional array counts the draws.
enum class SampleAxis { last, first };

/// What the units of a frame are.
enum class Level { unknown, priogrid, country };

/// An open frame, ready to be collapsed.
struct Frame {
    std::unique_ptr<ChunkSource> source;
    std::unique_ptr<FrameIndex> index;
    Level level = Level::unknown;
    std::vector<std::string> labels;  ///< names of the rows, for posteriors of fits; else empty
};

/// A frame that is not open yet: opening one must not touch another.
struct FrameFile {
    std::string name;
    std::string path;  ///< for messages
    std::function<Frame()> open;
};

struct FrameOptions {
    SampleAxis sample_axis = SampleAxis::last;
    std::optional<std::pair<std::size_t, std::size_t>> shape;  ///< (rows, draws) of raw float32 data
    std::optional<Level> level;                                ///< instead of what the files say
};

/// The frames that a path means:
/// - a folder with y_pred.npy and identifiers.npz (or values.npy, identifiers.npz and header.json), or a folder of such folders;
/// - a .npy file (identifiers.npz beside it is used), a .npz file (its array y_pred or values, or the only one of two dimensions;
///   or file.npz:array), an HDF5 file (its only two-dimensional dataset, or file.h5:dataset), a FITS file (its first
///   two-dimensional image, or file.fits:HDU, or file.fits:HDU/COLUMN);
/// - a fit.fits: the equal-weight draws of its parameters, one row per parameter;
/// - any other file of raw float32 whose shape is given; "-", standard input, as .npy or with a shape.
/// Throws DataError.
[[nodiscard]] std::vector<FrameFile> find_frames(const std::string& path, const FrameOptions& options);

/// Names of the index columns for a level, "month_id" and "priogrid_id" for PRIO-GRID cells.
[[nodiscard]] IndexNames index_names(Level level);

/// The level of a frame whose files do not say: PRIO-GRID where its first units are numbers that only cells have.
[[nodiscard]] Level guess_level(const FrameIndex& index);

}  // namespace aliquot::summary
