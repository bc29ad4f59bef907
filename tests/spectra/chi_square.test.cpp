#include "aliquot/spectra/chi_square.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "aliquot/core/random.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/pixel_tiles.hpp"

namespace aliquot::spectra {
namespace {

using infer::Prior;
using Values = std::vector<double>;

/// A wiggly template from 4500 to 5400 Angstrom.
TemplateSpectrum wiggles() {
    TemplateSpectrum t{"wiggles", {}, {}, {}};
    for (int i = 0; i < 450; ++i) {
        t.wavelength_angstrom.push_back(4500.0 + 2.0 * i);
        t.flux.push_back(1.0 + std::sin(0.21 * i) * std::cos(0.034 * i));
    }
    return t;
}

std::vector<ComponentDefinition> components() {
    ComponentDefinition continuum{"Continuum", "", std::make_shared<PowerLaw>(), {{"x_0", 5000.0}}, {}, {{"x_0", true}}, {}, {}};
    continuum.priors.emplace("amplitude", Prior::uniform(0.2, 2.0));
    continuum.priors.emplace("alpha", Prior::uniform(-3.0, 4.0));
    ComponentDefinition slope{"Slope", "", std::make_shared<Linear>(), {}, {}, {}, {}, {}};
    slope.priors.emplace("slope", Prior::uniform(-1e-4, 1e-4));
    slope.priors.emplace("intercept", Prior::uniform(-0.5, 0.5));
    ComponentDefinition oiii{
        "OIII", "", std::make_shared<LineMultiGaussDoublet>(2), {{"wavec0", 5006.843}, {"wavec1", 4958.911}}, {}, {}, {}, {}};
    oiii.ties["amp_c1"] = {"OIII.amp_c0", 2.98, 0.0};
    oiii.priors.emplace("amp_c0", Prior::log_uniform(1e-3, 5.0));
    oiii.priors.emplace("sigma_c", Prior::uniform(20.0, 600.0));
    oiii.priors.emplace("sigma_w0", Prior::uniform(120.0, 3000.0));
    ComponentDefinition narrow{"Narrow", "", std::make_shared<LineGaussian>(), {{"wavec", 4861.333}}, {}, {}, {}, {}};
    narrow.ties["dv"] = {"OIII.dv_c", 1.0, 0.0};
    narrow.ties["sigma"] = {"OIII.sigma_c", 1.0, 0.0};
    narrow.priors.emplace("amplitude", Prior::uniform(0.0, 2.0));
    ComponentDefinition iron{"FeII", "", std::make_shared<IronTemplateNew>(wiggles(), 800.0), {}, {}, {}, {}, {}};
    iron.priors.emplace("amplitude", Prior::uniform(0.0, 0.5));
    iron.priors.emplace("sigma", Prior::uniform(383.0, 3000.0));
    ComponentDefinition legacy{"Old", "", std::make_shared<IronTemplate>(wiggles(), 900.0), {}, {}, {}, {}, {}};
    legacy.priors.emplace("amplitude", Prior::uniform(0.0, 0.5));
    legacy.priors.emplace("stddev", Prior::uniform(383.0, 3000.0));
    legacy.priors.emplace("z", Prior::uniform(0.0, 0.01));
    return {continuum, slope, oiii, narrow, iron, legacy};
}

struct Case {
    std::string name;
    Values wavelength;
};

std::vector<Case> grids() {
    std::vector<Case> all;
    Values even;
    for (int i = 0; i < 6000; ++i)
        even.push_back(4700.0 + 0.09 * i);
    all.push_back({"even", even});
    Values masked;
    for (const double w : even) {
        if (!(w > 4830.0 && w < 4875.5)) masked.push_back(w);
    }
    all.push_back({"masked", masked});
    Values logarithmic;
    for (int i = 0; i < 700; ++i)
        logarithmic.push_back(4500.0 * std::pow(10.0, 1e-4 * i));
    all.push_back({"logarithmic", logarithmic});
    Values ragged;
    for (int i = 0; i < 300; ++i)
        ragged.push_back(4700.0 + 1.7 * i + 0.6 * std::sin(1.3 * i) + (i % 50 == 0 ? 0.3 : 0.0));
    all.push_back({"ragged", ragged});
    all.push_back({"one pixel", {5007.0}});
    all.push_back({"seventeen pixels", Values(even.begin() + 3000, even.begin() + 3017)});
    return all;
}

/// Tiles against the dense sum of the published formulas over the prior: model to `tolerance` of its peak, chi-square to 1e-11;
/// of the number of pixels where a model comes closer than its data's noise, for data minus model cancels there.
void compare(const Model& model, const Case& grid, math::SimdLevel level, double tolerance) {
    const std::size_t n = grid.wavelength.size();
    Values flux(n);
    Values error(n);
    model.evaluate(grid.wavelength, model.expand(model.prior_point(999)), flux);
    for (std::size_t i = 0; i < n; ++i) {
        RandomStream random(8, 1, i);
        error[i] = 0.02 + 0.03 * random.uniform();
        flux[i] += error[i] * (2.0 * random.uniform() - 1.0);
    }
    const auto dense = make_dense_chi_square(model, grid.wavelength, flux, error);
    const auto tiles = make_tile_chi_square(model, grid.wavelength, flux, error, level);
    constexpr std::size_t points = 25;
    Matrix<double> theta(0, model.dimension());
    for (std::size_t p = 0; p < points; ++p)
        theta.append_row(model.prior_point(p));
    Values expected(points);
    Values got(points);
    dense->evaluate(std::as_const(theta).view(), expected);
    tiles->evaluate(std::as_const(theta).view(), got);
    Values exact(n);
    Values fast(n);
    for (std::size_t p = 0; p < points; ++p) {
        EXPECT_NEAR(got[p], expected[p], 1e-11 * std::max(expected[p], static_cast<double>(n))) << grid.name << ", point " << p;
        dense->model(theta.row(p), exact);
        tiles->model(theta.row(p), fast);
        double peak = 1.0;  // that of the components, whose sum may cancel
        for (const double value : exact)
            peak = std::max(peak, std::abs(value));
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_NEAR(fast[i], exact[i], tolerance * peak) << grid.name << ", point " << p << ", pixel " << i;
    }
}

class EveryLevel : public testing::TestWithParam<math::SimdLevel> {};

TEST_P(EveryLevel, TilesEqualTheDenseSum) {
    const Model sum(components(), "");
    for (const Case& grid : grids())
        compare(sum, grid, GetParam(), 2e-12);
}

TEST_P(EveryLevel, TilesEqualTheDenseSumForProducts) {
    const Model product(components(), "(Continuum + FeII) * (Slope + OIII) * Old + Narrow");
    for (const Case& grid : grids())
        compare(product, grid, GetParam(), 1e-11);
}

/// Lines at one place with one width: in one sum, and in two factors of a product.
TEST_P(EveryLevel, TilesEqualTheDenseSumWhereLinesCoincide) {
    std::vector<ComponentDefinition> lines = components();
    const auto twin = [&](const std::string& name, const std::string& of) {
        ComponentDefinition line{name, "", std::make_shared<LineGaussian>(), {{"wavec", 5006.843}}, {}, {}, {}, {}};
        line.ties["dv"] = {of + ".dv", 1.0, 0.0};
        line.ties["sigma"] = {of + ".sigma", 1.0, 0.0};
        line.priors.emplace("amplitude", Prior::uniform(0.0, 2.0));
        lines.push_back(line);
    };
    twin("Twin", "Narrow");
    twin("Second", "Twin");
    const Model sum(lines, "");
    const Model product(lines, "(Continuum + Slope + FeII + Twin) * (Second + OIII + Narrow) + Old");
    for (const Case& grid : grids()) {
        compare(sum, grid, GetParam(), 2e-12);
        compare(product, grid, GetParam(), 1e-11);
    }
}

INSTANTIATE_TEST_SUITE_P(ChiSquare, EveryLevel, testing::ValuesIn(math::available_simd_levels()),
                         [](const auto& level) { return std::string(math::to_string(level.param)); });

TEST(ChiSquare, LevelsWithFusedMultiplyAddGiveTheSameBits) {
    const auto levels = math::available_simd_levels();
    if (levels.size() < 3) GTEST_SKIP() << "this processor has no x86-64-v4";
    const Model model(components(), "");
    const Values x = grids()[0].wavelength;
    const Values ones(x.size(), 1.0);
    const auto v3 = make_tile_chi_square(model, x, ones, ones, levels[1]);
    const auto v4 = make_tile_chi_square(model, x, ones, ones, levels[2]);
    for (std::size_t p = 0; p < 10; ++p) {
        const Values theta = model.prior_point(p);
        double a = 0.0;
        double b = 0.0;
        v3->evaluate({theta.data(), 1, theta.size()}, {&a, 1});
        v4->evaluate({theta.data(), 1, theta.size()}, {&b, 1});
        EXPECT_EQ(a, b);
    }
}

TEST(ChiSquare, BatchesAndThreadsDoNotChangeABit) {
    const Model model(components(), "");
    const Values x = grids()[1].wavelength;
    const Values ones(x.size(), 1.0);
    const auto tiles = make_tile_chi_square(model, x, ones, ones);
    Matrix<double> theta(0, model.dimension());
    for (std::size_t p = 0; p < 21; ++p)
        theta.append_row(model.prior_point(p));
    Values together(21);
    tiles->evaluate(std::as_const(theta).view(), together);
    Values alone(21);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t p = t; p < 21; p += 3)
                tiles->evaluate(std::as_const(theta).view().middle_rows(p, 1), std::span(alone).subspan(p, 1));
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(together, alone);
}

TEST(ChiSquare, ParametersThatAreNaNGiveNaN) {
    const Model model(components(), "");
    const Values x = grids()[0].wavelength;
    const Values ones(x.size(), 1.0);
    const auto tiles = make_tile_chi_square(model, x, ones, ones);
    for (std::size_t i = 0; i < model.dimension(); ++i) {
        Values theta = model.prior_point(3);
        theta[i] = std::nan("");
        double value = 0.0;
        tiles->evaluate({theta.data(), 1, theta.size()}, {&value, 1});
        EXPECT_TRUE(std::isnan(value)) << model.parameters()[model.free()[i]].full_name;
    }
}

TEST(PixelTiles, CutAtGapsAndFindEvenSampling) {
    Values x;
    for (int i = 0; i < 3000; ++i)
        x.push_back(4000.0 + 0.1 * i + (i >= 1100 ? 50.0 : 0.0));
    const Values ones(x.size(), 1.0);
    const PixelTiles tiles(x, ones, ones);
    EXPECT_EQ(tiles.pixels(), 3000U);
    EXPECT_EQ(tiles.even_pixels(), 3000U);
    std::size_t total = 0;
    for (const Tile& tile : tiles.tiles()) {
        total += tile.count;
        EXPECT_LE(tile.padded, tile_pixels);
        EXPECT_EQ(tile.padded % tile_block, 0U);
        EXPECT_FALSE(tile.first < 4110.0 && tile.last > 4150.0);
        EXPECT_NEAR(tile.step, 0.1, 1e-12);
    }
    EXPECT_EQ(total, 3000U);
}

}  // namespace
}  // namespace aliquot::spectra
