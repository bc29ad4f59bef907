#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "aliquot/summary/collapse.hpp"
#include "aliquot/summary/frame_files.hpp"

namespace aliquot::summary {

/// Everything that `aliquot collapse` is asked for.
struct RunOptions {
    std::vector<std::string> paths;
    std::filesystem::path out;
    CollapseOptions collapse;
    FrameOptions frames;
    std::vector<std::string> targets;  ///< only these; all where empty
    std::vector<RowRange> times;       ///< only these times, as ranges; all where empty
    std::optional<RowRange> rows;      ///< only these rows
    OutputFormat format = OutputFormat::npy;
    std::string observed;  ///< path of observations, one per row; or ""
    std::string mapping;   ///< path of the table that says what larger unit each unit belongs to; or ""
    std::string totals;    ///< path of the frame of larger units that cells are reconciled to; or ""
    bool report = true;    ///< write report.html
};

/// What was done for one target, or for the larger units of one.
struct TargetResult {
    std::string name;
    std::string path;
    CollapseCount count;
    std::vector<std::string> files;
    std::vector<std::string> labels;
    double seconds = 0.0;
};

struct RunResult {
    std::vector<TargetResult> targets;
    std::vector<std::string> notes;
    std::uint64_t bytes_read = 0;  ///< of draws
    double seconds = 0.0;
};

/// Collapse target after target; each is opened when its turn comes, and its files appear when it is done. Throws what the
/// library throws; Interrupted leaves the targets done before.
RunResult run_collapse(const RunOptions& options, Threads& threads, const ProgressCallback& progress,
                       const std::function<bool()>& interrupted);

/// The result as JSON, pretty-printed: totals, then one object per target.
[[nodiscard]] std::string run_json(const RunOptions& options, const RunResult& result);

/// Greatest resident memory of this process so far, in bytes (VmHWM).
[[nodiscard]] std::uint64_t peak_resident_bytes();

}  // namespace aliquot::summary
