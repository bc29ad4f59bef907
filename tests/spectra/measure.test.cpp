#include "aliquot/spectra/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/components/convolved.hpp"
#include "aliquot/spectra/components/line_absorption.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/line_wings.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

constexpr double c = 299792.458;

ComponentDefinition define(const std::string& name, std::shared_ptr<const Component> component,
                           std::map<std::string, double> values) {
    return {name, "", std::move(component), std::move(values), {}, {}, {}, {}};
}

/// All measures of one model at its own values, by "of quantity".
std::map<std::string, double> measured(const Model& model, const MeasureDefinition& definition = {}) {
    Matrix<double> theta(0, model.dimension());
    theta.append_row(model.theta());
    Threads threads(1);
    std::map<std::string, double> all;
    for (const Measured& m : measure(definition, model, std::as_const(theta).view(), threads))
        all[m.of + " " + m.quantity] = m.values[0];
    return all;
}

TEST(Measure, AGaussianHasItsClosedForms) {
    const double wavec = 5006.843;
    const Model model(
        {define("Sky", std::make_shared<Constant>(), {{"amplitude", 0.5}}),
         define("L", std::make_shared<LineGaussian>(), {{"amplitude", 2.0}, {"dv", -120.0}, {"sigma", 150.0}, {"wavec", wavec}})},
        "");
    MeasureDefinition definition;
    definition.continuum = {5100.0};
    auto m = measured(model, definition);
    const double flux = 2.0 * std::sqrt(2.0 * std::numbers::pi) * 150.0 * wavec / c;
    EXPECT_NEAR(m.at("L 5006.8 flux"), flux, 1e-10 * flux);
    EXPECT_NEAR(m.at("L 5006.8 fwhm"), 150.0 * 2.0 * std::sqrt(2.0 * std::log(2.0)), 0.5);
    EXPECT_NEAR(m.at("L 5006.8 velocity"), -120.0, 1e-8);
    EXPECT_NEAR(m.at("L 5006.8 dispersion"), 150.0, 1e-6);
    EXPECT_NEAR(m.at("L 5006.8 ew"), flux / 0.5, 1e-9 * flux);
    EXPECT_EQ(m.at("continuum 5100.0 flux"), 0.5);
    EXPECT_EQ(m.size(), 6U);
}

TEST(Measure, AProfileOfCoreAndWindIsMeasuredAsAWhole) {
    const Model model({define("L", std::make_shared<LineMultiGauss>(2),
                              {{"amp_c", 1.0},
                               {"dv_c", 50.0},
                               {"sigma_c", 100.0},
                               {"wavec", 5000.0},
                               {"amp_w0", 0.5},
                               {"dv_w0", -400.0},
                               {"sigma_w0", 300.0}})},
                      "");
    auto m = measured(model);
    const double root = std::sqrt(2.0 * std::numbers::pi) * 5000.0 / c;
    EXPECT_NEAR(m.at("L 5000.0 flux"), root * (100.0 + 0.5 * 300.0), 1e-9);
    const double mean = (100.0 * 50.0 + 150.0 * (50.0 - 400.0)) / 250.0;
    EXPECT_NEAR(m.at("L 5000.0 velocity"), mean, 1e-6);
    const double second = (100.0 * (1e4 + 50.0 * 50.0) + 150.0 * (9e4 + 350.0 * 350.0)) / 250.0 - mean * mean;
    EXPECT_NEAR(m.at("L 5000.0 dispersion"), std::sqrt(second), 1e-6);
    EXPECT_GT(m.at("L 5000.0 fwhm"), 235.0);  // wider than the core
    EXPECT_EQ(m.count("L 5000.0 ew"), 0U);    // nothing is a continuum
}

TEST(Measure, LinesOfADoubletAreApartAndProfilesTogether) {
    const Model model(
        {define("O", std::make_shared<LineMultiGaussDoublet>(1),
                {{"amp_c0", 3.0}, {"amp_c1", 1.0}, {"sigma_c", 200.0}, {"wavec0", 5006.843}, {"wavec1", 4958.911}}),
         define("N", std::make_shared<LineGaussian>(), {{"amplitude", 2.0}, {"sigma", 100.0}, {"wavec", 4862.683}}),
         define("B", std::make_shared<LineGaussian>(), {{"amplitude", 1.0}, {"sigma", 2000.0}, {"wavec", 4862.683}})},
        "");
    MeasureDefinition definition;
    definition.profiles = {{"Hbeta", {"N", "B"}}};
    auto m = measured(model, definition);
    const double unit = std::sqrt(2.0 * std::numbers::pi) / c;
    EXPECT_NEAR(m.at("O 5006.8 flux"), 3.0 * 200.0 * 5006.843 * unit, 1e-9);
    EXPECT_NEAR(m.at("O 4958.9 flux"), 200.0 * 4958.911 * unit, 1e-9);
    EXPECT_NEAR(m.at("Hbeta flux"), (200.0 + 2000.0) * 4862.683 * unit, 1e-8);
    EXPECT_NEAR(m.at("Hbeta flux"), m.at("N 4862.7 flux") + m.at("B 4862.7 flux"), 1e-8);
    EXPECT_LT(m.at("Hbeta fwhm"), 1000.0);  // half of the peak of 3 is above the broad line
}

TEST(Measure, TheInstrumentIsTakenOff) {
    const auto line = std::make_shared<LineGaussian>();
    const Model model(
        {define("L", std::make_shared<Convolved>(line, 1.2), {{"amplitude", 2.0}, {"sigma", 60.0}, {"wavec", 5006.843}})}, "");
    EXPECT_NEAR(measured(model).at("L 5006.8 fwhm"), 60.0 * 2.3548, 0.5);
}

TEST(Measure, WhatHasNoFluxHasNoWidth) {
    const Model model({define("L", std::make_shared<LineGaussian>(), {{"amplitude", 0.0}})}, "");
    auto m = measured(model);
    EXPECT_EQ(m.at("L 5000.0 flux"), 0.0);
    EXPECT_TRUE(std::isnan(m.at("L 5000.0 fwhm")));
    EXPECT_TRUE(std::isnan(m.at("L 5000.0 velocity")));
}

TEST(Measure, ALorentzianLosesLittle) {
    const Model model({define("L", std::make_shared<LineLorentz>(), {{"amplitude", 1.0}, {"gamma", 200.0}, {"wavec", 5000.0}})},
                      "");
    auto m = measured(model);
    EXPECT_NEAR(m.at("L 5000.0 flux") / (std::numbers::pi * 200.0 * 5000.0 / c), 1.0, 0.0065);
    EXPECT_NEAR(m.at("L 5000.0 fwhm"), 400.0, 1.0);
}

TEST(Measure, FaultsAreRefused) {
    const Model sum({define("Sky", std::make_shared<Constant>(), {}), define("L", std::make_shared<LineGaussian>(), {})}, "");
    const Model product({define("Sky", std::make_shared<Constant>(), {}), define("A", std::make_shared<LineAbsorption>(), {})},
                        "Sky * A");
    const auto refusal = [](const Model& model, const std::string& text) {
        const io::Config config = io::Config::parse(text, "fit.toml");
        return test::message_of<ConfigError>([&] { (void)read_measure(config.root().table("measure"), model); });
    };
    EXPECT_NE(refusal(sum, "[[measure.profile]]\nname = \"x\"\ncomponents = [\"M\"]\n").find("unknown component \"M\""),
              std::string::npos);
    EXPECT_NE(refusal(sum, "[[measure.profile]]\nname = \"x\"\ncomponents = [\"Sky\"]\n").find("no emission line"),
              std::string::npos);
    EXPECT_NE(refusal(sum, "[[measure.profile]]\nname = \"x\"\ncomponents = []\n").find("without components"), std::string::npos);
    EXPECT_NE(refusal(sum, "[measure]\ncontinuum = [-5]\n").find("positive"), std::string::npos);
    EXPECT_NE(refusal(product, "[measure]\ncontinuum = [5100]\n").find("products"), std::string::npos);
    EXPECT_NE(refusal(sum, "[measure]\ncontinua = [5100]\n").find("did you mean \"continuum\""), std::string::npos);
}

}  // namespace
}  // namespace aliquot::spectra
