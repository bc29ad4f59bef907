#include "aliquot/spectra/kernels/tile_kernels.hpp"

#define ALIQUOT_DECLARE_TILE_KERNELS(level)                                                                              \
    namespace aliquot::level {                                                                                           \
    void tile_model(const spectra::Tile&, spectra::TileProgram, const spectra::TermSum*, double*, double*) noexcept;     \
    double tile_chi_square(const spectra::Tile&, spectra::TileProgram, const spectra::TermSum*, double*) noexcept;       \
    double cell_chi_square(const spectra::CompressedCell&, const spectra::TermSum&, const std::uint16_t*, std::size_t,   \
                           double) noexcept;                                                                             \
    void cell_column(const spectra::CompressedCell&, const spectra::TermSum&, const std::uint16_t*, std::size_t, double, \
                     double*) noexcept;                                                                                  \
    void gram(const double*, std::size_t, std::size_t, const double*, const std::uint16_t*, double*) noexcept;           \
    void filter(const double*, std::size_t, const double*, std::size_t, double*) noexcept;                               \
    void combine(const double*, std::size_t, const double*, std::size_t, double*) noexcept;                              \
    }

ALIQUOT_DECLARE_TILE_KERNELS(baseline)
ALIQUOT_DECLARE_TILE_KERNELS(v3)
ALIQUOT_DECLARE_TILE_KERNELS(v4)

namespace aliquot::spectra {

const TileKernels& tile_kernels(math::SimdLevel level) {
    static constexpr TileKernels baseline_kernels{
        baseline::tile_model, baseline::tile_chi_square, baseline::cell_chi_square, baseline::cell_column,
        baseline::gram,       baseline::filter,          baseline::combine};
    static constexpr TileKernels v3_kernels{v3::tile_model, v3::tile_chi_square, v3::cell_chi_square, v3::cell_column,
                                            v3::gram,       v3::filter,          v3::combine};
    static constexpr TileKernels v4_kernels{v4::tile_model, v4::tile_chi_square, v4::cell_chi_square, v4::cell_column,
                                            v4::gram,       v4::filter,          v4::combine};
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

}  // namespace aliquot::spectra
