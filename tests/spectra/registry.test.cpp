#include "aliquot/spectra/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "aliquot/core/error.hpp"
#include "aliquot/io/config.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {
std::shared_ptr<const Component> make(const std::string& toml, const std::filesystem::path& folder = ".") {
    return make_component(io::Config::parse(toml, "fit.toml").root(), DataPaths(folder));
}

/// A template of ten rows.
void write_template(const std::filesystem::path& path) {
    std::ofstream file(path);
    for (int i = 0; i < 10; ++i)
        file << 4600 + 10 * i << " " << 1 + i % 3 << "\n";
}

TEST(Registry, ListsItsClassesInAlphabeticalOrder) {
    std::vector<std::string> names;
    for (const ComponentClass& c : component_classes()) {
        names.emplace_back(c.name);
        EXPECT_FALSE(c.summary.empty()) << c.name;
    }
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    for (const char* name : {"Const1D", "IronTemplate", "IronTemplate_new", "Line_Gaussian", "Line_MultiGauss",
                             "Line_MultiGauss_doublet", "Linear1D", "PowerLaw1D"})
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

/// Every class makes a component of its own name whose parameter table holds what it says: names once, defaults within bounds.
TEST(Registry, MakesEveryClass) {
    const test::ScratchDirectory scratch;
    write_template(scratch / "t.txt");
    for (const ComponentClass& c : component_classes()) {
        std::string toml = "class = \"" + std::string(c.name) + "\"\n";
        if (c.arguments.find("template") != std::string_view::npos) toml += "template = \"t.txt\"\nintrinsic_fwhm = 800\n";
        if (c.arguments.find("n_components") != std::string_view::npos) toml += "n_components = 3\n";
        if (c.arguments.find("degree") != std::string_view::npos) toml += "degree = 3\n";
        if (c.arguments.find("profile") != std::string_view::npos) toml += "profile = \"t.txt\"\n";
        if (c.arguments.find("templates") != std::string_view::npos) toml += "templates = [\"t.txt\", \"t.txt\"]\n";
        const auto component = make(toml, scratch / "");
        EXPECT_EQ(component->type(), c.name);
        std::vector<std::string> names;
        for (const ParameterSpec& spec : component->parameters()) {
            EXPECT_EQ(std::count(names.begin(), names.end(), spec.name), 0) << c.name << "." << spec.name;
            names.push_back(spec.name);
            EXPECT_LT(spec.lower, spec.upper) << c.name << "." << spec.name;
        }
    }
}

/// The order of parameters is that of GalSpec: published parameter vectors are in it.
TEST(Registry, ParametersAreInThePublishedOrder) {
    const auto names = [](const std::string& toml) {
        std::string all;
        const auto component = make(toml);
        for (const ParameterSpec& spec : component->parameters())
            all += spec.name + " ";
        return all;
    };
    EXPECT_EQ(names("class = \"PowerLaw1D\""), "amplitude x_0 alpha ");
    EXPECT_EQ(names("class = \"Line_Gaussian\""), "amplitude dv sigma wavec ");
    EXPECT_EQ(names("class = \"Line_MultiGauss\"\nn_components = 3"),
              "amp_c dv_c sigma_c wavec amp_w0 dv_w0 sigma_w0 amp_w1 dv_w1 sigma_w1 ");
    EXPECT_EQ(names("class = \"Line_MultiGauss_doublet\"\nn_components = 2"),
              "amp_c0 amp_c1 dv_c sigma_c wavec0 wavec1 amp_w0 dv_w0 sigma_w0 ");
}

/// Default bounds of section 1.3 of the published package.
TEST(Registry, BoundsAreThePublishedOnes) {
    const auto line = make("class = \"Line_MultiGauss\"\nn_components = 2");
    const auto doublet = make("class = \"Line_MultiGauss_doublet\"\nn_components = 2");
    const auto expect = [](const Component& component, const std::string& name, double lower, double upper) {
        for (const ParameterSpec& spec : component.parameters()) {
            if (spec.name != name) continue;
            EXPECT_EQ(spec.lower, lower) << name;
            EXPECT_EQ(spec.upper, upper) << name;
            return;
        }
        ADD_FAILURE() << name << " is missing";
    };
    for (const auto& component : {line, doublet}) {
        expect(*component, "dv_c", -2000.0, 2000.0);
        expect(*component, "sigma_c", 20.0, 10000.0);
        expect(*component, "amp_w0", 0.0, 1.0);
        expect(*component, "sigma_w0", 0.0, 10000.0);
    }
    expect(*line, "amp_c", 0.0, unbounded);
    expect(*line, "dv_w0", -8000.0, 8000.0);
    expect(*doublet, "dv_w0", -2000.0, 2000.0);
}

TEST(Registry, FaultsAreNamed) {
    const auto fault = [](const std::string& toml) { return test::message_of<ConfigError>([&] { (void)make(toml); }); };
    EXPECT_NE(fault("class = \"Line_Gausian\"").find("Line_Gaussian"), std::string::npos);
    EXPECT_NE(fault("name = \"x\"").find("class"), std::string::npos);
    EXPECT_NE(fault("class = \"Line_MultiGauss\"\nn_components = 0").find("n_components = 0"), std::string::npos);
    EXPECT_NE(fault("class = \"IronTemplate\"\nintrinsic_fwhm = 800").find("template"), std::string::npos);
    EXPECT_NE(test::message_of<DataError>([] {
                  (void)make("class = \"IronTemplate\"\ntemplate = \"none.dat\"\nintrinsic_fwhm = 800");
              }).find("none.dat"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::spectra
