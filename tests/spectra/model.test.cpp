#include "aliquot/spectra/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using infer::Prior;
using test::message_of;

ComponentDefinition line(const std::string& name) {
    return {name, "", std::make_shared<LineGaussian>(), {}, {}, {}, {}, {}};
}
ComponentDefinition continuum() {
    return {"Continuum", "", std::make_shared<PowerLaw>(), {{"x_0", 5000.0}}, {}, {{"x_0", true}}, {}, {}};
}
ComponentDefinition tied(const std::string& name, const std::string& parameter, const TieDefinition& tie) {
    ComponentDefinition definition = line(name);
    definition.ties[parameter] = tie;
    return definition;
}
std::string config_error(std::vector<ComponentDefinition> definitions, const std::string& expression = "") {
    return message_of<ConfigError>([&] { const Model model(std::move(definitions), expression); });
}
void expect_contains(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
}

TEST(Model, NamesOfFreeParametersAreInOrder) {
    const Model model({continuum(), line("Line")}, "");
    std::vector<std::string> full;
    std::vector<std::string> shorts;
    for (const std::size_t i : model.free()) {
        full.push_back(model.parameters()[i].full_name);
        shorts.push_back(model.parameters()[i].short_name);
    }
    EXPECT_EQ(full,
              (std::vector<std::string>{"Continuum.amplitude", "Continuum.alpha", "Line.amplitude", "Line.dv", "Line.sigma"}));
    EXPECT_EQ(shorts, (std::vector<std::string>{"amplitude_0", "alpha_0", "amplitude_1", "dv_1", "sigma_1"}));
    EXPECT_EQ(Model({line("Line")}, "").parameters()[1].short_name, "dv");
}

TEST(Model, ParametersAreFoundByEveryName) {
    const Model model({continuum(), line("Line")}, "");
    EXPECT_EQ(model.find("Line.dv"), model.find("dv_1"));
    EXPECT_EQ(model.find("dv"), model.find("Line.dv"));
    expect_contains(message_of<ConfigError>([&] { (void)model.find("amplitude"); }),
                    {"ambiguous", "Continuum.amplitude", "Line.amplitude"});
    expect_contains(message_of<ConfigError>([&] { (void)model.find("Line.sgma"); }), {"Line.sgma", "did you mean", "Line.sigma"});
}

TEST(Model, TiesFollowRatioAndOffsetInOrderOfDependence) {
    // a depends on b, which comes later and depends on c: a model that evaluates ties in declaration order gets a wrong.
    ComponentDefinition c = line("c");
    c.values["dv"] = 100.0;
    const Model model({tied("a", "dv", {"b.dv", 2.0, 5.0}), tied("b", "dv", {"c.dv", 0.5, -10.0}), c}, "");
    std::vector<double> theta = model.theta();
    for (std::size_t i = 0; i < theta.size(); ++i) {
        if (model.parameters()[model.free()[i]].full_name == "c.dv") theta[i] = 300.0;
    }
    const std::vector<double> values = model.expand(theta);
    EXPECT_DOUBLE_EQ(values[model.find("b.dv")], 300.0 / 0.5 - 10.0);
    EXPECT_DOUBLE_EQ(values[model.find("a.dv")], (300.0 / 0.5 - 10.0) / 2.0 + 5.0);
    EXPECT_DOUBLE_EQ(model.parameters()[model.find("b.dv")].value, 100.0 / 0.5 - 10.0);
    EXPECT_EQ(model.dimension(), 3U * 3U - 2U);
}

TEST(Model, TieFaultsAreNamed) {
    expect_contains(config_error({tied("a", "dv", {"b.dv"}), tied("b", "dv", {"a.dv"})}), {"cycle", "a.dv -> b.dv -> a.dv"});
    expect_contains(config_error({tied("a", "dv", {"a.dv"})}), {"cycle", "a.dv -> a.dv"});
    expect_contains(config_error({tied("a", "dv", {"b.dw"}), line("b")}), {"tie of a.dv", "b.dw", "b.dv"});
    expect_contains(config_error({tied("a", "dv", {"b.dv", 0.0}), line("b")}), {"ratio = 0"});
    ComponentDefinition both = tied("a", "dv", {"b.dv"});
    both.fixed["dv"] = true;
    expect_contains(config_error({both, line("b")}), {"a.dv", "both fixed and tied"});
}

TEST(Model, DefinitionsAreChecked) {
    expect_contains(config_error({}), {"no component"});
    expect_contains(config_error({line("a"), line("a")}), {"\"a\"", "twice"});
    expect_contains(config_error({line("a b")}), {"a b"});
    ComponentDefinition unknown = line("a");
    unknown.values["sigme"] = 1.0;
    expect_contains(config_error({unknown}), {"sigme", "Line_Gaussian", "sigma"});
    ComponentDefinition reversed = line("a");
    reversed.bounds["sigma"] = {500.0, 50.0};
    expect_contains(config_error({reversed}), {"bounds of a.sigma", "reversed"});
    ComponentDefinition outside = line("a");
    outside.values["sigma"] = 5.0;
    expect_contains(config_error({outside}), {"a.sigma = 5", "outside its bounds"});
    ComponentDefinition wide = line("a");
    wide.priors.emplace("sigma", Prior::uniform(5.0, 500.0));
    expect_contains(config_error({wide}), {"prior of a.sigma", "Uniform(5, 500)", "outside"});
    ComponentDefinition useless = line("a");
    useless.fixed["sigma"] = true;
    useless.priors.emplace("sigma", Prior::uniform(50.0, 500.0));
    expect_contains(config_error({useless}), {"prior of a.sigma", "fixed"});
    ComponentDefinition all_fixed = line("a");
    for (const char* name : {"amplitude", "dv", "sigma"})
        all_fixed.fixed[name] = true;
    expect_contains(config_error({all_fixed}), {"no free parameter"});
}

TEST(Model, DefaultPriorsFollowTheRules) {
    const Model model({{"Continuum", "", std::make_shared<PowerLaw>(), {{"x_0", 5000.0}}, {}, {}, {}, {}},
                       line("Line"),
                       {"Slope", "", std::make_shared<Linear>(), {}, {}, {}, {}, {}}},
                      "");
    const auto prior = [&](const char* name) { return model.parameters()[model.find(name)].prior->describe(); };
    EXPECT_EQ(prior("Continuum.amplitude"), "LogUniform(1e-06, 1000000)");
    EXPECT_EQ(prior("Continuum.x_0"), "Uniform(4950, 5050)");
    EXPECT_EQ(prior("Continuum.alpha"), "Uniform(-5, 5)");
    EXPECT_EQ(prior("Line.dv"), "Uniform(-2000, 2000)");  // both bounds are finite
    EXPECT_EQ(prior("Line.sigma"), "Uniform(20, 10000)");
    EXPECT_EQ(prior("Line.amplitude"), "LogUniform(1e-06, 1000000)");
    EXPECT_EQ(prior("Slope.slope"), "Uniform(-10, 10)");
    EXPECT_TRUE(model.parameters()[model.find("Line.dv")].default_prior);
}

/// A default range that a one-sided bound empties is an error, not a prior from high to low.
TEST(Model, DefaultPriorsThatBoundsEmptyAreRefused) {
    ComponentDefinition far = line("a");
    far.bounds["sigma"] = {30000.0, unbounded};
    far.values["sigma"] = 40000.0;
    expect_contains(config_error({far}), {"a.sigma has no prior", "give prior.sigma"});
}

TEST(Model, AmplitudesBoundedOnOneSideKeepTheirBound) {
    ComponentDefinition bounded = line("a");
    bounded.bounds["amplitude"] = {0.01, unbounded};
    const Model model({bounded}, "");
    EXPECT_EQ(model.parameters()[model.find("a.amplitude")].prior->describe(), "LogUniform(0.01, 1000000)");
}

/// Every row of the table of rules: by the name of the parameter, where it is not bounded on both sides.
TEST(Model, DefaultPriorsByKindOfParameter) {
    const auto prior = [](const std::string& name, double value = 0.0, double lower = -unbounded, double upper = unbounded) {
        return default_prior({.name = name,
                              .short_name = name,
                              .full_name = "c." + name,
                              .unit = "",
                              .value = value,
                              .lower = lower,
                              .upper = upper,
                              .fixed = false,
                              .tied_to = {},
                              .prior = {}})
            .describe();
    };
    for (const char* name : {"amplitude", "amp_c", "amp_c0", "amp_0"})
        EXPECT_EQ(prior(name), "LogUniform(1e-06, 1000000)") << name;
    EXPECT_EQ(prior("sigma_c"), "Uniform(10, 20000)");
    EXPECT_EQ(prior("stddev"), "Uniform(10, 20000)");
    EXPECT_EQ(prior("dv_w0"), "Uniform(-10000, 10000)");
    EXPECT_EQ(prior("wavec", 5000.0), "Uniform(4950, 5050)");
    EXPECT_EQ(prior("mean", -100.0), "Uniform(-101, -99)");
    EXPECT_EQ(prior("logtau0"), "Uniform(-3, 3)");
    EXPECT_EQ(prior("Cf"), "Uniform(0, 1)");
    EXPECT_EQ(prior("h3"), "Uniform(-0.5, 0.5)");
    EXPECT_EQ(prior("alpha_1"), "Uniform(-5, 5)");
    EXPECT_EQ(prior("z"), "Uniform(-0.1, 0.1)");
    EXPECT_EQ(prior("velscale"), "Uniform(10, 1000)");
    EXPECT_EQ(prior("c3"), "Uniform(-10, 10)");
    // A bound on one side cuts the rule's range; bounds on both sides are the range.
    EXPECT_EQ(prior("sigma", 500.0, 382.2), "Uniform(382.2, 20000)");
    EXPECT_EQ(prior("amp_w0", 0.0, 0.0, 1.0), "Uniform(0, 1)");
}

TEST(Model, WindsStartAsWideAsTheCore) {
    const Model model({{"L", "", std::make_shared<LineMultiGauss>(2), {{"sigma_c", 700.0}}, {}, {}, {}, {}}}, "");
    EXPECT_DOUBLE_EQ(model.parameters()[model.find("L.sigma_w0")].value, 700.0);
}

TEST(Model, ProductsAndSumsEvaluateAsWritten) {
    const auto constant = [](const char* name, double value) {
        return ComponentDefinition{name, "", std::make_shared<Constant>(), {{"amplitude", value}}, {}, {}, {}, {}};
    };
    const Model model({constant("a", 2.0), constant("b", 3.0), constant("c", 5.0)}, "(a + b) * c");
    std::vector<double> flux(2);
    model.evaluate(std::vector<double>{1.0, 2.0}, model.expand(model.theta()), flux);
    EXPECT_EQ(flux, (std::vector<double>{25.0, 25.0}));
    const Model other({constant("a", 2.0), constant("b", 3.0), constant("c", 5.0)}, "a + b * c");
    other.evaluate(std::vector<double>{1.0, 2.0}, other.expand(other.theta()), flux);
    EXPECT_EQ(flux, (std::vector<double>{17.0, 17.0}));
}

}  // namespace
}  // namespace aliquot::spectra
