#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "aliquot/core/random.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/cell_tree.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/fit_config.hpp"
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
    const CellTree tree(x, flux, error);
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

}  // namespace
}  // namespace aliquot::spectra
