#include <cstddef>
#include <cstdint>

#include "aliquot/math/erf.hpp"
#include "aliquot/math/exp.hpp"
#include "aliquot/math/log.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

template <typename F>
inline __attribute__((always_inline)) void each(const double* in, std::size_t count, double* out) {
    const F f;
    for (std::size_t i = 0; i < count; ++i)
        out[i] = f(in[i]);
}

constexpr std::size_t lanes = 16;  ///< streams side by side: enough for every level's vectors

/// One round of Philox4x32-10 (Salmon et al. 2011) on all lanes; see core/random.hpp.
inline __attribute__((always_inline)) void philox_round(std::uint32_t (&c)[4][lanes], std::uint32_t key0, std::uint32_t key1) {
    for (std::size_t i = 0; i < lanes; ++i) {
        const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * c[0][i];
        const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * c[2][i];
        const std::uint32_t next0 = static_cast<std::uint32_t>(product1 >> 32U) ^ c[1][i] ^ key0;
        const std::uint32_t next2 = static_cast<std::uint32_t>(product0 >> 32U) ^ c[3][i] ^ key1;
        c[0][i] = next0;
        c[1][i] = static_cast<std::uint32_t>(product1);
        c[2][i] = next2;
        c[3][i] = static_cast<std::uint32_t>(product0);
    }
}

}  // namespace

void array_random_bits(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, std::size_t count, std::size_t blocks,
                       std::uint64_t* out) noexcept {
    for (std::size_t start = 0; start < count; start += lanes) {
        const std::size_t used = count - start < lanes ? count - start : lanes;
        for (std::size_t block = 0; block < blocks; ++block) {
            std::uint32_t c[4][lanes];
            for (std::size_t i = 0; i < lanes; ++i) {
                const std::uint64_t index = first + start + i;
                c[0][i] = static_cast<std::uint32_t>(block);
                c[1][i] = static_cast<std::uint32_t>(index);
                c[2][i] = static_cast<std::uint32_t>(index >> 32U);
                c[3][i] = stream;
            }
            std::uint32_t key0 = static_cast<std::uint32_t>(seed);
            std::uint32_t key1 = static_cast<std::uint32_t>(seed >> 32U);
            for (int round = 0; round < 10; ++round) {
                philox_round(c, key0, key1);
                key0 += 0x9E3779B9U;
                key1 += 0xBB67AE85U;
            }
            for (std::size_t i = 0; i < used; ++i) {
                std::uint64_t* numbers = out + (start + i) * 2 * blocks + 2 * block;
                numbers[0] = c[0][i] | std::uint64_t{c[1][i]} << 32U;
                numbers[1] = c[2][i] | std::uint64_t{c[3][i]} << 32U;
            }
        }
    }
}

void array_exp(const double* in, std::size_t count, double* out) noexcept {
    each<math::Exp>(in, count, out);
}
void array_log(const double* in, std::size_t count, double* out) noexcept {
    each<math::Log>(in, count, out);
}
void array_erf(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erf>(in, count, out);
}
void array_erfc(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erfc>(in, count, out);
}
void array_erfcx(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erfcx>(in, count, out);
}

}  // namespace aliquot::ALIQUOT_ISA
