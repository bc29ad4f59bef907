#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <thread>

#include "aliquot/core/format.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/cell_tree.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/fixed_shapes.hpp"
#include "aliquot/spectra/problem.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using Values = std::vector<double>;

FitConfig example(const std::string& name, const std::filesystem::path& data) {
    return read_fit_config(io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / name), data.parent_path());
}

/// Points of the prior, shrunk around its middle by `share`.
Values draw(const Model& model, std::uint64_t number, double share) {
    Values theta;
    RandomStream random(3, 1, number);
    for (const std::size_t i : model.free())
        theta.push_back(model.parameters()[i].prior->transform(0.5 + share * (random.uniform() - 0.5)));
    return theta;
}

/// ln L by cells against the plain sum of the published formulas: 1e-9 relative, over the whole prior and near its middle.
void compare(const FitConfig& fit, std::size_t points, math::SimdLevel level) {
    const Spectrum& s = fit.spectrum;
    const SpectralProblem problem(*fit.model, s);
    const auto dense = make_dense_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error);
    const auto cells = make_cell_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error, level);
    for (std::size_t p = 0; p < points; ++p) {
        const Values theta = draw(*fit.model, p, p % 3 == 0 ? 0.05 : 1.0);
        double expected = 0.0;
        double got = 0.0;
        dense->evaluate({theta.data(), 1, theta.size()}, {&expected, 1});
        cells->evaluate({theta.data(), 1, theta.size()}, {&got, 1});
        // ln L passes through zero: hold it to 1e-9 of the smaller of its parts.
        EXPECT_NEAR(got, expected, 1e-9 * std::min(expected, 2.0 * std::abs(problem.log_normalisation()))) << "point " << p;
    }
}

TEST(CellChiSquare, EqualsTheDenseSumOfTheOiiiProblem) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    for (const math::SimdLevel level : math::available_simd_levels())
        compare(example("oiii_8x.toml", data), 60, level);
}

TEST(CellChiSquare, EqualsTheDenseSumOfTheFullProblem) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    compare(example("full_39.toml", data), 9, math::simd_level());
}

/// The tree is a partition at every level, and its forms are exact for polynomials: chi-square of the zero model is that of the
/// data alone.
TEST(CellTree, CoversEveryPixelAtEveryLevel) {
    Values x;
    Values flux;
    Values error;
    for (int i = 0; i < 9000; ++i) {
        if (i > 4000 && i < 4700) continue;  // a mask
        x.push_back(4000.0 + 0.07 * i);
        flux.push_back(1.0 + std::sin(0.01 * i));
        error.push_back(0.05 + 0.01 * std::cos(0.3 * i));
    }
    std::vector<FixedShape> shapes;
    const CellTree tree(x, flux, error, shapes);
    EXPECT_EQ(tree.roots(), 3U);
    double expected = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        expected += flux[i] * flux[i] / (error[i] * error[i]);
    std::vector<std::size_t> level;
    for (std::size_t root = 0; root < tree.roots(); ++root)
        level.push_back(root);
    for (std::size_t depth = 0; depth <= tree.depth(); ++depth) {
        std::size_t pixels = 0;
        double sum = 0.0;
        std::vector<std::size_t> next;
        bool all_compressed = true;
        for (const std::size_t index : level) {
            const CellTree::Cell& cell = tree.cells()[index];
            pixels += cell.pixels;
            all_compressed &= cell.compressed || cell.pixels == 0;
            if (cell.compressed) {
                sum += cell.form.floor;
                for (std::size_t k = 0; k < cell_nodes; ++k)
                    sum += cell.form.right[k] * cell.form.right[k];
            }
            if (cell.first_child >= 0) {
                next.push_back(static_cast<std::size_t>(cell.first_child));
                next.push_back(static_cast<std::size_t>(cell.first_child) + 1);
            } else {
                next.push_back(index);
            }
        }
        EXPECT_EQ(pixels, x.size()) << "level " << depth;
        if (all_compressed) {
            EXPECT_NEAR(sum, expected, 1e-11 * expected) << "level " << depth;
        }
        level = next;
    }
}

TEST(ChiSquareChoice, OversampledSpectraGetCellsAndOthersTiles) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const auto chosen = [&](const char* name) {
        const FitConfig fit = example(name, data);
        const Spectrum& s = fit.spectrum;
        return make_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error)->describe();
    };
    EXPECT_NE(chosen("oiii_8x.toml").find("compressed cells"), std::string::npos);
    EXPECT_NE(chosen("oiii.toml").find("compressed cells"), std::string::npos);
}

/// A power law and one line, with the ranges that a case asks for.
struct Range {
    double low;
    double high;
};

std::vector<ComponentDefinition> continuum_and_line(Range alpha, double wavec, Range sigma) {
    ComponentDefinition continuum{
        "Continuum", "", std::make_shared<PowerLaw>(), {{"x_0", wavec}}, {{"alpha", {-1000.0, 1000.0}}}, {{"x_0", true}}, {}, {}};
    continuum.priors.emplace("amplitude", infer::Prior::uniform(0.5, 2.0));
    continuum.priors.emplace("alpha", infer::Prior::uniform(alpha.low, alpha.high));
    ComponentDefinition line{"Line", "", std::make_shared<LineGaussian>(), {{"wavec", wavec}}, {{"sigma", {1e-3, 1e5}}}, {},
                             {},     {}};
    line.priors.emplace("amplitude", infer::Prior::uniform(0.5, 2.0));
    line.priors.emplace("dv", infer::Prior::uniform(-50.0, 50.0));
    line.priors.emplace("sigma", infer::Prior::uniform(sigma.low, sigma.high));
    return {continuum, line};
}

Values even_grid(double first, double step, std::size_t count) {
    Values x;
    for (std::size_t i = 0; i < count; ++i)
        x.push_back(first + step * static_cast<double>(i));
    return x;
}

/// Cells against the plain sum on data that no model fits, so that every pixel weighs.
void compare(const Model& model, const Values& x) {
    Values flux;
    Values error;
    for (std::size_t i = 0; i < x.size(); ++i) {
        flux.push_back(1.0 + 0.1 * std::sin(0.7 * static_cast<double>(i)));
        error.push_back(0.05 + 0.02 * std::cos(0.3 * static_cast<double>(i)));
    }
    const auto dense = make_dense_chi_square(model, x, flux, error);
    for (const math::SimdLevel level : math::available_simd_levels()) {
        const auto cells = make_cell_chi_square(model, x, flux, error, level);
        for (std::uint64_t p = 0; p < 40; ++p) {
            const Values theta = draw(model, p, 1.0);
            double expected = 0.0;
            double got = 0.0;
            dense->evaluate({theta.data(), 1, theta.size()}, {&expected, 1});
            cells->evaluate({theta.data(), 1, theta.size()}, {&got, 1});
            ASSERT_NEAR(got, expected, 1e-9 * expected) << math::to_string(level) << ", point " << p;
        }
    }
}

/// Thousands of pixels within a cell whose neighbours hold one or two: all of them have to count.
TEST(CellChiSquare, CountsEveryPixelOfABurstAmongSparseOnes) {
    Values x = even_grid(4000.0, 5.0, 200);
    const Values burst = even_grid(5000.0, 0.001, 6000);
    const Values after = even_grid(5016.0, 10.0, 299);
    x.insert(x.end(), burst.begin(), burst.end());
    x.insert(x.end(), after.begin(), after.end());
    compare(Model(continuum_and_line({-2.0, 4.0}, 5003.0, {20.0, 60.0}), ""), x);
    compare(Model(continuum_and_line({-2.0, 4.0}, 5003.0, {0.5, 5.0}), ""), x);
}

/// Near zero wavelength a cell of any width is wide for a power law.
TEST(CellChiSquare, ResolvesPowerLawsInTheFarUltraviolet) {
    compare(Model(continuum_and_line({-5.0, 5.0}, 400.0, {80.0, 600.0}), ""), even_grid(60.0, 0.05, 20000));
}

TEST(CellChiSquare, ResolvesSteepPowerLaws) {
    compare(Model(continuum_and_line({100.0, 150.0}, 5000.0, {300.0, 600.0}), ""), even_grid(4000.0, 0.3, 20000));
}

TEST(CellChiSquare, ResolvesLinesNarrowerThanAPixel) {
    compare(Model(continuum_and_line({-2.0, 4.0}, 5000.0, {0.5, 40.0}), ""), even_grid(4900.0, 0.0457, 4382));
}

TEST(CellChiSquare, TakesSpectraOfFewPixels) {
    const Model model(continuum_and_line({-2.0, 4.0}, 5000.0, {80.0, 600.0}), "");
    for (const std::size_t count : {2, 15, 17, 97})
        compare(model, even_grid(4995.0, 0.1, count));
}

/// A broadened template is smooth nowhere within its range and constant beyond it, at either end of the spectrum.
TEST(CellChiSquare, EqualsTheDenseSumWithTemplates) {
    TemplateSpectrum wiggles{"wiggles", {}, {}, {}};
    for (int i = 0; i < 200; ++i) {
        wiggles.wavelength_angstrom.push_back(4700.0 + 2.0 * i);
        wiggles.flux.push_back(1.0 + std::sin(0.21 * i));
    }
    auto definitions = continuum_and_line({-2.0, 4.0}, 5000.0, {80.0, 600.0});
    ComponentDefinition held{"Held", "", std::make_shared<IronTemplate>(wiggles, 900.0), {}, {}, {}, {}, {}};
    held.priors.emplace("amplitude", infer::Prior::uniform(0.0, 0.5));
    held.priors.emplace("stddev", infer::Prior::uniform(383.0, 3000.0));
    held.priors.emplace("z", infer::Prior::uniform(0.0, 0.01));
    ComponentDefinition fading{"Fading", "", std::make_shared<IronTemplateNew>(wiggles, 900.0), {}, {}, {}, {}, {}};
    fading.priors.emplace("amplitude", infer::Prior::uniform(0.0, 0.5));
    fading.priors.emplace("sigma", infer::Prior::uniform(383.0, 3000.0));
    definitions.push_back(held);
    definitions.push_back(fading);
    compare(Model(definitions, ""), even_grid(4300.0, 0.2, 6000));
}

/// Templates of fixed width and stretch go into the cells' forms, a free one beside them does not; so with lines narrower than a
/// cell, which are evaluated pixel by pixel.
TEST(CellChiSquare, EqualsTheDenseSumWithTemplatesOfFixedShape) {
    TemplateSpectrum wiggles{"wiggles", {}, {}, {}};
    for (int i = 0; i < 200; ++i) {
        wiggles.wavelength_angstrom.push_back(4700.0 + 2.0 * i);
        wiggles.flux.push_back(1.0 + std::sin(0.21 * i));
    }
    for (const double narrowest : {80.0, 2.0}) {
        auto definitions = continuum_and_line({-2.0, 4.0}, 5000.0, {narrowest, 600.0});
        for (const double sigma : {500.0, 1500.0}) {
            ComponentDefinition fixed{format("Fixed{}", sigma),
                                      "",
                                      std::make_shared<IronTemplateNew>(wiggles, 900.0),
                                      {{"sigma", sigma}, {"dv", 30.0}},
                                      {},
                                      {{"sigma", true}, {"dv", true}},
                                      {},
                                      {}};
            fixed.priors.emplace("amplitude", infer::Prior::uniform(0.0, 0.5));
            definitions.push_back(fixed);
        }
        const Model model(definitions, "");
        const Values x = even_grid(4300.0, 0.02, 60000);
        EXPECT_EQ(fixed_shapes(model, x).size(), 2U);
        compare(model, x);
        const Values ones(x.size(), 1.0);
        if (narrowest == 80.0) {
            EXPECT_NE(make_cell_chi_square(model, x, ones, ones)->describe().find("and 0 single pixels"), std::string::npos);
        }
        ComponentDefinition free{"Free", "", std::make_shared<IronTemplateNew>(wiggles, 900.0), {}, {}, {}, {}, {}};
        free.priors.emplace("amplitude", infer::Prior::uniform(0.0, 0.5));
        free.priors.emplace("sigma", infer::Prior::uniform(383.0, 3000.0));
        definitions.push_back(free);
        compare(Model(definitions, ""), x);
    }
}

TEST(CellChiSquare, ThreadsAndBatchesDoNotChangeABit) {
    const Model model(continuum_and_line({-2.0, 4.0}, 5000.0, {20.0, 600.0}), "");
    const Values x = even_grid(4900.0, 0.0114, 17528);
    const Values ones(x.size(), 1.0);
    const auto cells = make_cell_chi_square(model, x, ones, ones);
    constexpr std::size_t points = 21;
    Matrix<double> theta(0, model.dimension());
    for (std::size_t p = 0; p < points; ++p)
        theta.append_row(draw(model, p, 1.0));
    Values together(points);
    cells->evaluate(std::as_const(theta).view(), together);
    Values alone(points);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t p = t; p < points; p += 3)
                cells->evaluate(std::as_const(theta).view().middle_rows(p, 1), std::span(alone).subspan(p, 1));
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(together, alone);
}

TEST(CellChiSquare, ParametersThatAreNaNGiveNaN) {
    const Model model(continuum_and_line({-2.0, 4.0}, 5000.0, {20.0, 600.0}), "");
    const Values x = even_grid(4900.0, 0.0114, 17528);
    const Values ones(x.size(), 1.0);
    const auto cells = make_cell_chi_square(model, x, ones, ones);
    for (std::size_t i = 0; i < model.dimension(); ++i) {
        Values theta = draw(model, 3, 1.0);
        theta[i] = std::nan("");
        double value = 0.0;
        cells->evaluate({theta.data(), 1, theta.size()}, {&value, 1});
        EXPECT_TRUE(std::isnan(value)) << model.parameters()[model.free()[i]].full_name;
    }
}

/// The tree splits where the pixels are: no leaf is too large for a tile, and none of its cells is lost.
TEST(CellTree, LeavesFitATileHoweverUnevenTheSampling) {
    Values x = even_grid(4000.0, 5.0, 200);
    const Values burst = even_grid(5000.0, 1e-4, 40000);
    x.insert(x.end(), burst.begin(), burst.end());
    x.push_back(9000.0);
    const Values ones(x.size(), 1.0);
    std::vector<FixedShape> shapes;
    const CellTree tree(x, ones, ones, shapes);
    std::size_t pixels = 0;
    for (const CellTree::Cell& cell : tree.cells()) {
        if (cell.first_child >= 0) continue;
        EXPECT_EQ(cell.tile.count, cell.pixels);
        pixels += cell.tile.count;
    }
    EXPECT_EQ(pixels, x.size());
}

TEST(ChiSquareChoice, CoarseSamplingAndProductsGetTiles) {
    const auto chosen = [](const char* expression, const Values& x) {
        const Model model(continuum_and_line({-2.0, 4.0}, 5000.0, {80.0, 600.0}), expression);
        const Values ones(x.size(), 1.0);
        return make_chi_square(model, x, ones, ones)->describe();
    };
    EXPECT_NE(chosen("", even_grid(4900.0, 0.0114, 17528)).find("compressed cells"), std::string::npos);
    EXPECT_NE(chosen("", even_grid(4900.0, 3.0, 60)).find("1 tile of pixels"), std::string::npos);
    EXPECT_NE(chosen("Continuum * Line", even_grid(4900.0, 0.0114, 17528)).find("tiles of pixels"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::spectra
