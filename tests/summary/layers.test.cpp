#include "aliquot/summary/layers.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/error.hpp"
#include "aliquot/summary/tower.hpp"
#include "support/files.hpp"

namespace aliquot::summary {
namespace {

TEST(Layers, NamesAreRead) {
    EXPECT_EQ(parse_layer("map").kind, LayerKind::tip);
    EXPECT_EQ(parse_layer("map_estimate").kind, LayerKind::map_estimate);
    EXPECT_EQ(parse_layer("p_gt_-2.5e1").parameter, -25.0);
    EXPECT_EQ(parse_layer("p_gt_0.1_f32").kind, LayerKind::above_float32);
    EXPECT_EQ(parse_layer("es_05").parameter, 0.05);
    EXPECT_EQ(parse_layer("q2.5").parameter, 0.025);
    const Layer hdi = parse_layer("hdi95_lower");
    EXPECT_EQ(hdi.kind, LayerKind::hdi_lower);
    EXPECT_EQ(hdi.parameter, 0.95);
    EXPECT_EQ(canonical_floors[hdi.floor], 0.95);
    EXPECT_EQ(preset_layers("report").size(), 4U);
    EXPECT_EQ(preset_layers("delivery").size(), 13U);
    EXPECT_EQ(parse_layers(preset_layers("delivery")).size(), 13U);
    EXPECT_EQ(parse_layers(std::vector<std::string>{"map", "map"}).size(), 1U);
}

TEST(Layers, WhatIsWrongIsSaid) {
    const auto refusal = [](const std::string& name) { return test::message_of<ConfigError>([&] { (void)parse_layer(name); }); };
    EXPECT_NE(refusal("p_nay").find("did you mean \"p_any\""), std::string::npos);
    EXPECT_NE(refusal("hdi90_uper").find("hdi90_upper"), std::string::npos);
    EXPECT_NE(refusal("hdi100_upper").find("between 0 and 100"), std::string::npos);
    EXPECT_NE(refusal("es_0").find("above 0"), std::string::npos);
    EXPECT_NE(refusal("q101").find("from 0 to 100"), std::string::npos);
    EXPECT_NE(refusal("p_gt_x").find("no layer"), std::string::npos);
    EXPECT_NE(refusal("p_gt_nan").find("no layer"), std::string::npos);
    EXPECT_NE(test::message_of<ConfigError>([] { (void)preset_layers("reprot"); }).find("report"), std::string::npos);
    EXPECT_NE(test::message_of<ConfigError>([] { (void)parse_layers({}); }).find("no layers"), std::string::npos);
}

TEST(Layers, AMassWithoutAFloorIsNoted) {
    EXPECT_TRUE(layer_notes(parse_layers(preset_layers("report"))).empty());
    const auto notes = layer_notes(parse_layers(std::vector<std::string>{"hdi93_upper"}));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("0.94"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::summary
