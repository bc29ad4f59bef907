#include "aliquot/infer/prior.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "aliquot/core/error.hpp"
#include "support/golden.hpp"

namespace aliquot::infer {
namespace {

TEST(Prior, UniformIsLinear) {
    const Prior prior = Prior::uniform(-350.0, 200.0);
    EXPECT_DOUBLE_EQ(prior.transform(0.0), -350.0);
    EXPECT_DOUBLE_EQ(prior.transform(0.5), -75.0);
    EXPECT_DOUBLE_EQ(prior.transform(1.0), 200.0);
    EXPECT_EQ(prior.describe(), "Uniform(-350, 200)");
}

TEST(Prior, LogUniformIsGolden) {
    const auto golden = test::golden("spectra_golden.json")["prior LogUniform 1e-3..3"];
    const Prior prior = Prior::log_uniform(1e-3, 3.0);
    for (std::size_t i = 0; i < golden["x"].size(); ++i)
        EXPECT_NEAR(prior.transform(golden["x"][i]), golden["y"][i].get<double>(), 1e-15 * 3.0);
    EXPECT_EQ(prior.describe(), "LogUniform(0.001, 3)");
}

TEST(Prior, FaultsAreRefused) {
    EXPECT_NO_THROW(Prior::uniform(0.0, 1.0).validate());
    EXPECT_NO_THROW(Prior::log_uniform(1e-9, 1.0).validate());
    EXPECT_THROW(Prior::uniform(1.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(2.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(0.0, std::numeric_limits<double>::infinity()).validate(), ConfigError);
    EXPECT_THROW(Prior::uniform(std::numeric_limits<double>::quiet_NaN(), 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::log_uniform(0.0, 1.0).validate(), ConfigError);
    EXPECT_THROW(Prior::log_uniform(-1.0, 1.0).validate(), ConfigError);
}

}  // namespace
}  // namespace aliquot::infer
