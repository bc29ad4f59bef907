#pragma once

#include <cstddef>
#include <cstdint>

#include "aliquot/math/dispatch.hpp"

namespace aliquot::math {

/// Elementwise functions over arrays, for one instruction-set level: out[i] = f(in[i]), where in and out may be the same; and
/// random numbers of many streams at once.
struct ArrayKernels {
    void (*exp)(const double* in, std::size_t count, double* out) noexcept;
    void (*log)(const double* in, std::size_t count, double* out) noexcept;
    void (*erf)(const double* in, std::size_t count, double* out) noexcept;
    void (*erfc)(const double* in, std::size_t count, double* out) noexcept;
    void (*erfcx)(const double* in, std::size_t count, double* out) noexcept;
    /// The first 2 * blocks numbers (RandomStream::bits) of the streams (seed, stream, first), (seed, stream, first + 1), ...;
    /// out holds (count, 2 * blocks). The same bits at every level.
    void (*random_bits)(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, std::size_t count, std::size_t blocks,
                        std::uint64_t* out) noexcept;
};

/// The kernels of a level that this machine has.
[[nodiscard]] const ArrayKernels& array_kernels(SimdLevel level);

}  // namespace aliquot::math
