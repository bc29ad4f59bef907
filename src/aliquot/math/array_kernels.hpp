#pragma once

#include <cstddef>

#include "aliquot/math/dispatch.hpp"

namespace aliquot::math {

/// Elementwise functions over arrays, for one instruction-set level: out[i] = f(in[i]); in and out may be the same.
struct ArrayKernels {
    void (*exp)(const double* in, std::size_t count, double* out) noexcept;
    void (*log)(const double* in, std::size_t count, double* out) noexcept;
    void (*erf)(const double* in, std::size_t count, double* out) noexcept;
    void (*erfc)(const double* in, std::size_t count, double* out) noexcept;
    void (*erfcx)(const double* in, std::size_t count, double* out) noexcept;
};

/// The kernels of a level that this machine has.
[[nodiscard]] const ArrayKernels& array_kernels(SimdLevel level);

}  // namespace aliquot::math
