#include "aliquot/summary/kernels/row_kernels.hpp"

#define ALIQUOT_DECLARE_ROW_KERNELS(level)                                                            \
    namespace aliquot::level {                                                                        \
    summary::RowScan scan_row(const float*, std::size_t, int*) noexcept;                              \
    void sort_rows(int* const*, const std::size_t*, std::size_t, int*, float* const*) noexcept;       \
    std::size_t narrowest_window(const float*, std::size_t, std::size_t, std::size_t) noexcept;       \
    void build_tower(const float*, std::size_t, const summary::TowerPlan&, summary::Tower&) noexcept; \
    void bin_draws(const float*, std::size_t, float, float, float, int*) noexcept;                    \
    double sum_of(const float*, std::size_t) noexcept;                                                \
    double squares_about(const float*, std::size_t, double) noexcept;                                 \
    }

ALIQUOT_DECLARE_ROW_KERNELS(baseline)
ALIQUOT_DECLARE_ROW_KERNELS(v3)
ALIQUOT_DECLARE_ROW_KERNELS(v4)

namespace aliquot::summary {

const RowKernels& row_kernels(math::SimdLevel level) {
    static constexpr RowKernels baseline_kernels{4,
                                                 baseline::scan_row,
                                                 baseline::sort_rows,
                                                 baseline::narrowest_window,
                                                 baseline::build_tower,
                                                 baseline::bin_draws,
                                                 baseline::sum_of,
                                                 baseline::squares_about};
    static constexpr RowKernels v3_kernels{
        8, v3::scan_row, v3::sort_rows, v3::narrowest_window, v3::build_tower, v3::bin_draws, v3::sum_of, v3::squares_about};
    static constexpr RowKernels v4_kernels{
        16, v4::scan_row, v4::sort_rows, v4::narrowest_window, v4::build_tower, v4::bin_draws, v4::sum_of, v4::squares_about};
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

}  // namespace aliquot::summary
