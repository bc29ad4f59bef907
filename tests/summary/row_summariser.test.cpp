#include "aliquot/summary/row_summariser.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "summary/frames.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::summary {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

std::vector<float> summarise(const std::vector<float>& row, std::span<const Layer> layers, const SummaryOptions& options,
                             math::SimdLevel level = math::simd_level(), std::span<const double> observed = {}) {
    RowSummariser summariser(layers, options, row.size(), row_kernels(level));
    std::vector<float> out(layers.size());
    summariser.begin(out.data(), 1, observed);
    summariser.add(row.data(), 1, 0);
    summariser.flush();
    return out;
}

TEST(RowSummariser, ReportingLayersOfViewsWithMissingDraws) {
    const auto layers =
        parse_layers(std::vector<std::string>{"map", "p_any", "hdi90_lower", "hdi90_upper", "hdi95_lower", "hdi95_upper"});
    const auto golden = test::golden("collapse_cases.json");
    std::size_t compared = 0;
    for (const auto& c : golden["cases"]) {
        const std::vector<float> row = test::golden_row(c["input"]);
        if (std::ranges::any_of(row, [](float x) { return std::isinf(x); }))
            continue;  // we leave infinities out, views keeps them
        const auto out = summarise(row, layers, {0.25, std::nullopt, NonFinite::omit});
        const auto& expected = c["out"]["reporting_layers"];
        const std::vector<float> values{test::golden_float(expected["map"]),      test::golden_float(expected["p_any"]),
                                        test::golden_float(expected["hdi90"][0]), test::golden_float(expected["hdi90"][1]),
                                        test::golden_float(expected["hdi95"][0]), test::golden_float(expected["hdi95"][1])};
        for (std::size_t l = 0; l < layers.size(); ++l)
            EXPECT_TRUE(out[l] == values[l] || (std::isnan(out[l]) && std::isnan(values[l])))
                << c["name"] << " " << layers[l].name;
        ++compared;
    }
    EXPECT_EQ(compared, 39U);
}

TEST(RowSummariser, ZeroCutoffOfViews) {
    const auto layers = parse_layers(std::vector<std::string>{"map", "hdi50_upper", "hdi99_upper", "bimodal", "p_gt_0"});
    const auto golden = test::golden("collapse_cases.json");
    for (const auto& c : golden["extra"]["zero_cutoff_1.0"]) {
        const auto out = summarise(test::golden_row(c["input"]), layers, {0.25, 1.0, NonFinite::raise});
        EXPECT_EQ(out[0], test::golden_float(c["out"]["tip"])) << c["name"];
        EXPECT_EQ(out[1], test::golden_float(c["out"]["tower_all_floors"][9][1])) << c["name"];
        EXPECT_EQ(out[2], test::golden_float(c["out"]["tower_all_floors"][24][1])) << c["name"];
        EXPECT_EQ(out[3], c["out"]["bimodal"].get<float>()) << c["name"];
        EXPECT_EQ(out[4], test::golden_float(c["out"]["exceedance"]["0.0"])) << c["name"];
    }
}

TEST(RowSummariser, PoliciesForWhatIsNotFinite) {
    const float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> rows{1, 2, 3, 4, nan_value, 2, 3, infinite, nan_value, nan_value, nan_value, -infinite};
    const auto layers = parse_layers(std::vector<std::string>{"mean", "p_gt_2"});
    for (const NonFinite policy : {NonFinite::raise, NonFinite::omit, NonFinite::propagate}) {
        RowSummariser summariser(layers, {0.25, std::nullopt, policy}, 4, row_kernels(math::simd_level()));
        std::vector<float> out(6);
        summariser.begin(out.data(), 3, {});
        summariser.add(rows.data(), 3, 0);
        summariser.flush();
        EXPECT_EQ(out[0], 2.5F);
        EXPECT_EQ(summariser.non_finite().nan, 4U);
        EXPECT_EQ(summariser.non_finite().infinite, 2U);
        EXPECT_EQ(summariser.non_finite().rows, 2U);
        EXPECT_EQ(summariser.non_finite().empty_rows, 1U);
        EXPECT_EQ(summariser.first_non_finite(), 1U);
        EXPECT_TRUE(std::isnan(out[2]));
        if (policy == NonFinite::omit) {
            EXPECT_EQ(out[1], 2.5F);
            EXPECT_EQ(out[4], 0.5F);
        } else {
            EXPECT_TRUE(std::isnan(out[1]) && std::isnan(out[4]));
        }
    }
    EXPECT_NE(test::message_of<ConfigError>([] { (void)parse_non_finite("rise"); }).find("raise"), std::string::npos);
}

TEST(RowSummariser, EveryLevelAndAnyGroupingGiveTheSameBits) {
    const auto layers = test::many_layers();
    for (const std::size_t draws : {1, 17, 100, 400}) {
        const test::SmallFrame frame(300, draws);
        std::string first;
        for (const math::SimdLevel level : math::available_simd_levels()) {
            for (const std::size_t part : {1, 7, 300}) {
                RowSummariser summariser(layers, {}, draws, row_kernels(level));
                std::vector<float> out(layers.size() * frame.rows);
                summariser.begin(out.data(), frame.rows, {});
                for (std::size_t r = 0; r < frame.rows; r += part)
                    summariser.add(frame.values.data() + r * draws, std::min(part, frame.rows - r), r);
                summariser.flush();
                if (first.empty()) first = test::bytes_of(out);
                EXPECT_TRUE(test::bytes_of(out) == first) << "S = " << draws << ", " << math::to_string(level) << ", " << part;
            }
        }
    }
}

TEST(RowSummariser, QuietRowsEqualSortedOnes) {
    // "median" makes every row be sorted; without it rows that are nearly all zero are not.
    const auto quick =
        parse_layers(std::vector<std::string>{"map", "p_any", "hdi50_lower", "hdi99_upper", "p_gt_0.5", "p_gt_-1"});
    auto sorted = quick;
    sorted.push_back(parse_layer("median"));
    for (std::uint64_t index = 0; index < 300; ++index) {
        std::vector<float> row(1000, 0.0F);
        RandomStream random(5, 5, index);
        for (std::uint64_t i = 0; i < index % 14; ++i)
            row[random.below(1000)] = static_cast<float>(random.uniform() * 3.0 - 1.0);
        const auto a = summarise(row, quick, {});
        const auto b = summarise(row, sorted, {});
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << index;
    }
}

TEST(RowSummariser, ScoresNeedAnObservation) {
    const auto layers = parse_layers(std::vector<std::string>{"actual", "crps", "covered50", "pit"});
    const std::vector<double> observed{2.0};
    const std::vector<double> missing{std::numeric_limits<double>::quiet_NaN()};
    EXPECT_EQ(summarise({0, 1, 2, 3, 4}, layers, {}, math::simd_level(), observed), (std::vector<float>{2.0F, 0.4F, 1.0F, 0.5F}));
    for (const float value : summarise({0, 1, 2, 3, 4}, layers, {}, math::simd_level(), missing))
        EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace aliquot::summary
