#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aliquot/infer/nested_sampler.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

/// One thing that a checkpoint and the run that continues it must share.
struct IdentityField {
    std::string name;   ///< as messages say it, "nlive"
    std::string value;  ///< may have many lines, of which messages quote the first that differs
};

/// Everything that decides a run's numbers, in an order that says the most telling difference first.
using RunIdentity = std::vector<IdentityField>;

/// Where a run keeps its checkpoint, and what the caller knows of its identity.
struct Checkpointing {
    std::filesystem::path file;  ///< "" = the run keeps none
    bool resume = false;         ///< continue from `file`, where it is there
    RunIdentity identity;        ///< configuration, data; the run adds what it knows itself
};

/// What a run knows of its own identity: the program's version, the options that decide numbers (not caps, not threads), and a
/// hash of parameters and ln L at 16 points of the prior, which tells other data, templates and arithmetic.
[[nodiscard]] RunIdentity run_identity(const Problem& problem, const NestedOptions& options);

/// A run at a batch boundary.
struct Checkpoint {
    NestedState state;
    double seconds = 0.0;  ///< that the run has taken so far
};

/// Write a checkpoint as one AtomicFile. Layout, little-endian: "ALIQCKPT", u64 format, u64 length of the whole file, the
/// identity, seconds, every member of NestedState in order (counts as u64 in front of arrays), and the 64-bit FNV-1a of all bytes
/// before it. Throws ResourceError.
void write_checkpoint(const std::filesystem::path& path, const NestedState& state, double seconds, const RunIdentity& identity);

/// Read a checkpoint of the run that `identity` describes: continued, it gives the same bits as the run that wrote it. Throws
/// DataError for a file that is missing, truncated, damaged, of another format, or of another run (saying what differs).
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& path, const RunIdentity& identity);

}  // namespace aliquot::infer
