#include "aliquot/math/dispatch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "aliquot/core/error.hpp"

namespace aliquot::math {
namespace {

class Forced {
  public:
    explicit Forced(const char* value) { ::setenv("ALIQUOT_SIMD", value, 1); }
    ~Forced() { ::unsetenv("ALIQUOT_SIMD"); }
};

TEST(Dispatch, TheBestLevelIsChosenUnlessForced) {
    const auto levels = available_simd_levels();
    EXPECT_EQ(levels.front(), SimdLevel::baseline);
    EXPECT_EQ(simd_level(), levels.back());
    for (const SimdLevel level : levels) {
        const Forced forced(std::string(to_string(level)).c_str());
        EXPECT_EQ(simd_level(), level);
    }
    EXPECT_EQ(simd_level(), levels.back());
}

TEST(Dispatch, UnknownAndMissingLevelsAreRefused) {
    {
        const Forced forced("avx");
        EXPECT_THROW((void)simd_level(), ConfigError);
    }
    const auto levels = available_simd_levels();
    if (std::find(levels.begin(), levels.end(), SimdLevel::v4) == levels.end()) {
        const Forced forced("v4");
        EXPECT_THROW((void)simd_level(), ConfigError);
    }
}

}  // namespace
}  // namespace aliquot::math
