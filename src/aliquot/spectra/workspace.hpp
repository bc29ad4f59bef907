#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/spectra/amplitude_columns.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

/// A number that no other evaluator of this process has.
[[nodiscard]] std::uint64_t next_evaluator();

/// What one thread needs to evaluate a compiled plan; bound to one evaluator at a time. Evaluators derive their own from it.
struct Workspace {
    std::uint64_t owner = 0;     ///< from next_evaluator(), which never gives 0
    std::vector<double> values;  ///< of all parameters, free or not
    std::vector<double> theta;   ///< of the free ones, where they are not the caller's
    std::vector<double> registers = std::vector<double>(tile_registers * tile_pixels);
};

/// theta with 1 for every parameter of the block.
[[nodiscard]] std::span<const double> unit_amplitudes(const AmplitudeColumns& columns, std::span<const double> theta,
                                                      Workspace& work);

/// This thread's workspace of type `Own`, made anew where another evaluator had it last.
template <typename Own>
Own& workspace_of(std::uint64_t owner, std::size_t parameters) {
    thread_local Own work;
    if (work.owner != owner) {
        work = Own{};
        work.owner = owner;
        work.values.resize(parameters);
    }
    return work;
}

}  // namespace aliquot::spectra
