#include "aliquot/math/simd_vector.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::ALIQUOT_ISA {

void gram(const double* rows, std::size_t count, std::size_t length, const double* weights, const std::uint16_t* numbers,
          double* lanes) noexcept {
    constexpr std::size_t width = simd_width;
    constexpr std::size_t vectors = spectra::gram_lanes / width;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
            const double* first = rows + a * length;
            const double* second = rows + b * length;
            const std::size_t high = numbers[a] > numbers[b] ? numbers[a] : numbers[b];
            const std::size_t low = numbers[a] > numbers[b] ? numbers[b] : numbers[a];
            double* pair = lanes + spectra::gram_lanes * (high * (high + 1) / 2 + low);
            vector_f64 sum[vectors];
            for (std::size_t v = 0; v < vectors; ++v)
                sum[v] = load(pair + v * width);
            for (std::size_t i = 0; i < length; i += spectra::gram_lanes) {
                for (std::size_t v = 0; v < vectors; ++v) {
                    const std::size_t at = i + v * width;
                    const vector_f64 one = weights != nullptr ? load(weights + at) * load(first + at) : load(first + at);
                    sum[v] = fused(one, load(second + at), sum[v]);
                }
            }
            for (std::size_t v = 0; v < vectors; ++v)
                store(pair + v * width, sum[v]);
        }
    }
}

}  // namespace aliquot::ALIQUOT_ISA
