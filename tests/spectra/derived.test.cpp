#include "aliquot/spectra/derived.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

/// Two lines of three parameters; the second one's shift is tied, its width fixed.
Model two_lines() {
    ComponentDefinition a{"Ha", "", std::make_shared<LineGaussian>(), {{"wavec", 6562.8}}, {}, {}, {}, {}};
    ComponentDefinition b{
        "Hb", "", std::make_shared<LineGaussian>(), {{"wavec", 4861.3}, {"sigma", 250.0}}, {}, {{"sigma", true}}, {}, {}};
    b.ties["dv"] = {"Ha.dv", 1.0, 10.0};
    return Model({a, b}, "");
}

std::vector<DerivedDefinition> read(const std::string& text) {
    const io::Config config = io::Config::parse(text, "fit.toml");
    return read_derived(config.root().table("derived"), two_lines());
}

std::string refusal(const std::string& text) {
    return test::message_of<ConfigError>([&] { (void)read(text); });
}

TEST(Derived, ExpressionsSeeFreeTiedAndFixedParameters) {
    const Model model = two_lines();
    const auto all = read(
        "[derived]\n"
        "decrement = \"Ha.amplitude / Hb.amplitude\"\n"
        "shift = { value = \"sqrt(Hb.dv^2) + 0 * amplitude_0\", unit = \"km/s\" }\n"
        "width = \"log10(Hb.sigma)\"\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].unit, "km/s");
    Matrix<double> theta(0, model.dimension());
    ASSERT_EQ(model.dimension(), 4U);  // Ha: amplitude, dv, sigma; Hb: amplitude
    theta.append_row(std::vector<double>{3.0, -50.0, 100.0, 1.5});
    theta.append_row(std::vector<double>{3.0, 20.0, 100.0, 0.0});
    const auto decrement = evaluate_derived(all[0], model, theta.view());
    EXPECT_DOUBLE_EQ(decrement[0], 2.0);
    EXPECT_TRUE(std::isinf(decrement[1]));
    const auto shift = evaluate_derived(all[1], model, theta.view());
    EXPECT_DOUBLE_EQ(shift[0], 40.0);
    EXPECT_DOUBLE_EQ(shift[1], 30.0);
    EXPECT_DOUBLE_EQ(evaluate_derived(all[2], model, theta.view())[0], std::log10(250.0));
}

TEST(Derived, WhatCannotBeIsRefusedWithThePlace) {
    EXPECT_NE(
        refusal("[derived]\nr = \"Ha.amplitud / 2\"\n").find("unknown name \"Ha.amplitud\"; did you mean \"Ha.amplitude\"?"),
        std::string::npos)
        << refusal("[derived]\nr = \"Ha.amplitud / 2\"\n");
    EXPECT_NE(refusal("[derived]\nr = \"Ha.amplitude /\"\n").find("fit.toml:2: r = \"Ha.amplitude /\": "), std::string::npos);
    EXPECT_NE(refusal("[derived]\nr = \"\"\n").find("fit.toml:2"), std::string::npos);
    EXPECT_NE(refusal("[derived]\n\"a b\" = \"1\"\n").find("letters, digits and underscores"), std::string::npos);
    EXPECT_NE(refusal("[derived]\nr = { unit = \"km/s\" }\n").find("value"), std::string::npos);
    EXPECT_NE(refusal("[derived]\nr = { value = \"1\", units = \"km/s\" }\n").find("did you mean \"unit\""), std::string::npos);
    EXPECT_NE(refusal("[derived]\nr = 3\n").find("fit.toml:2"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::spectra
