#pragma once

#include <string_view>
#include <vector>

namespace aliquot::math {

/// Instruction sets that kernels are compiled for: any x86-64, x86-64-v3 (AVX2, FMA), x86-64-v4 (AVX-512).
enum class SimdLevel { baseline, v3, v4 };

/// "baseline", "v3", "v4"
[[nodiscard]] std::string_view to_string(SimdLevel level);

/// The levels that this machine has, lowest first.
[[nodiscard]] std::vector<SimdLevel> available_simd_levels();

/// The level to use: the best one, or the one that the environment variable ALIQUOT_SIMD names. Throws ConfigError where that is
/// unknown or not available on this machine.
[[nodiscard]] SimdLevel simd_level();

}  // namespace aliquot::math
