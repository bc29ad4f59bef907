#include <gtest/gtest.h>

#include "aliquot/io/config.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::spectra {
namespace {

FitConfig example(const std::string& name, const std::vector<std::string>& overrides, const std::filesystem::path& data) {
    io::Config config = io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / name);
    for (const std::string& assignment : overrides)
        config.set(assignment);
    return read_fit_config(config, data.parent_path());
}

/// Chi-square of a published best fit on the benchmark spectrum, by formula, tiles and cells, to 1e-9.
void check_published(const FitConfig& fit, const nlohmann::json& golden) {
    EXPECT_EQ(fit.spectrum.size(), golden["n_pixels"].get<std::size_t>());
    std::vector<double> theta(fit.model->dimension());
    ASSERT_EQ(theta.size(), golden["parameters"].size());
    for (std::size_t i = 0; i < theta.size(); ++i)
        theta[i] = golden["parameters"].at(fit.model->parameters()[fit.model->free()[i]].short_name).get<double>();
    const double expected = golden["chi2"].get<double>();
    const Spectrum& s = fit.spectrum;
    for (const auto& evaluator : {make_dense_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error),
                                  make_tile_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error),
                                  make_cell_chi_square(*fit.model, s.wavelength_angstrom, s.flux, s.error)}) {
        double chi_square = 0.0;
        evaluator->evaluate({theta.data(), 1, theta.size()}, {&chi_square, 1});
        EXPECT_NEAR(chi_square, expected, 1e-9 * expected) << evaluator->describe();
    }
}

TEST(Published, OiiiFitHasItsChiSquare) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    check_published(example("oiii_8x.toml", {}, data), test::golden("spectra_published.json")["P1"]);
}

TEST(Published, FullFitHasItsChiSquare) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    check_published(example("full_39.toml", {}, data), test::golden("spectra_published.json")["P3"]);
}

TEST(Published, PixelCounts) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    EXPECT_EQ(example("oiii.toml", {}, data).spectrum.size(), 4382U);
    EXPECT_EQ(example("full_39.toml", {"input.mask=[]", "input.window=[4200,6900]"}, data).spectrum.size(), 59146U);
}

}  // namespace
}  // namespace aliquot::spectra
