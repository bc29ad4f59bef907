#include "aliquot/spectra/amplitude_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "aliquot/io/config.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/problem.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using Sets = std::vector<std::vector<std::size_t>>;
using Values = std::vector<double>;

ComponentDefinition define(const std::string& name, std::shared_ptr<const Component> component) {
    return {name, "", std::move(component), {}, {}, {}, {}, {}};
}
std::optional<AmplitudeColumns> columns_of(const Model& model) {
    return amplitude_columns(model, make_plan(model.expression()));
}
TEST(AmplitudeColumns, AProfileWithAWingIsAProduct) {
    const Model model({define("Continuum", std::make_shared<Linear>()), define("Line", std::make_shared<LineMultiGauss>(2))}, "");
    const auto columns = columns_of(model);
    ASSERT_TRUE(columns);
    // theta: slope, intercept, amp_c, dv_c, sigma_c, amp_w0, dv_w0, sigma_w0
    EXPECT_EQ(columns->block.coordinates, (std::vector<std::size_t>{0, 1, 2, 5}));
    EXPECT_EQ(columns->block.products, (Sets{{1}, {0}, {2}, {2, 3}}));  // intercept, slope, core, wing
    EXPECT_EQ(columns->column_of_term, (std::vector<std::size_t>{0, 1, 2, 3}));
    EXPECT_EQ(columns->coefficients(Values{3, 4, 5, 0, 0, 0.5, 0, 0}), (Values{4, 3, 5, 2.5, -1}));
}

TEST(AmplitudeColumns, TiesShareAColumnUnlessTheyAddAnOffset) {
    ComponentDefinition second = define("B", std::make_shared<LineGaussian>());
    second.ties["amplitude"] = {"A.amplitude", 3.0, 0.0};
    const auto shared = columns_of(Model({define("A", std::make_shared<LineGaussian>()), second}, ""));
    ASSERT_TRUE(shared);
    EXPECT_EQ(shared->block.products, (Sets{{0}}));
    second.ties["amplitude"].offset = 0.5;
    EXPECT_FALSE(columns_of(Model({define("A", std::make_shared<LineGaussian>()), second}, "")));
}

TEST(AmplitudeColumns, ProductsOfSumsAndSortedParametersHaveNone) {
    const auto line = [](const char* name) { return define(name, std::make_shared<LineGaussian>()); };
    EXPECT_FALSE(columns_of(Model({line("A"), line("B")}, "A * B")));
    const auto sorted = columns_of(
        Model({line("A"), line("B"), define("C", std::make_shared<PowerLaw>())}, "", {{"A.amplitude", "B.amplitude"}}));
    ASSERT_TRUE(sorted);
    EXPECT_EQ(sorted->block.coordinates.size(), 1U);
    EXPECT_EQ(sorted->block.products, (Sets{{}, {0}}));
}

/// Chi-square by the matrix made at other amplitudes, against the plain sum of the published formulas: 1e-9 of the sum of squared
/// data and model, over the prior.
void compare(const Model& model, const Spectrum& s, const ChiSquare& fast, const AmplitudeColumns& columns, std::size_t points) {
    const auto dense = make_dense_chi_square(model, s.wavelength_angstrom, s.flux, s.error);
    const std::size_t size = columns.count() + 1;
    Values form(size * size);
    for (std::size_t p = 0; p < points; ++p) {
        Values theta = model.prior_point(p);
        ASSERT_TRUE(fast.gram(theta, columns, form));
        const Values others = model.prior_point(p + 1000);
        for (const std::size_t j : columns.block.coordinates)
            theta[j] = others[j];
        const Values c = columns.coefficients(theta);
        double by_form = 0.0;
        double scale = 0.0;
        for (std::size_t i = 0; i < size * size; ++i) {
            const double product = c[i / size] * form[i] * c[i % size];
            by_form += product;
            scale += std::abs(product);
        }
        double expected = 0.0;
        dense->evaluate({theta.data(), 1, theta.size()}, {&expected, 1});
        EXPECT_NEAR(by_form, expected, 1e-9 * scale) << "point " << p;
    }
}

TEST(AmplitudeColumns, TheMatrixGivesChiSquareOfTheTwentyTwoParameters) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const FitConfig fit =
        read_fit_config(io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / "agn_22.toml"), data.parent_path());
    const auto columns = columns_of(*fit.model);
    ASSERT_TRUE(columns);
    EXPECT_EQ(columns->block.coordinates.size(), 15U);
    const Spectrum& s = fit.spectrum;
    for (const math::SimdLevel level : math::available_simd_levels()) {
        compare(*fit.model, s, *make_cell_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error, level), *columns, 12);
        compare(*fit.model, s, *make_tile_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error, level), *columns, 3);
    }
    const SpectralProblem problem(*fit.model, s);
    ASSERT_NE(problem.amplitudes(), nullptr);
    EXPECT_EQ(problem.amplitudes()->coordinates, columns->block.coordinates);
}

/// With templates broadened at every point, and lines too narrow for the cells.
TEST(AmplitudeColumns, TheMatrixGivesChiSquareOfTheFullProblem) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const FitConfig fit =
        read_fit_config(io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / "full_39.toml"), data.parent_path());
    const auto columns = columns_of(*fit.model);
    ASSERT_TRUE(columns);
    const Spectrum& s = fit.spectrum;
    compare(*fit.model, s, *make_cell_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error), *columns, 6);
    compare(*fit.model, s, *make_tile_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error), *columns, 3);
}

}  // namespace
}  // namespace aliquot::spectra
