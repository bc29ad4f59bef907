#include "aliquot/spectra/workspace.hpp"

#include <atomic>

namespace aliquot::spectra {

std::uint64_t next_evaluator() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace aliquot::spectra
