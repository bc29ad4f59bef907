#include "aliquot/summary/row_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "summary/rows.hpp"
#include "support/golden.hpp"

namespace aliquot::summary {
namespace {

using test::golden_float;

void expect_near(float found, const nlohmann::json& expected, const std::string& what) {
    const auto value = static_cast<double>(golden_float(expected));
    EXPECT_NEAR(static_cast<double>(found), value, 1e-6 * std::max(1.0, std::abs(value))) << what;
}

class RowStatisticsOnEveryLevel : public testing::TestWithParam<math::SimdLevel> {
  protected:
    const RowKernels& kernels_ = row_kernels(GetParam());
};

TEST_P(RowStatisticsOnEveryLevel, EqualViewsFrames) {
    std::size_t compared = 0;
    const auto golden = test::golden("collapse_cases.json");
    for (const auto& c : golden["cases"]) {
        const std::vector<float> row = test::golden_row(c["input"]);
        if (!std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) continue;
        const test::SortedRow sorted = test::sorted_by_batch(row, kernels_);
        const auto s = sorted.span();
        const auto& out = c["out"];
        const auto name = c["name"].get<std::string>();
        for (const auto& [threshold, share] : out["exceedance"].items())
            EXPECT_EQ(exceedance(s, std::stod(threshold)), golden_float(share)) << name << " " << threshold;
        for (const auto& [tail, value] : out["expected_shortfall"].items())
            expect_near(expected_shortfall(s, std::stod(tail), kernels_), value, name + " es " + tail);
        for (const auto& [q, value] : out["quantiles"].items())
            expect_near(quantile(s, std::stod(q)), value, name + " q " + q);
        for (const auto& [mass, interval] : out["hdi_frozen"].items()) {
            const Interval found = shortest_interval(s, std::stod(mass), kernels_);
            EXPECT_EQ(found.lower, golden_float(interval[0])) << name << " " << mass;
            EXPECT_EQ(found.upper, golden_float(interval[1])) << name << " " << mass;
        }
        EXPECT_EQ(is_bimodal(s, kernels_), out["bimodal"].get<double>() != 0.0) << name;
        const double range = static_cast<double>(s.back()) - static_cast<double>(s.front());
        EXPECT_NEAR(static_cast<double>(map_estimate(s, kernels_)), out["map_estimate_bins100"].get<double>(), 1e-6 + range / 100)
            << name;
        expect_near(mean(s, kernels_), out["mean"], name + " mean");
        expect_near(median(s), out["median"], name + " median");
        ++compared;
    }
    EXPECT_EQ(compared, 37U);
}

TEST_P(RowStatisticsOnEveryLevel, ObeyTheirLaws) {
    for (std::size_t index = 0; index < 600; ++index) {
        const test::SortedRow sorted = test::sorted_by_batch(test::random_row(index, 1 + index % 300), kernels_);
        const auto s = sorted.span();
        float before = 1.0F;
        for (const double c : {-1e9, -3.0, -0.1, 0.0, 0.1, 1.0, 5.0, 1e9}) {
            const float p = exceedance(s, c);
            EXPECT_TRUE(p >= 0.0F && p <= before);
            before = p;
        }
        EXPECT_EQ(exceedance(s, -std::numeric_limits<double>::infinity()), 1.0F);
        EXPECT_EQ(exceedance(s, std::numeric_limits<double>::infinity()), 0.0F);
        float worst = s.front();
        for (const double tail : {1.0, 0.5, 0.2, 0.05, 0.01}) {
            const float es = expected_shortfall(s, tail, kernels_);
            const float room = 1e-5F * std::max(1.0F, std::abs(es));
            EXPECT_TRUE(es + room >= worst && es <= s.back() + room);
            EXPECT_GE(es + room, quantile(s, 1.0 - tail));
            worst = es;
        }
        EXPECT_EQ(quantile(s, 0.0), s.front());
        EXPECT_EQ(quantile(s, 1.0), s.back());
        EXPECT_TRUE(half_sample_mode(s, kernels_) >= s.front() && half_sample_mode(s, kernels_) <= s.back());
    }
}

TEST_P(RowStatisticsOnEveryLevel, MomentsEqualTheirDefinitions) {
    for (std::size_t index = 0; index < 300; ++index) {
        const test::SortedRow sorted = test::sorted_by_batch(test::random_row(index, 1 + 3 * index), kernels_);
        const auto s = sorted.span();
        const auto n = static_cast<double>(s.size());
        const double centre = std::accumulate(s.begin(), s.end(), 0.0) / n;
        double squares = 0.0;
        for (const float x : s)
            squares += (static_cast<double>(x) - centre) * (static_cast<double>(x) - centre);
        EXPECT_NEAR(static_cast<double>(mean(s, kernels_)), centre, 1e-6 * std::max(1.0, std::abs(centre)));
        EXPECT_NEAR(static_cast<double>(standard_deviation(s, kernels_)), std::sqrt(squares / n),
                    1e-6 * std::max(1.0, std::sqrt(squares / n)));
        std::vector<float> distance;
        for (const float x : s)
            distance.push_back(std::abs(x - median(s)));
        std::ranges::sort(distance);
        EXPECT_FLOAT_EQ(median_absolute_deviation(s), median(distance)) << "row " << index;
    }
}

TEST(RowStatistics, BothRulesOfComparison) {
    const std::vector<float> row{0.1F, 0.2F, 0.3F, 0.7F};
    EXPECT_EQ(exceedance(row, 0.1), 1.0F);           // views-frames: float32(0.1) is above binary64 0.1
    EXPECT_EQ(exceedance_float32(row, 0.1), 0.75F);  // the reporting layer of VIEWS
}

TEST(RowStatistics, ModesOfKnownRows) {
    const RowKernels& kernels = row_kernels(math::simd_level());
    // Windows of half: [1, 2, 2.1, 2.2] of 7, then [2, 2.1], equally close pairs; worked by hand.
    EXPECT_FLOAT_EQ(half_sample_mode(test::SortedRow(std::vector<float>{0, 1, 2, 2.125F, 2.25F, 9, 20}).span(), kernels),
                    2.0625F);
    EXPECT_FLOAT_EQ(half_sample_mode(test::SortedRow(std::vector<float>{1, 2, 3}).span(), kernels), 2.0F);
    EXPECT_FLOAT_EQ(half_sample_mode(test::SortedRow(std::vector<float>{1, 2, 2.5F}).span(), kernels), 2.25F);
    EXPECT_EQ(most_frequent_value(std::vector<float>{0, 1, 1, 2, 2, 3}), 1.0F);
    EXPECT_EQ(most_frequent_value(std::vector<float>{4}), 4.0F);
}

INSTANTIATE_TEST_SUITE_P(Levels, RowStatisticsOnEveryLevel, testing::ValuesIn(math::available_simd_levels()),
                         [](const auto& level) { return std::string(math::to_string(level.param)); });

}  // namespace
}  // namespace aliquot::summary
