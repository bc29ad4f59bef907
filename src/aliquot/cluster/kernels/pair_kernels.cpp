#include "aliquot/cluster/kernels/pair_kernels.hpp"

#define ALIQUOT_DECLARE_PAIR_KERNELS(level)                                                                           \
    namespace aliquot::level {                                                                                        \
    double pair_energy(const cluster::PairColumns&, cluster::PairRange, cluster::PairRange, std::uint64_t&) noexcept; \
    void pair_forces(const cluster::PairColumns&, cluster::PairRange, cluster::PairRange, const cluster::PairFields&, \
                     std::uint64_t&) noexcept;                                                                        \
    void multipole_energy(const cluster::MultipolePairs&, double*) noexcept;                                          \
    }

ALIQUOT_DECLARE_PAIR_KERNELS(baseline)
ALIQUOT_DECLARE_PAIR_KERNELS(v3)
ALIQUOT_DECLARE_PAIR_KERNELS(v4)

namespace aliquot::cluster {

const PairKernels& pair_kernels(math::SimdLevel level) {
    static constexpr PairKernels baseline_kernels{baseline::pair_energy, baseline::pair_forces, baseline::multipole_energy};
    static constexpr PairKernels v3_kernels{v3::pair_energy, v3::pair_forces, v3::multipole_energy};
    static constexpr PairKernels v4_kernels{v4::pair_energy, v4::pair_forces, v4::multipole_energy};
    switch (level) {
        case math::SimdLevel::v4:
            return v4_kernels;
        case math::SimdLevel::v3:
            return v3_kernels;
        case math::SimdLevel::baseline:
            break;
    }
    return baseline_kernels;
}

}  // namespace aliquot::cluster
