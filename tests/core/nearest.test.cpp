#include "aliquot/core/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace aliquot {
namespace {

TEST(EditDistance, CountsEdits) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("abc", "ABC"), 0U);
    EXPECT_EQ(edit_distance("sigma", "sgma"), 1U);
    EXPECT_EQ(edit_distance("sigma", "simga"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("", "four"), 4U);
}

TEST(Suggest, OffersTheNearestOrAll) {
    const std::vector<std::string> names{"amplitude", "sigma", "dv"};
    EXPECT_EQ(suggest("sgma", names), "; did you mean \"sigma\"?");
    EXPECT_EQ(suggest("velocity_dispersion", names), "; known: amplitude, sigma, dv");
    EXPECT_EQ(suggest("x", {}), "");
    EXPECT_EQ(nearest_name("amplitud", names), "amplitude");
}

}  // namespace
}  // namespace aliquot
