#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace aliquot::test {

/// A value that must agree with the truth to a relative tolerance; `what` names it where it does not.
inline void expect_relative(double value, double truth, double tolerance, const std::string& what) {
    EXPECT_LE(std::abs(value - truth), tolerance * std::abs(truth)) << what << ": " << value << " for " << truth;
}

}  // namespace aliquot::test
