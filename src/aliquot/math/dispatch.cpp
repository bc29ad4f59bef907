#include "aliquot/math/dispatch.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::math {

std::string_view to_string(SimdLevel level) {
    switch (level) {
        case SimdLevel::v4:
            return "v4";
        case SimdLevel::v3:
            return "v3";
        case SimdLevel::baseline:
            break;
    }
    return "baseline";
}

std::vector<SimdLevel> available_simd_levels() {
    std::vector<SimdLevel> levels{SimdLevel::baseline};
    if (__builtin_cpu_supports("x86-64-v3")) levels.push_back(SimdLevel::v3);
    if (__builtin_cpu_supports("x86-64-v4")) levels.push_back(SimdLevel::v4);
    return levels;
}

SimdLevel simd_level() {
    const std::vector<SimdLevel> levels = available_simd_levels();
    const char* forced = std::getenv("ALIQUOT_SIMD");
    if (forced == nullptr || *forced == '\0') return levels.back();
    for (const SimdLevel level : {SimdLevel::baseline, SimdLevel::v3, SimdLevel::v4}) {
        if (to_string(level) != forced) continue;
        if (std::find(levels.begin(), levels.end(), level) == levels.end())
            throw ConfigError(
                format("ALIQUOT_SIMD = {} (this processor does not have it; its best is {}): choose another or unset it", forced,
                       to_string(levels.back())));
        return level;
    }
    throw ConfigError(format("ALIQUOT_SIMD = {} (unknown instruction set): choose baseline, v3 or v4, or unset it", forced));
}

}  // namespace aliquot::math
