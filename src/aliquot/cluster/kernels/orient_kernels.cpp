#include "aliquot/cluster/kernels/orient_kernels.hpp"

#define ALIQUOT_DECLARE_ORIENT(level)                                                                        \
    namespace aliquot::level {                                                                               \
    void orient(const cluster::UnturnedStars&, std::size_t, double, double, cluster::TurnedStars&) noexcept; \
    }

ALIQUOT_DECLARE_ORIENT(baseline)
ALIQUOT_DECLARE_ORIENT(v3)
ALIQUOT_DECLARE_ORIENT(v4)

namespace aliquot::cluster {

OrientKernel orient_kernel(math::SimdLevel level) {
    switch (level) {
        case math::SimdLevel::v4:
            return v4::orient;
        case math::SimdLevel::v3:
            return v3::orient;
        case math::SimdLevel::baseline:
            break;
    }
    return baseline::orient;
}

}  // namespace aliquot::cluster
