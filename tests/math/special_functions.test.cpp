#include "aliquot/math/special_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "aliquot/math/erf.hpp"
#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::math {
namespace {

using test::expect_relative;

double number(const nlohmann::json& text) {
    return std::stod(text.get<std::string>());
}

TEST(SpecialFunctions, LoweredExponentialMatchesMpmath) {
    const auto golden = test::golden("special_functions.json");
    for (const auto& row : golden.at("Eg"))
        expect_relative(lowered_exponential(row[0], row[1]), number(row[2]), 1e-14, row.dump());
}

TEST(SpecialFunctions, KummerFunctionsMatchMpmath) {
    const auto golden = test::golden("special_functions.json");
    for (const auto& row : golden.at("H")) {
        expect_relative(hyp1f1_one(row[0], row[1]), number(row[2]), 1e-14, row.dump());
        expect_relative(hyp1f1_two(row[0], row[1]), number(row[3]), 1e-14, row.dump());
    }
}

TEST(SpecialFunctions, LoweredExponentialIsTheIncompleteGammaAtSmallIndices) {
    for (double x = 1e-6; x < 700.0; x *= 1.31) {
        expect_relative(lowered_exponential(1.0, x), std::expm1(x), 1e-14, "gamma 1, x " + std::to_string(x));
        // E_1/2 = exp(x) erf(sqrt x)
        expect_relative(lowered_exponential(0.5, x), std::exp(x) * Erf{}(std::sqrt(x)), 1e-14,
                        "gamma 1/2, x " + std::to_string(x));
        // The recurrence E_gamma = E_gamma+1 + x^gamma / Gamma(gamma + 1) adds positive terms only.
        for (const double gamma : {0.3, 1.7, 2.5, 4.25})
            expect_relative(lowered_exponential(gamma + 1.0, x) + std::pow(x, gamma) / std::tgamma(gamma + 1.0),
                            lowered_exponential(gamma, x), 2e-14, "recurrence, x " + std::to_string(x));
    }
}

TEST(SpecialFunctions, DawsonMatchesTables) {
    // Abramowitz & Stegun table 7.5 and mpmath.
    expect_relative(dawson(0.1), 0.099335992397852866757, 1e-15, "0.1");
    expect_relative(dawson(0.9241388730), 0.54104422463518169847, 1e-14, "maximum");
    expect_relative(dawson(1.0), 0.53807950691276841914, 1e-14, "1");
    expect_relative(dawson(2.0), 0.30134038892379196603, 1e-14, "2");
    expect_relative(dawson(5.0), 0.10213407442427683543, 1e-14, "5");
    expect_relative(dawson(10.0), 0.050253847187598530447, 1e-14, "10");
    expect_relative(dawson(1e3), 0.00050000025000037500094, 1e-15, "1000");
    EXPECT_EQ(dawson(-2.0), -dawson(2.0));
    EXPECT_EQ(dawson(0.0), 0.0);
    EXPECT_EQ(dawson(std::numeric_limits<double>::infinity()), 0.0);
    EXPECT_TRUE(std::isnan(dawson(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SpecialFunctions, NeighbouringBranchesMeet) {
    for (const double edge : {7.5, 1e8})
        expect_relative(dawson(edge * (1.0 - 1e-14)), dawson(edge * (1.0 + 1e-14)), 4e-14, "dawson");
    for (const double b : {2.5, 3.5, 6.0}) {
        expect_relative(hyp1f1_one(b, 60.0 * (1.0 - 1e-15)), hyp1f1_one(b, 60.0 * (1.0 + 1e-15)), 2e-14, "1F1(1)");
        expect_relative(hyp1f1_two(b, 60.0 * (1.0 - 1e-15)), hyp1f1_two(b, 60.0 * (1.0 + 1e-15)), 2e-14, "1F1(2)");
    }
    const double edge = 42.5;
    expect_relative(lowered_exponential(2.5, edge * (1.0 - 1e-15)), lowered_exponential(2.5, edge * (1.0 + 1e-15)), 1e-13,
                    "lowered exponential");
}

TEST(SpecialFunctions, TheEdgesOfTheDomain) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(lowered_exponential(1.5, 0.0), 0.0);
    EXPECT_EQ(lowered_exponential(1.5, -1.0), 0.0);
    EXPECT_EQ(lowered_exponential(0.0, 0.0), 1.0);
    EXPECT_EQ(lowered_exponential(2.0, infinity), infinity);
    EXPECT_EQ(hyp1f1_one(2.5, 0.0), 1.0);
    EXPECT_EQ(hyp1f1_one(2.5, infinity), 0.0);
    EXPECT_TRUE(std::isnan(hyp1f1_two(2.5, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(lowered_exponential(2.5, std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace aliquot::math
