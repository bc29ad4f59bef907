#include "aliquot/spectra/template_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::spectra {
namespace {

TEST(TemplateGrid, LogarithmicGridOfPark2022IsGolden) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TemplateGrid grid = logarithmic_grid(read_template(path.string()));
    EXPECT_NEAR(grid.channel_km_s(), 126.0928, 1e-4);
    ASSERT_EQ(grid.wavelength().size(), 2389U);
    EXPECT_EQ(grid.broadening().channels(0).first, 794U - 1);
    EXPECT_EQ(grid.broadening().channels(0).end, 2389U - 794U + 1);
    const nlohmann::json golden = test::golden("spectra_golden.json");
    const auto ends = golden["iron log grid first 3, template start..end"]["y"].get<std::vector<double>>();
    const std::size_t at[]{0, 1, 2, 794, 1594, 2388};
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(grid.wavelength()[at[i]], ends[i], 1e-12 * ends[i]);
    const auto& flux = golden["iron log-rebinned flux (normalised) channels 794..803"];
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_NEAR(grid.value()[794 + i], flux["y"][i].get<double>(), 1e-13);
}

TEST(TemplateGrid, WeightsAreGolden) {
    const auto golden = test::golden("spectra_golden.json")["gaussian_filter1d_kernel"];
    const std::vector<double> weights = gaussian_weights(2.37, filter_radius(2.37));
    ASSERT_EQ(weights.size(), 10U);
    for (std::size_t k = 0; k < 10; ++k)
        EXPECT_NEAR(weights[k], golden["y"][9 + k].get<double>(), 1e-16);
}

TEST(TemplateGrid, MirroredIndexReflectsAtTheEdges) {
    // d c b a | a b c d | d c b a
    const int expected[]{3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0};
    for (std::ptrdiff_t i = -4; i < 9; ++i)
        EXPECT_EQ(mirrored_index(i, 4), static_cast<std::size_t>(expected[i + 4])) << i;
}

TEST(TemplateGrid, FilterKeepsAConstantAndTheSum) {
    const std::vector<double> flat(20, 3.0);
    for (const double value : gaussian_filter(flat, 2.0))
        EXPECT_NEAR(value, 3.0, 1e-14);
    std::vector<double> spike(41, 0.0);
    spike[20] = 1.0;
    const std::vector<double> spread = gaussian_filter(spike, 2.5);
    EXPECT_NEAR(std::accumulate(spread.begin(), spread.end(), 0.0), 1.0, 1e-14);
    EXPECT_NEAR(spread[20], gaussian_weights(2.5, filter_radius(2.5))[0], 1e-16);
}

/// The filter against the sum over the mirrored array written out, radius longer than the array included.
TEST(TemplateGrid, FilterEqualsTheSumOverTheMirroredArray) {
    const std::vector<double> value{3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0};
    const auto n = static_cast<int>(value.size());
    std::vector<double> copies;  // ... reversed, value, reversed, value, ...
    for (int copy = 0; copy < 9; ++copy) {
        for (int i = 0; i < n; ++i)
            copies.push_back(value[static_cast<std::size_t>(copy % 2 == 0 ? i : n - 1 - i)]);
    }
    for (const double sigma : {0.3, 1.0, 2.37, 5.0}) {
        const int radius = static_cast<int>(4.0 * sigma + 0.5);
        const std::vector<double> filtered = gaussian_filter(value, sigma);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            double norm = 0.0;
            for (int k = -radius; k <= radius; ++k) {
                const double weight = std::exp(-0.5 * k * k / (sigma * sigma));
                sum += weight * copies[static_cast<std::size_t>(4 * n + i + k)];
                norm += weight;
            }
            EXPECT_NEAR(filtered[static_cast<std::size_t>(i)], sum / norm, 1e-14) << "sigma " << sigma << ", channel " << i;
        }
    }
}

/// All widths that share a radius, ends included, in units of the template's peak.
TEST(BroadeningTable, InterpolatedWidthsEqualTheFilter) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TemplateGrid grid = logarithmic_grid(read_template(path.string()));
    const BroadeningTable& table = grid.broadening();
    for (const std::size_t radius : {8UL, 9UL, 13UL, 21UL, 40UL, 77UL, 128UL, 256UL}) {
        const BroadeningTable::Channels channels = table.channels(radius);
        const BroadeningTable::Basis& basis = table.basis(radius);
        double worst = 0.0;
        for (int i = 0; i <= 8; ++i) {
            const double sigma = (static_cast<double>(radius) - 0.5 + 0.9999 * i / 8.0) / 4.0;
            ASSERT_EQ(filter_radius(sigma), radius);
            const std::vector<double> filtered = gaussian_filter(grid.value(), sigma);
            const auto weights = basis.weights(sigma);
            for (std::size_t k = channels.first; k < channels.end; ++k) {
                double sum = 0.0;
                for (std::size_t n = 0; n < basis.nodes; ++n)
                    sum += weights[n] * basis.value[n * channels.count() + k - channels.first];
                worst = std::max(worst, std::abs(sum - filtered[k]));
            }
        }
        EXPECT_LT(worst, 1e-13) << radius << ", " << basis.nodes << " nodes";
    }
}

TEST(TemplateGrid, RebinningConservesFlux) {
    TemplateSpectrum t{"t", {}, {}, {}};
    for (int i = 0; i < 60; ++i) {
        t.wavelength_angstrom.push_back(4500.0 + 3.0 * i + 0.01 * i * i);
        t.flux.push_back(1.0 + std::sin(0.3 * i));
    }
    const TemplateGrid grid = logarithmic_grid(t);
    double before = 0.0;
    for (std::size_t i = 0; i < 60; ++i) {
        const auto& w = t.wavelength_angstrom;
        const double low = i == 0 ? w[0] - 0.5 * (w[1] - w[0]) : 0.5 * (w[i - 1] + w[i]);
        const double high = i == 59 ? w[59] + 0.5 * (w[59] - w[58]) : 0.5 * (w[i] + w[i + 1]);
        before += t.flux[i] * (high - low);
    }
    const double step = grid.channel_km_s() / 299792.458;
    double after = 0.0;
    double peak = 0.0;
    for (std::size_t i = 0; i < grid.value().size(); ++i) {
        after += grid.value()[i] * grid.wavelength()[i] * (std::exp(0.5 * step) - std::exp(-0.5 * step));
        peak = std::max(peak, grid.value()[i]);
    }
    EXPECT_DOUBLE_EQ(peak, 1.0);
    // The normalisation is the peak of the rebinned flux: compare with a template scaled alike.
    TemplateSpectrum doubled = t;
    for (double& f : doubled.flux)
        f *= 2.0;
    EXPECT_NEAR(logarithmic_grid(doubled).value()[grid.broadening().channels(0).first + 1],
                grid.value()[grid.broadening().channels(0).first + 1], 1e-15);
    EXPECT_GT(before / after, 1.9);
    EXPECT_LT(before / after, 2.0);
}

TEST(TemplateGrid, FilesThatAreNoTemplatesAreRefused) {
    test::ScratchDirectory scratch;
    const auto write = [&](const std::string& text) {
        std::ofstream(scratch / "t.txt") << text;
        return (scratch / "t.txt").string();
    };
    EXPECT_NE(test::message_of<DataError>([&] { (void)read_template(write("1 2\n2 3\n")); }).find("at least 8"),
              std::string::npos);
    std::string rows;
    for (int i = 0; i < 10; ++i)
        rows += std::to_string(5000 - i) + " 1\n";
    EXPECT_NE(test::message_of<DataError>([&] { (void)read_template(write(rows)); }).find("must increase"), std::string::npos);
    EXPECT_NE(test::message_of<DataError>([&] { (void)read_template(write("1\n2\n3\n")); }).find("two columns"),
              std::string::npos);
    EXPECT_THROW((void)read_template((scratch / "none").string()), DataError);
    std::string negative;
    for (int i = 0; i < 10; ++i)
        negative += std::to_string(5000 + i) + (i == 9 ? " -3\n" : " 1\n");
    const TemplateSpectrum t = read_template(write(negative));
    EXPECT_EQ(t.flux.back(), 0.0);
    ASSERT_EQ(t.notes.size(), 1U);
    EXPECT_NE(t.notes[0].find("1 negative"), std::string::npos);
    TemplateSpectrum dark{"dark", t.wavelength_angstrom, std::vector<double>(10, 0.0), {}};
    EXPECT_THROW((void)logarithmic_grid(dark), DataError);
}

}  // namespace
}  // namespace aliquot::spectra
