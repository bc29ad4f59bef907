#include "aliquot/spectra/residuals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aliquot/infer/peaks.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/problem.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::spectra {
namespace {

using Values = std::vector<double>;

FitConfig example(const std::string& name, const std::filesystem::path& data) {
    return read_fit_config(io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / name), data.parent_path());
}

/// Gradient and curvature by central differences of ln L and of the model itself, at a point off the peak.
TEST(Residuals, NormalEquationsAreTheDerivatives) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const FitConfig fit = example("oiii.toml", data);
    const SpectralProblem problem(*fit.model, fit.spectrum);
    const infer::LeastSquares& squares = *problem.least_squares();
    const std::size_t d = problem.dimension();
    Values place(d);
    for (std::size_t j = 0; j < d; ++j)
        place[j] = 0.3 + 0.4 * std::fmod(0.618 * static_cast<double>(j), 1.0);
    Values gradient(d);
    Values curvature(d * d);
    EXPECT_NEAR(squares.normal_equations(place, gradient, curvature), squares.log_likelihood(place),
                1e-9 * std::abs(squares.log_likelihood(place)));
    for (std::size_t j = 0; j < d; ++j) {
        Values high = place;
        Values low = place;
        const double h = 1e-4;
        high[j] += h;
        low[j] -= h;
        const double slope = (squares.log_likelihood(high) - squares.log_likelihood(low)) / (2.0 * h);
        EXPECT_NEAR(gradient[j], slope, 1e-5 * std::abs(slope) + 1e-3) << j;
        for (std::size_t k = 0; k < d; ++k)
            EXPECT_EQ(curvature[j * d + k], curvature[k * d + j]);
    }
    // In a linear parameter ln L is a parabola, and its second derivative the curvature.
    Values high = place;
    Values low = place;
    high[0] += 0.1;
    low[0] -= 0.1;
    const double second =
        (squares.log_likelihood(high) - 2.0 * squares.log_likelihood(place) + squares.log_likelihood(low)) / 0.01;
    EXPECT_NEAR(-second, curvature[0], 1e-6 * curvature[0]);
}

TEST(Residuals, PlacesOfSortedParametersAreInOrderAndLeadBack) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const FitConfig fit = example("oiii.toml", data);
    const SpectralProblem problem(*fit.model, fit.spectrum);
    Values unit{0.9, 0.2, 0.7, 0.4, 0.5, 0.1, 0.3, 0.6};
    ASSERT_EQ(problem.dimension(), unit.size());
    Values place(unit.size());
    Values back(unit.size());
    problem.least_squares()->from_unit(unit, place);
    problem.least_squares()->to_unit(place, back);
    EXPECT_EQ(back, unit);
    Values three{0.9, 0.2, 0.7};
    infer::sorted_uniforms(three);
    EXPECT_LE(three[0], three[1]);
    EXPECT_LE(three[1], three[2]);
    infer::unsorted_uniforms(three);
    EXPECT_NEAR(three[0], 0.9, 1e-14);
    EXPECT_NEAR(three[1], 0.2, 1e-14);
    EXPECT_NEAR(three[2], 0.7, 1e-14);
}

/// From points of the prior alone, the peak is at least as high as the published best fit, and hardly higher.
TEST(Residuals, TheSearchFindsThePublishedPeak) {
    ALIQUOT_NEEDS_DATA(data, "ir07546sed.fits");
    const FitConfig fit = example("oiii_8x.toml", data);
    const SpectralProblem problem(*fit.model, fit.spectrum);
    Threads threads(2);
    const Matrix<double> starts = infer::prior_starts(problem, *problem.least_squares(), 16, 1, threads);
    const std::vector<infer::Peak> peaks = infer::find_peaks(*problem.least_squares(), starts, threads);
    ASSERT_FALSE(peaks.empty());
    const double chi_square = -2.0 * (peaks[0].log_likelihood - problem.log_normalisation());
    const double published = test::golden("spectra_published.json")["P1"]["chi2"].get<double>();
    EXPECT_LE(chi_square, published);
    EXPECT_GT(chi_square, published - 10.0);
}

}  // namespace
}  // namespace aliquot::spectra
