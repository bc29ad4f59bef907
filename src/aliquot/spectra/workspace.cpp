#include "aliquot/spectra/workspace.hpp"

#include <atomic>

namespace aliquot::spectra {

std::uint64_t next_evaluator() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

std::span<const double> unit_amplitudes(const AmplitudeColumns& columns, std::span<const double> theta, Workspace& work) {
    work.theta.assign(theta.begin(), theta.end());
    for (const std::size_t j : columns.block.coordinates)
        work.theta[j] = 1.0;
    return work.theta;
}

}  // namespace aliquot::spectra
