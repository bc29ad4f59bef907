#include "aliquot/math/array_kernels.hpp"

#define ALIQUOT_DECLARE_ARRAY_KERNELS(level)                                                                                \
    namespace aliquot::level {                                                                                              \
    void array_exp(const double*, std::size_t, double*) noexcept;                                                           \
    void array_log(const double*, std::size_t, double*) noexcept;                                                           \
    void array_erf(const double*, std::size_t, double*) noexcept;                                                           \
    void array_erfc(const double*, std::size_t, double*) noexcept;                                                          \
    void array_erfcx(const double*, std::size_t, double*) noexcept;                                                         \
    void array_random_bits(std::uint64_t, std::uint32_t, std::uint64_t, std::size_t, std::size_t, std::uint64_t*) noexcept; \
    }

ALIQUOT_DECLARE_ARRAY_KERNELS(baseline)
ALIQUOT_DECLARE_ARRAY_KERNELS(v3)
ALIQUOT_DECLARE_ARRAY_KERNELS(v4)

namespace aliquot::math {

const ArrayKernels& array_kernels(SimdLevel level) {
    static constexpr ArrayKernels baseline_kernels{baseline::array_exp,  baseline::array_log,   baseline::array_erf,
                                                   baseline::array_erfc, baseline::array_erfcx, baseline::array_random_bits};
    static constexpr ArrayKernels v3_kernels{v3::array_exp,  v3::array_log,   v3::array_erf,
                                             v3::array_erfc, v3::array_erfcx, v3::array_random_bits};
    static constexpr ArrayKernels v4_kernels{v4::array_exp,  v4::array_log,   v4::array_erf,
                                             v4::array_erfc, v4::array_erfcx, v4::array_random_bits};
    switch (level) {
        case SimdLevel::v4:
            return v4_kernels;
        case SimdLevel::v3:
            return v3_kernels;
        case SimdLevel::baseline:
            break;
    }
    return baseline_kernels;
}

}  // namespace aliquot::math
