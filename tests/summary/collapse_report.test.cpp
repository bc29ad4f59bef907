#include "aliquot/summary/collapse_report.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "summary/frames.hpp"

namespace aliquot::summary {
namespace {

std::uint32_t big_endian(std::string_view png, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<unsigned char>(png[at + i]);
    return value;
}

TEST(CollapseReport, CellsStandWherePrioGridPutsThem) {
    const auto layers = parse_layers(std::vector<std::string>{"p_any", "map"});
    LayerMaps maps(layers, {541});
    // 62356 is Marion Island, 46.75 S 37.75 E: column 435, row 86 of the grid counted from the south-west corner.
    const std::vector<std::int64_t> units{62356, 62356 + 720 * 3 + 1, 62355};
    const std::vector<std::int64_t> times{541, 541, 542};
    const std::vector<float> values{1.0F, 0.0F, 9.0F, 5.0F, 0.0F, 9.0F};
    maps.take(times, units, values.data(), 3);
    EXPECT_EQ(maps.cells(0).size(), 2U);
    EXPECT_EQ(maps.ranges()[0].not_zero, 2U);
    EXPECT_EQ(maps.ranges()[1].greatest, 9.0F);
    for (const std::size_t layer : {0, 1}) {
        const std::string png = map_png(maps, layer, 0, layers[layer], layer == 0 ? 1.0F : 5.0F);
        ASSERT_EQ(png.substr(0, 4), "\x89PNG");
        const std::uint32_t width = big_endian(png, 16);
        const std::uint32_t height = big_endian(png, 20);
        EXPECT_EQ(width, 720U);
        EXPECT_EQ(height, 4U);
        const std::size_t data = png.find("IDAT") + 4;
        std::string pixels((width + 1) * height, '\0');
        uLongf size = pixels.size();
        ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(pixels.data()), &size, reinterpret_cast<const Bytef*>(png.data() + data),
                             big_endian(png, data - 8)),
                  Z_OK);
        EXPECT_EQ(static_cast<unsigned char>(pixels[3 * 721 + 1 + 435]),
                  255);  // Marion Island in the lowest line, at the top of the scale
        EXPECT_EQ(static_cast<unsigned char>(pixels[0 * 721 + 1 + 436]), 1);  // the other cell is zero: grey
        EXPECT_EQ(static_cast<unsigned char>(pixels[3 * 721 + 1 + 434]), 0);  // nothing here at this time
    }
}

}  // namespace
}  // namespace aliquot::summary
