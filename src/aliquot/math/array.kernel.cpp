#include <cstddef>
#include <cstdint>

#include "aliquot/math/erf.hpp"
#include "aliquot/math/exp.hpp"
#include "aliquot/math/log.hpp"
#include "aliquot/math/simd_vector.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

template <typename F>
inline __attribute__((always_inline)) void each(const double* in, std::size_t count, double* out) {
    const F f;
    for (std::size_t i = 0; i < count; ++i)
        out[i] = f(in[i]);
}

typedef unsigned long long vector_u64 __attribute__((vector_size(8 * simd_width)));

/// Products of the low halves of 64-bit lanes.
ALIQUOT_KERNEL_INLINE vector_u64 multiply_low(vector_u64 a, vector_u64 b) {
#if defined(ALIQUOT_ISA_v4)
    return reinterpret_cast<vector_u64>(_mm512_maskz_mul_epu32(0xFF, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(ALIQUOT_ISA_v3)
    return reinterpret_cast<vector_u64>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
    return reinterpret_cast<vector_u64>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#endif
}

}  // namespace

/// Philox4x32-10 (Salmon et al. 2011), see core/random.hpp; a 32-bit word of a stream is the low half of its lane, the high half
/// is never looked at.
void array_random_bits(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, std::size_t count, std::size_t blocks,
                       std::uint64_t* out) noexcept {
    constexpr std::size_t lanes = simd_width;
    const vector_u64 zero{};
    const vector_u64 factor0 = zero + 0xD2511F53ULL;
    const vector_u64 factor1 = zero + 0xCD9E8D57ULL;
    for (std::size_t start = 0; start < count; start += lanes) {
        const std::size_t used = count - start < lanes ? count - start : lanes;
        vector_u64 index = zero + (first + start);
        for (std::size_t i = 0; i < lanes; ++i)
            index[i] += i;
        for (std::size_t block = 0; block < blocks; ++block) {
            vector_u64 c0 = zero + block;
            vector_u64 c1 = index;
            vector_u64 c2 = index >> 32U;
            vector_u64 c3 = zero + stream;
            std::uint32_t key0 = static_cast<std::uint32_t>(seed);
            std::uint32_t key1 = static_cast<std::uint32_t>(seed >> 32U);
            for (int round = 0; round < 10; ++round) {
                const vector_u64 product0 = multiply_low(c0, factor0);
                const vector_u64 product1 = multiply_low(c2, factor1);
                c0 = (product1 >> 32U) ^ c1 ^ (zero + key0);
                c1 = product1;
                c2 = (product0 >> 32U) ^ c3 ^ (zero + key1);
                c3 = product0;
                key0 += 0x9E3779B9U;
                key1 += 0xBB67AE85U;
            }
            const vector_u64 low = zero + 0xFFFFFFFFULL;
            const vector_u64 number0 = (c0 & low) | c1 << 32U;
            const vector_u64 number1 = (c2 & low) | c3 << 32U;
            for (std::size_t i = 0; i < used; ++i) {
                std::uint64_t* numbers = out + (start + i) * 2 * blocks + 2 * block;
                numbers[0] = number0[i];
                numbers[1] = number1[i];
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
