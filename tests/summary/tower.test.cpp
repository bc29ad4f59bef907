#include "aliquot/summary/tower.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "summary/rows.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::summary {
namespace {

using test::golden_float;

/// The definition, draw by draw and without any shortcut.
Tower tower_by_definition(const std::vector<float>& s, double tip_mass) {
    Tower tower{};
    const auto steps = window_steps(s.size());
    float low = s.front();
    float high = s.back();
    for (std::size_t floor = floor_count; floor-- > 0;) {
        const std::size_t k = steps[floor];
        std::vector<std::size_t> inside;
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (s[i] >= low && s[i] <= high) inside.push_back(i);
        }
        if (k == 0) {
            low = high = floor + 1 == floor_count ? s[s.size() / 2] : s[inside[(inside.size() - 1) / 2]];
        } else {
            std::size_t best = inside.front();
            for (std::size_t i = inside.front(); i + k <= inside.back(); ++i) {
                if (s[i + k] - s[i] < s[best + k] - s[best]) best = i;
            }
            low = s[best];
            high = s[best + k];
        }
        tower.lower[floor] = low;
        tower.upper[floor] = high;
    }
    const std::size_t tip = nearest_floor(tip_mass);
    std::vector<float> inside;
    std::ranges::copy_if(s, std::back_inserter(inside), [&](float x) { return x >= tower.lower[tip] && x <= tower.upper[tip]; });
    tower.tip = (inside[(inside.size() - 1) / 2] + inside[inside.size() / 2]) * 0.5F;
    return tower;
}

TEST(Tower, WindowStepsAreBinary64Products) {
    const auto golden = test::golden("collapse_cases.json")["extra"];
    for (const auto& [draws, steps] : golden["k_per_floor"].items()) {
        const auto found = window_steps(std::stoul(draws));
        for (std::size_t i = 0; i < floor_count; ++i)
            EXPECT_EQ(found[i], steps[i].get<std::size_t>()) << "S = " << draws << ", floor " << canonical_floors[i];
    }
    for (const auto& pair : golden["k_where_binary64_product_floor_differs_from_exact_decimal"]["first"])
        EXPECT_EQ(window_steps(pair[0].get<std::size_t>())[nearest_floor(pair[1].get<double>())], pair[3].get<std::size_t>());
}

TEST(Tower, MassesGoToTheNearestFloor) {
    const auto golden = test::golden("collapse_cases.json");
    for (const auto& [mass, floor] : golden["extra"]["pin_table"].items())
        EXPECT_EQ(canonical_floors[nearest_floor(std::stod(mass))], floor.get<double>()) << mass;
    for (const double mass : {0.0, 1.0, -0.1, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_NE(test::message_of<ConfigError>([&] { (void)nearest_floor(mass); }).find("between 0 and 1"), std::string::npos);
}

class TowerOnEveryLevel : public testing::TestWithParam<math::SimdLevel> {
  protected:
    const RowKernels& kernels_ = row_kernels(GetParam());
};

TEST_P(TowerOnEveryLevel, EqualsViewsFramesBitForBit) {
    std::size_t compared = 0;
    const auto golden = test::golden("collapse_cases.json");
    for (const auto& c : golden["cases"]) {
        const std::vector<float> row = test::golden_row(c["input"]);
        if (!std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) continue;
        const Tower tower = build_tower(test::sorted_by_batch(row, kernels_).span(), 0.25, kernels_);
        for (std::size_t i = 0; i < floor_count; ++i) {
            EXPECT_EQ(tower.lower[i], golden_float(c["out"]["tower_all_floors"][i][0]))
                << c["name"] << " " << canonical_floors[i];
            EXPECT_EQ(tower.upper[i], golden_float(c["out"]["tower_all_floors"][i][1]))
                << c["name"] << " " << canonical_floors[i];
        }
        EXPECT_EQ(tower.tip, golden_float(c["out"]["tip"])) << c["name"];
        ++compared;
    }
    EXPECT_EQ(compared, 37U);
}

TEST_P(TowerOnEveryLevel, EqualsItsDefinitionAndNests) {
    for (std::size_t index = 0; index < 1200; ++index) {
        const std::size_t draws = 1 + (index * index) % 700;
        const test::SortedRow sorted = test::sorted_by_batch(test::random_row(index, draws), kernels_);
        const std::vector<float> s(sorted.span().begin(), sorted.span().end());
        for (const double tip_mass : {0.25, 0.5, 0.05, 0.99}) {
            const Tower tower = build_tower(sorted.span(), tip_mass, kernels_);
            const Tower expected = tower_by_definition(s, tip_mass);
            ASSERT_TRUE(std::ranges::equal(tower.lower, expected.lower)) << "row " << index;
            ASSERT_TRUE(std::ranges::equal(tower.upper, expected.upper)) << "row " << index;
            ASSERT_EQ(tower.tip, expected.tip) << "row " << index << ", tip mass " << tip_mass;
        }
        const Tower tower = build_tower(sorted.span(), 0.25, kernels_);
        EXPECT_TRUE(std::is_sorted(tower.lower, tower.lower + floor_count, std::greater<>()));
        EXPECT_TRUE(std::is_sorted(tower.upper, tower.upper + floor_count));
        const auto steps = window_steps(draws);
        for (std::size_t i = 0; i < floor_count; ++i) {
            if (2 * (steps[i] + 1) <= steps[4] + 1) continue;
            const auto held = std::ranges::count_if(s, [&](float x) { return x >= tower.lower[i] && x <= tower.upper[i]; });
            const auto tip_held = std::ranges::count_if(s, [&](float x) { return x >= tower.lower[4] && x <= tower.upper[4]; });
            if (2 * held > tip_held) {
                EXPECT_TRUE(tower.lower[i] <= tower.tip && tower.tip <= tower.upper[i]) << "row " << index << ", floor " << i;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, TowerOnEveryLevel, testing::ValuesIn(math::available_simd_levels()),
                         [](const auto& level) { return std::string(math::to_string(level.param)); });

}  // namespace
}  // namespace aliquot::summary
