#include "aliquot/summary/row_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "summary/rows.hpp"

namespace aliquot::summary {
namespace {

class RowBatchOnEveryLevel : public testing::TestWithParam<math::SimdLevel> {
  protected:
    const RowKernels& kernels_ = row_kernels(GetParam());
};

TEST_P(RowBatchOnEveryLevel, SortsRowsOfEveryLength) {
    for (std::size_t draws : {1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100, 127, 128, 129, 500, 1000, 1024, 1025, 2100, 9000}) {
        RowBatch batch(draws, kernels_);
        std::map<std::size_t, std::vector<float>> found;
        const auto keep = [&](std::size_t tag, const RowScan&, std::span<const float> sorted) {
            EXPECT_TRUE(found.emplace(tag, std::vector<float>(sorted.begin(), sorted.end())).second) << "row " << tag << " twice";
        };
        const std::size_t rows = draws > 2000 ? 40 : 150;
        for (std::size_t r = 0; r < rows; ++r) {
            const std::vector<float> row = test::random_row(r, draws);
            const RowScan scan = kernels_.scan(row.data(), draws, batch.keys());
            EXPECT_EQ(scan.kept, draws - static_cast<std::size_t>(std::ranges::count(row, 0.0F)));
            EXPECT_EQ(scan.negative, static_cast<std::size_t>(std::ranges::count_if(row, [](float x) { return x < 0.0F; })));
            EXPECT_LT(scan.magnitude, 0x7f800000);
            batch.add(r, scan, draws, keep);
        }
        batch.flush(keep);
        ASSERT_EQ(found.size(), rows);
        for (const auto& [r, sorted] : found) {
            std::vector<float> expected = test::random_row(r, draws);
            std::ranges::sort(expected);
            ASSERT_EQ(sorted, expected) << "row " << r << ", S = " << draws;
        }
    }
}

TEST_P(RowBatchOnEveryLevel, ScanSeesWhatIsNotFinite) {
    for (std::size_t draws : {1, 5, 40, 64, 200}) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}) {
            for (std::size_t at = 0; at < draws; ++at) {
                std::vector<float> row(draws, 0.0F);
                row[at] = bad;
                std::vector<int> keys(draws + scan_padding);
                EXPECT_GE(kernels_.scan(row.data(), draws, keys.data()).magnitude, 0x7f800000);
            }
        }
    }
}

TEST_P(RowBatchOnEveryLevel, ExtremesKeepTheirBits) {
    const std::vector<float> row{std::numeric_limits<float>::max(),
                                 -std::numeric_limits<float>::max(),
                                 std::numeric_limits<float>::denorm_min(),
                                 -std::numeric_limits<float>::denorm_min(),
                                 -0.0F,
                                 1.0F};
    const test::SortedRow sorted = test::sorted_by_batch(row, kernels_);
    const std::vector<float> expected{row[1], row[3], 0.0F, row[2], 1.0F, row[0]};
    EXPECT_TRUE(std::ranges::equal(sorted.span(), expected));
    EXPECT_FALSE(std::signbit(sorted.span()[2]));
}

INSTANTIATE_TEST_SUITE_P(Levels, RowBatchOnEveryLevel, testing::ValuesIn(math::available_simd_levels()),
                         [](const auto& level) { return std::string(math::to_string(level.param)); });

}  // namespace
}  // namespace aliquot::summary
