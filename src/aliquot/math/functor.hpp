#pragma once

/// The macros that let one functor serve every CPU instruction set and CUDA.
///
/// A kernel file is compiled once per level with ALIQUOT_ISA set to it; everything a functor header defines then stands in a
/// namespace of that level, so that no copy made for a newer processor can be linked into other code. Elsewhere the namespace is
/// `host`, made visible by an inline namespace.
#if defined(__CUDACC__)
#define ALIQUOT_HD __host__ __device__ inline
#else
#define ALIQUOT_HD inline __attribute__((always_inline))
#endif

#if defined(ALIQUOT_ISA)
#define ALIQUOT_FUNCTOR_NAMESPACE ALIQUOT_ISA
#else
#define ALIQUOT_FUNCTOR_NAMESPACE host
#endif

namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE {

/// a b + c in one rounding where the target has it (x86-64-v3 and up, CUDA); elsewhere in two, since a software fma costs fifty
/// times as much.
ALIQUOT_HD double fused(double a, double b, double c) {
#if defined(__FMA__) || defined(__CUDA_ARCH__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

}  // namespace aliquot::math::inline ALIQUOT_FUNCTOR_NAMESPACE
