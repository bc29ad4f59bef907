#include "aliquot/spectra/report_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace aliquot::spectra::report {
namespace {

using Values = std::vector<double>;

Values grid(double first, double step, std::size_t count) {
    Values x;
    for (std::size_t i = 0; i < count; ++i)
        x.push_back(first + step * static_cast<double>(i));
    return x;
}
void drop(Values& x, std::size_t first, std::size_t count) {
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(first);
    x.erase(at, at + static_cast<std::ptrdiff_t>(count));
}

TEST(StretchesBetweenGaps, MaskedRangesPartAndSingleMissingPixelsDoNot) {
    Values x = grid(4000.0, 0.5, 100);
    EXPECT_EQ(stretches_between_gaps(x), (std::vector<Stretch>{{0, 100}}));
    drop(x, 50, 1);
    EXPECT_EQ(stretches_between_gaps(x), (std::vector<Stretch>{{0, 99}}));
    drop(x, 20, 2);
    EXPECT_EQ(stretches_between_gaps(x), (std::vector<Stretch>{{0, 20}, {20, 97}}));
    drop(x, 96, 1);
    x.push_back(9000.0);
    EXPECT_EQ(stretches_between_gaps(x), (std::vector<Stretch>{{0, 20}, {20, 96}, {96, 97}}));
    EXPECT_EQ(stretches_between_gaps(Values{5000.0}), (std::vector<Stretch>{{0, 1}}));
    EXPECT_TRUE(stretches_between_gaps(Values{}).empty());
}

/// NIRSpec's prism samples its ends several times coarser than its middle: no step of such a grid is a gap.
TEST(StretchesBetweenGaps, SlowlyChangingStepsAreNoGaps) {
    Values x{6000.0};
    for (int i = 0; i < 400; ++i)
        x.push_back(x.back() + 50.0 + 250.0 * std::pow(std::sin(0.008 * i), 2));
    EXPECT_EQ(stretches_between_gaps(x).size(), 1U);
}

TEST(CurveGrid, HoldsThePixelsAndNothingInsideGaps) {
    Values x = grid(4000.0, 1.0, 200);
    drop(x, 100, 20);
    const CurveGrid fine = curve_grid(x);
    ASSERT_EQ(fine.stretches.size(), 2U);
    EXPECT_GT(fine.wavelength.size(), 3000U);
    for (const double w : x)
        EXPECT_TRUE(std::binary_search(fine.wavelength.begin(), fine.wavelength.end(), w)) << w;
    for (const double w : fine.wavelength)
        EXPECT_FALSE(w > 4099.0 && w < 4120.0) << w;
    EXPECT_EQ(curve_grid(grid(4000.0, 0.05, 50000)).wavelength.size(), 50000U);
}

TEST(Envelope, KeepsEveryExtremeOfItsColumns) {
    const Values x = grid(4000.0, 0.05, 60000);
    Values y;
    for (const double w : x)
        y.push_back(std::sin(w));
    y[12345] = 77.0;
    y[45678] = -33.0;
    const Points drawn = envelope(x, y, std::vector<Stretch>{{0, x.size()}}, 4000);
    EXPECT_LE(drawn.x.size(), 8000U);
    EXPECT_GT(drawn.x.size(), 7000U);
    EXPECT_TRUE(std::is_sorted(drawn.x.begin(), drawn.x.end()));
    const auto at = [&](double value) {
        const auto found = std::find(drawn.y.begin(), drawn.y.end(), value);
        return found == drawn.y.end() ? 0.0 : drawn.x[static_cast<std::size_t>(found - drawn.y.begin())];
    };
    EXPECT_EQ(at(77.0), x[12345]);
    EXPECT_EQ(at(-33.0), x[45678]);
}

TEST(Envelope, DrawsAllPixelsWhereThereIsRoomAndLiftsThePen) {
    const Values x = grid(4000.0, 1.0, 10);
    const Values y{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0};
    const Points drawn = envelope(x, y, std::vector<Stretch>{{0, 4}, {4, 10}}, 5);
    ASSERT_EQ(drawn.y.size(), 11U);
    EXPECT_TRUE(std::isnan(drawn.y[4]));
    EXPECT_EQ(drawn.x[4], 4003.0);
    Values whole = drawn.y;
    whole.erase(whole.begin() + 4);
    EXPECT_EQ(whole, y);
}

TEST(Simplified, StaysWithinItsTolerance) {
    const Values x = grid(-8.0, 0.001, 16001);
    Values y;
    for (const double u : x)
        y.push_back(std::exp(-0.5 * u * u));
    constexpr double tolerance = 3e-5;
    const Points few = simplified(x, y, std::vector<Stretch>{{0, x.size()}}, tolerance);
    EXPECT_LT(few.x.size(), 400U);
    std::size_t segment = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        while (few.x[segment + 1] < x[i])
            ++segment;
        const double f = (x[i] - few.x[segment]) / (few.x[segment + 1] - few.x[segment]);
        ASSERT_NEAR(few.y[segment] + f * (few.y[segment + 1] - few.y[segment]), y[i], tolerance * 1.000001);
    }
    const Points straight = simplified(x, x, std::vector<Stretch>{{0, 8000}, {8000, 16001}}, tolerance);
    EXPECT_EQ(straight.x.size(), 5U);
}

TEST(Compact, RoundsToAFractionOfTheRange) {
    const Values rounded = compact({5000.12345678, 5001.0, std::nan(""), 5200.12345678}, 1e-6);
    EXPECT_EQ(rounded[0], 5000.1235);
    EXPECT_EQ(rounded[3], 5200.1235);
    EXPECT_TRUE(std::isnan(rounded[2]));
    EXPECT_EQ(compact({1234567.0, 2234567.0}, 1e-3), (Values{1235000.0, 2235000.0}));
    EXPECT_EQ(compact({3.0e-17, 4.04e-17}, 1e-2), (Values{3.0e-17, 4.04e-17}));
    EXPECT_EQ(compact({0.0, 0.0}, 1e-3), (Values{0.0, 0.0}));
}

}  // namespace
}  // namespace aliquot::spectra::report
