#include "aliquot/math/array_kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "aliquot/core/random.hpp"

namespace aliquot::math {
namespace {

using Quad = boost::multiprecision::cpp_bin_float_quad;  // 113 bits
using Values = std::vector<double>;
constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

class EveryLevel : public testing::TestWithParam<SimdLevel> {
  protected:
    using Kernel = void (*)(const double*, std::size_t, double*) noexcept;
    static Values apply(Kernel kernel, const Values& in) {
        Values out(in.size());
        kernel(in.data(), in.size(), out.data());
        return out;
    }
    /// Largest error in units of the last place of the true value.
    template <typename Truth>
    static double worst_ulp(Kernel kernel, const Values& in, const Truth& truth) {
        const Values out = apply(kernel, in);
        double worst = 0.0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Quad exact = truth(Quad(in[i]));
            const double rounded = static_cast<double>(exact);
            const double ulp = std::nextafter(std::abs(rounded), inf) - std::abs(rounded);
            worst = std::max(worst, std::abs(static_cast<double>((Quad(out[i]) - exact) / ulp)));
        }
        return worst;
    }
    template <typename Truth>
    static double worst_relative(Kernel kernel, const Values& in, const Truth& truth) {
        const Values out = apply(kernel, in);
        double worst = 0.0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Quad exact = truth(Quad(in[i]));
            worst = std::max(worst, std::abs(static_cast<double>((Quad(out[i]) - exact) / exact)));
        }
        return worst;
    }
    static Values random(double low, double high, std::size_t count) {
        Values values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(low + (high - low) * RandomStream(11, 1, i).uniform());
        return values;
    }
    const ArrayKernels& kernels() const { return array_kernels(GetParam()); }
};

TEST_P(EveryLevel, ExpIsWithinAnUlpAndAHalf) {
    const auto truth = [](const Quad& x) -> Quad { return exp(x); };
    EXPECT_LE(worst_ulp(kernels().exp, random(-700.0, 700.0, 20000), truth), 1.5);
    EXPECT_LE(worst_ulp(kernels().exp, random(-30.0, 1.0, 20000), truth), 1.5);
    EXPECT_LE(worst_ulp(kernels().exp, random(-1e-6, 1e-6, 2000), truth), 1.5);
}

TEST_P(EveryLevel, LogIsWithinAnUlpAndAHalf) {
    const auto truth = [](const Quad& x) -> Quad { return log(x); };
    EXPECT_LE(worst_ulp(kernels().log, random(0.5, 2.0, 20000), truth), 1.5);
    Values wide;
    for (const double e : random(-300.0, 300.0, 20000))
        wide.push_back(std::pow(10.0, e));
    EXPECT_LE(worst_ulp(kernels().log, wide, truth), 1.5);
    EXPECT_LE(worst_ulp(kernels().log, {0x1p-1074, 0x1.8p-1060, 0x1p-1022, 0x1.fffffffffffffp1023, 1.0 - 0x1p-53, 1.0 + 0x1p-52},
                        truth),
              1.5);
}

TEST_P(EveryLevel, ErrorFunctionsAreRightTo1e15) {
    const auto erf_truth = [](const Quad& x) -> Quad { return boost::math::erf(x); };
    const auto erfc_truth = [](const Quad& x) -> Quad { return boost::math::erfc(x); };
    const auto erfcx_truth = [](const Quad& x) -> Quad { return exp(x * x) * boost::math::erfc(x); };
    EXPECT_LE(worst_relative(kernels().erf, random(-6.0, 6.0, 4000), erf_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erf, random(-1e-3, 1e-3, 1000), erf_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erf, random(0.74, 0.76, 1000), erf_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erfc, random(-6.0, 6.0, 4000), erfc_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erfc, random(6.0, 26.54, 4000), erfc_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erfcx, random(-26.6, 25.0, 4000), erfcx_truth), 1e-15);
    EXPECT_LE(worst_relative(kernels().erfcx, random(-0.01, 1.0, 2000), erfcx_truth), 1e-15);
    // Far out erfcx(x) = (1 - 1 / 2 x^2 + 3 / 4 x^4 - 15 / 8 x^6) / (x sqrt(pi))
    const auto series = [](const Quad& x) -> Quad {
        return (1 - 1 / (2 * x * x) + 3 / (4 * x * x * x * x) - 15 / (8 * x * x * x * x * x * x)) /
               (x * sqrt(boost::math::constants::pi<Quad>()));
    };
    EXPECT_LE(worst_relative(kernels().erfcx, {200.0, 1e4, 1e8, 1e16, 1e18, 1e150, 1e300}, series), 1e-15);
}

TEST_P(EveryLevel, SpecialValues) {
    const Values exp_values = apply(kernels().exp, {-inf, inf, nan, 710.0, -745.0, 0.0, -0.0, 709.78});
    EXPECT_EQ(exp_values[0], 0.0);
    EXPECT_EQ(exp_values[1], inf);
    EXPECT_TRUE(std::isnan(exp_values[2]));
    EXPECT_EQ(exp_values[3], inf);
    EXPECT_EQ(exp_values[4], 0.0);
    EXPECT_EQ(exp_values[5], 1.0);
    EXPECT_EQ(exp_values[6], 1.0);
    EXPECT_TRUE(std::isfinite(exp_values[7]));
    const double odd_nan = std::bit_cast<double>(0x7ff8000000000fffULL);
    EXPECT_TRUE(std::isnan(apply(kernels().exp, {odd_nan})[0]));
    const Values log_values = apply(kernels().log, {0.0, -0.0, -1.0, -inf, inf, nan, 1.0, odd_nan});
    EXPECT_EQ(log_values[0], -inf);
    EXPECT_EQ(log_values[1], -inf);
    EXPECT_TRUE(std::isnan(log_values[2]));
    EXPECT_TRUE(std::isnan(log_values[3]));
    EXPECT_EQ(log_values[4], inf);
    EXPECT_TRUE(std::isnan(log_values[5]));
    EXPECT_EQ(log_values[6], 0.0);
    EXPECT_TRUE(std::isnan(log_values[7]));
    const Values at{-inf, inf, nan, 0.0, -30.0, 30.0};
    const Values erf_values = apply(kernels().erf, at);
    const Values erfc_values = apply(kernels().erfc, at);
    const Values erfcx_values = apply(kernels().erfcx, at);
    EXPECT_EQ(erf_values[0], -1.0);
    EXPECT_EQ(erf_values[1], 1.0);
    EXPECT_TRUE(std::isnan(erf_values[2]));
    EXPECT_EQ(erf_values[3], 0.0);
    EXPECT_EQ(erfc_values[0], 2.0);
    EXPECT_EQ(erfc_values[1], 0.0);
    EXPECT_TRUE(std::isnan(erfc_values[2]));
    EXPECT_NEAR(erfc_values[3], 1.0, 4e-16);
    EXPECT_EQ(erfc_values[4], 2.0);
    EXPECT_EQ(erfc_values[5], 0.0);
    EXPECT_EQ(erfcx_values[0], inf);
    EXPECT_EQ(erfcx_values[1], 0.0);
    EXPECT_TRUE(std::isnan(erfcx_values[2]));
    EXPECT_EQ(erfcx_values[4], inf);
}

TEST_P(EveryLevel, ExpIsFlushedAndOverflowsWhereItSays) {
    // The doubles on both sides of ln 2^-1022 and of ln of the largest double.
    const Values values =
        apply(kernels().exp, {-708.3964185322642, -708.3964185322641, 709.782712893384, 709.7827128933841, -1e308, 1e308});
    EXPECT_EQ(values[0], 0.0);
    EXPECT_GE(values[1], std::numeric_limits<double>::min());
    EXPECT_TRUE(std::isfinite(values[2]));
    EXPECT_EQ(values[3], inf);
    EXPECT_EQ(values[4], 0.0);
    EXPECT_EQ(values[5], inf);
}

TEST_P(EveryLevel, AResultDoesNotDependOnItsPlace) {
    const Values in = random(0.01, 5.0, 37);  // whole vectors and a remainder
    for (const Kernel kernel : {kernels().exp, kernels().log, kernels().erf, kernels().erfc, kernels().erfcx}) {
        const Values all = apply(kernel, in);
        for (std::size_t i = 0; i < in.size(); ++i)
            EXPECT_EQ(apply(kernel, {in[i]})[0], all[i]) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(ArrayKernels, EveryLevel, testing::ValuesIn(available_simd_levels()),
                         [](const auto& level) { return std::string(to_string(level.param)); });

TEST(ArrayKernels, LevelsWithFusedMultiplyAddGiveTheSameBits) {
    const auto levels = available_simd_levels();
    if (levels.size() < 3) GTEST_SKIP() << "this processor has no x86-64-v4";
    Values in;
    for (std::size_t i = 0; i < 10000; ++i)
        in.push_back(-40.0 + 80.0 * RandomStream(5, 1, i).uniform());
    for (const auto kernel :
         {&ArrayKernels::exp, &ArrayKernels::log, &ArrayKernels::erf, &ArrayKernels::erfc, &ArrayKernels::erfcx}) {
        Values v3(in.size());
        Values v4(in.size());
        (array_kernels(SimdLevel::v3).*kernel)(in.data(), in.size(), v3.data());
        (array_kernels(SimdLevel::v4).*kernel)(in.data(), in.size(), v4.data());
        for (std::size_t i = 0; i < in.size(); ++i)
            EXPECT_TRUE(v3[i] == v4[i] || (std::isnan(v3[i]) && std::isnan(v4[i]))) << in[i];
    }
}

TEST_P(EveryLevel, RandomBitsAreThoseOfTheStreams) {
    constexpr std::size_t count = 37;
    constexpr std::uint64_t seed = 0x0123456789ABCDEFULL;
    constexpr std::uint64_t first = 0xFFFFFFF0ULL;  // the index passes 2^32
    std::vector<std::uint64_t> numbers(count * RandomStream::ahead);
    array_kernels(GetParam()).random_bits(seed, 5, first, count, RandomStream::ahead / 2, numbers.data());
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream plain(seed, 5, first + i);
        RandomStream ahead(seed, 5, first + i, numbers.data() + i * RandomStream::ahead);
        for (std::size_t k = 0; k < 3 * RandomStream::ahead; ++k) {
            const std::uint64_t bits = plain.bits();
            if (k < RandomStream::ahead) {
                EXPECT_EQ(numbers[i * RandomStream::ahead + k], bits);
            }
            EXPECT_EQ(ahead.bits(), bits);
        }
    }
}

}  // namespace
}  // namespace aliquot::math
