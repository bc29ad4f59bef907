#include "aliquot/io/config.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

using test::message_of;

constexpr const char* example = R"(title = "a fit"
seed = 7
window = [4900, 5100.5]
masks = [[5770, 6000], [6100.0, 6200]]

[sampler]
nlive = 400
dlogz = 1
fast = true

[[model.component]]
name = "Continuum"
values = { amplitude_0 = 0.5, alpha = 1 }

[[model.component]]
name = "OIII"
)";

TEST(Config, ReadsEveryKindOfValue) {
    const Config config = Config::parse(example, "fit.toml");
    const ConfigTable root = config.root();
    EXPECT_EQ(root.require<std::string>("title"), "a fit");
    EXPECT_EQ(root.get<std::size_t>("seed", 1), 7U);
    EXPECT_EQ(root.require<std::vector<double>>("window"), (std::vector<double>{4900.0, 5100.5}));
    EXPECT_EQ(root.require<std::vector<std::vector<double>>>("masks"),
              (std::vector<std::vector<double>>{{5770, 6000}, {6100, 6200}}));
    const ConfigTable sampler = root.table("sampler");
    EXPECT_EQ(sampler.require<int>("nlive"), 400);
    EXPECT_EQ(sampler.get<double>("dlogz", 0.01), 1.0);
    EXPECT_TRUE(sampler.get<bool>("fast", false));
    EXPECT_EQ(sampler.get<double>("absent", 2.5), 2.5);
    EXPECT_EQ(sampler.find<double>("absent"), std::nullopt);
    const auto components = root.table("model").tables("component");
    ASSERT_EQ(components.size(), 2U);
    EXPECT_EQ(components[0].require<std::string>("name"), "Continuum");
    EXPECT_EQ(components[1].require<std::string>("name"), "OIII");
    EXPECT_EQ(components[1].path(), "model.component[1]");
    const ConfigTable values = components[0].table("values");
    EXPECT_EQ(values.keys(), (std::vector<std::string>{"alpha", "amplitude_0"}));
    for (const std::string& key : values.keys())
        EXPECT_GT(values.require<double>(key), 0.0);
    EXPECT_EQ(root.kind("window"), ConfigKind::array);
    EXPECT_EQ(sampler.kind("nlive"), ConfigKind::integer);
    EXPECT_TRUE(root.tables("absent").empty());
    EXPECT_EQ(root.table("absent").get<int>("x", 3), 3);
    EXPECT_NO_THROW(config.check_all_used());
    EXPECT_EQ(config.text(), example);
}

TEST(Config, UnknownKeyNamesPlaceAndNearestKnownOne) {
    const Config config = Config::parse("[sampler]\nnlive = 3\n\nnlife = 4\n", "fit.toml");
    const ConfigTable sampler = config.root().table("sampler");
    EXPECT_EQ(sampler.get<int>("nlive", 1), 3);
    const std::string expected = "fit.toml:4: unknown key \"nlife\" in [sampler]; did you mean \"nlive\"?";
    EXPECT_EQ(message_of<ConfigError>([&] { config.check_all_used(); }), expected);
    EXPECT_EQ(message_of<ConfigError>([&] { sampler.finish(); }), expected);
    EXPECT_EQ(message_of<ConfigError>([] { Config::parse("a = 1\n", "x.toml").check_all_used(); }),
              "x.toml:1: unknown key \"a\" at the top level");
}

TEST(Config, UnknownKeysAreFoundInNestedTablesAndArrays) {
    const Config config = Config::parse("[[m.c]]\nname = \"a\"\n[[m.c]]\nname = \"b\"\nvalues = { dv = 1 }\n", "fit.toml");
    for (const ConfigTable& component : config.root().table("m").tables("c")) {
        EXPECT_TRUE(component.find<std::string>("name").has_value());
        EXPECT_EQ(component.table("values").get<double>("sigma", 2.0), 2.0);
    }
    EXPECT_EQ(message_of<ConfigError>([&] { config.check_all_used(); }),
              "fit.toml:5: unknown key \"dv\" in [m.c[1].values]; known: sigma");
}

TEST(Config, WrongTypesSayWhatWasExpectedAndFound) {
    const Config config = Config::parse(example, "fit.toml");
    const ConfigTable root = config.root();
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.get<double>("title", 0.0); }),
              "fit.toml:1: title is a string (\"a fit\") (expected a number): correct the value");
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.table("sampler").require<std::string>("nlive"); }),
              "fit.toml:7: sampler.nlive is an integer (400) (expected a string): correct the value");
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.require<std::vector<std::string>>("window"); }),
              "fit.toml:3: window is an array of 2 values (expected an array of strings): correct the value");
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.table("seed"); }),
              "fit.toml:2: seed is an integer (7) (expected a table): write [seed] with keys below it");
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.tables("window"); }),
              "fit.toml:3: window is an array of 2 values (expected an array of tables): write [[window]] once per item");
    EXPECT_EQ(message_of<ConfigError>([&] { (void)root.table("sampler").require<double>("tolerance"); }),
              "fit.toml:6: sampler.tolerance is missing: add tolerance = in [sampler]");
    const Config negative = Config::parse("n = -1\nbig = 5000000000\nhalf = 1.5\n", "n.toml");
    EXPECT_THROW((void)negative.root().require<std::size_t>("n"), ConfigError);
    EXPECT_THROW((void)negative.root().require<int>("big"), ConfigError);
    EXPECT_THROW((void)negative.root().require<int>("half"), ConfigError);
    EXPECT_EQ(negative.root().require<std::int64_t>("big"), 5000000000);
}

TEST(Config, FailPointsAtTheKey) {
    const Config config = Config::parse(example, "fit.toml");
    EXPECT_EQ(message_of<ConfigError>(
                  [&] { config.root().fail("window", "window = [6900, 4200] (low end above high end): swap them"); }),
              "fit.toml:3: window = [6900, 4200] (low end above high end): swap them");
}

TEST(Config, OverridesReplaceAddAndReachArrays) {
    Config config = Config::parse(example, "fit.toml");
    config.set("sampler.nlive=50");
    config.set("sampler.note = quick look");
    config.set("new.table.x=[1, 2.5]");
    config.set("model.component.1.name=\"S II\"");
    config.set("window=[4200, 6900]");
    const ConfigTable root = config.root();
    EXPECT_EQ(root.table("sampler").require<int>("nlive"), 50);
    EXPECT_EQ(root.table("sampler").require<std::string>("note"), "quick look");
    EXPECT_EQ(root.table("new").table("table").require<std::vector<double>>("x"), (std::vector<double>{1.0, 2.5}));
    EXPECT_EQ(root.table("model").tables("component")[1].require<std::string>("name"), "S II");
    EXPECT_EQ(root.require<std::vector<double>>("window"), (std::vector<double>{4200.0, 6900.0}));
    EXPECT_EQ(
        message_of<ConfigError>([&] { (void)root.table("sampler").require<double>("note"); }),
        "--set sampler.note = quick look: sampler.note is a string (\"quick look\") (expected a number): correct the value");
    // The resolved text holds the overrides and parses to the same values.
    const Config again = Config::parse(config.to_toml(), "resolved.toml");
    EXPECT_EQ(again.root().table("sampler").require<int>("nlive"), 50);
    EXPECT_EQ(again.root().table("model").tables("component")[1].require<std::string>("name"), "S II");
}

TEST(Config, OverridesThatMeanNothingAreRefused) {
    Config config = Config::parse(example, "fit.toml");
    for (const char* wrong : {"nlive", "=3", "a..b=1", "seed.x=1", "model.component.7.name=x", "window=[1, ", "title=\"open"})
        EXPECT_THROW(config.set(wrong), ConfigError) << wrong;
    config.set("note=2 + 2\nseed = 9");  // not a second assignment: the whole is a string
    EXPECT_EQ(config.root().require<int>("seed"), 7);
}

TEST(Config, ResolvedTextKeepsDoublesBitForBit) {
    const Config config = Config::parse("a = 0.1\nb = 1e-300\nc = 3411.6244081283085\n", "x.toml");
    const Config again = Config::parse(config.to_toml(), "y.toml");
    for (const char* key : {"a", "b", "c"})
        EXPECT_EQ(config.root().require<double>(key), again.root().require<double>(key)) << key;
}

TEST(Config, BrokenTomlNamesLineAndColumn) {
    const std::string message = message_of<ConfigError>([] { (void)Config::parse("a = 1\nb = = 2\n", "bad.toml"); });
    EXPECT_EQ(message.rfind("bad.toml:2:5: not TOML (", 0), 0U) << message;
    // A debug build of the parser would abort here.
    EXPECT_EQ(message_of<ConfigError>([] { (void)Config::parse("[.a]\n", "x.toml"); }).rfind("x.toml:1:2: not TOML (", 0), 0U);
}

TEST(Config, FilesKnowTheirDirectory) {
    const test::ScratchDirectory scratch;
    write_file(scratch / "fit.toml", "a = 1\n");
    const Config config = Config::parse_file(scratch / "fit.toml");
    EXPECT_EQ(config.directory(), (scratch / "fit.toml").parent_path());
    try {
        (void)Config::parse_file(scratch / "none.toml");
        FAIL();
    } catch (const DataError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::no_input);
    }
}

}  // namespace
}  // namespace aliquot::io
