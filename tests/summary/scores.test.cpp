#include "aliquot/summary/scores.hpp"

#include <gtest/gtest.h>

#include "aliquot/summary/row_statistics.hpp"
#include "summary/rows.hpp"

namespace aliquot::summary {
namespace {

TEST(Scores, CrpsEqualsItsDefinitionOverAllPairs) {
    const RowKernels& kernels = row_kernels(math::simd_level());
    for (std::size_t index = 0; index < 60; ++index) {
        const test::SortedRow sorted = test::sorted_by_batch(test::random_row(index, 1 + 2 * index), kernels);
        const auto s = sorted.span();
        const auto n = static_cast<double>(s.size());
        for (const double y : {0.0, 0.7, -3.0, 12.5}) {
            double distance = 0.0;
            double spread = 0.0;
            for (const float a : s) {
                distance += std::abs(static_cast<double>(a) - y) / n;
                for (const float b : s)
                    spread += std::abs(static_cast<double>(a) - static_cast<double>(b)) / (n * n);
            }
            EXPECT_NEAR(static_cast<double>(crps(s, y, kernels)), distance - 0.5 * spread, 1e-6 * (1.0 + distance)) << index;
        }
    }
}

TEST(Scores, OfARowWorkedByHand) {
    const std::vector<float> row{0, 1, 2, 3, 4};
    // Equal-tailed 50 %: [1, 3].
    EXPECT_FLOAT_EQ(interval_score(row, 2.0, 0.5), 2.0F);
    EXPECT_FLOAT_EQ(interval_score(row, 4.0, 0.5), 2.0F + 4.0F * 1.0F);
    EXPECT_FLOAT_EQ(interval_score(row, -1.0, 0.5), 2.0F + 4.0F * 2.0F);
    EXPECT_EQ(covered(row, 3.0, 0.5), 1.0F);
    EXPECT_EQ(covered(row, 3.1, 0.5), 0.0F);
    EXPECT_FLOAT_EQ(brier(row, 5.0, 2.0), 0.36F);  // (0.4 - 1)^2
    EXPECT_FLOAT_EQ(brier(row, 2.0, 2.0), 0.16F);  // (0.4 - 0)^2
    EXPECT_FLOAT_EQ(pit(row, 2.0), 0.5F);
    EXPECT_FLOAT_EQ(pit(row, 2.5), 0.6F);
    EXPECT_FLOAT_EQ(pit(row, -1.0), 0.0F);
}

}  // namespace
}  // namespace aliquot::summary
