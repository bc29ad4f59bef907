#include "aliquot/spectra/spectrum_prepare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/spectrum_reader.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using test::message_of;
const double nan_value = std::numeric_limits<double>::quiet_NaN();

Spectrum flat(std::vector<double> wavelength, double flux = 2.0, double error = 0.1) {
    Spectrum s;
    s.flux.assign(wavelength.size(), flux);
    s.error.assign(wavelength.size(), error);
    s.wavelength_angstrom = std::move(wavelength);
    s.source = "test.txt";
    return s;
}

// Air and vacuum wavelengths of the line list of SDSS (classic.sdss.org/dr7/products/spectra/vacwavelength.html and the DR7 line
// list).
TEST(AirVacuum, AgreesWithPublishedLinePairs) {
    for (auto [air, vacuum] : {std::pair{4861.363, 4862.721},
                               {4958.911, 4960.295},
                               {5006.843, 5008.239},
                               {6548.05, 6549.86},
                               {6562.801, 6564.614},
                               {6583.45, 6585.27},
                               {6716.44, 6718.29},
                               {6730.82, 6732.68}}) {
        EXPECT_NEAR(air_to_vacuum(air), vacuum, 0.011) << air;
        EXPECT_NEAR(vacuum_to_air(vacuum), air, 0.011) << vacuum;
    }
    EXPECT_NEAR(air_to_vacuum(4861.333), 4862.68, 0.011);
}

TEST(AirVacuum, GoesThereAndBackToTheLastBits) {
    for (double w = 2001.0; w < 30000.0; w *= 1.003)
        EXPECT_NEAR(vacuum_to_air(air_to_vacuum(w)), w, 4e-12 * w / 5000.0) << w;
    EXPECT_EQ(air_to_vacuum(1500.0), 1500.0);
}

// Cardelli, Clayton & Mathis (1989), Table 3: the measured a(x), b(x) of the bands U to K, which their formulae fit to about
// 0.01.
TEST(Ccm89, AgreesWithTable3OfThePaper) {
    struct Band {
        double x, a, b;
    };
    for (const Band& band : {Band{2.78, 0.9530, 1.9090},
                             {2.27, 0.9982, 1.0495},
                             {1.82, 1.0, 0.0},
                             {1.43, 0.8686, -0.3660},
                             {1.11, 0.6800, -0.6239},
                             {0.80, 0.4008, -0.3679},
                             {0.63, 0.2693, -0.2473},
                             {0.46, 0.1615, -0.1483}}) {
        for (const double r_v : {3.1, 5.0})
            EXPECT_NEAR(ccm89(1e4 / band.x, r_v), band.a + band.b / r_v, 0.015) << band.x;
    }
}

// dust_extinction (PyPI), CCM89(Rv), all four wavenumber ranges.
TEST(Ccm89, AgreesWithDustExtinction) {
    struct Case {
        double wavelength, r_v, value;
    };
    for (const Case& c :
         {Case{1050.0, 3.1, 4.6549767460491616}, Case{1300.0, 3.1, 3.1270159735524206}, Case{1500.0, 3.1, 2.6638792147137158},
          Case{2175.0, 3.1, 3.185101275314405}, Case{3000.0, 3.1, 1.8181566974452663}, Case{3500.0, 3.1, 1.5916296832168098},
          Case{4861.0, 3.1, 1.1642662522590617}, Case{5500.0, 3.1, 0.9988500031135108}, Case{8000.0, 3.1, 0.59748901171443269},
          Case{12000.0, 3.1, 0.3012309274775814}, Case{33000.0, 3.1, 0.059098154885934048}, Case{1050.0, 5.0, 2.1414685455134435},
          Case{1500.0, 5.0, 1.4960346187487024}, Case{3000.0, 5.0, 1.37417624466235}, Case{8000.0, 5.0, 0.66743948856309698},
          Case{22000.0, 5.0, 0.13167452735577523}})
        EXPECT_NEAR(ccm89(c.wavelength, c.r_v), c.value, 1e-13 * c.value) << c.wavelength;
    EXPECT_THROW((void)ccm89(911.0, 3.1), DataError);
}

struct Benchmark {
    PrepareOptions options;
    std::size_t pixels;
    std::array<double, 3> wavelength, flux, error;  ///< of the first, middle (n/2) and last pixel
    double flux_sum;
    double log_norm;  ///< sum of ln(2 pi error^2)
};

PrepareOptions benchmark_options(double low, double high, std::size_t k = 1) {
    PrepareOptions options;
    options.flux_scale = 1e14;
    options.a_v = 0.176;
    options.redshift = 0.0953;
    options.window = {low, high};
    options.error_fraction = 0.05;
    options.error_floor = 1e-4;
    options.oversample = k;
    return options;
}

// The preparation of the published demonstrations, recomputed with numpy (linspace, interp) and astropy; the pixel counts are
// published.
TEST(Prepare, BenchmarkSpectrumIsPreparedAsPublished) {
    ALIQUOT_NEEDS_DATA(path, "ir07546sed.fits");
    PrepareOptions masked = benchmark_options(4200, 6800);
    masked.masks = {{5770, 6000}};
    const std::vector<Benchmark> cases{{benchmark_options(4900, 5100),
                                        4382,
                                        {4900.009112086871, 5000.0273719243587, 5099.9999821681276},
                                        {0.85901838860601798, 1.2421089537385983, 0.60932076615097552},
                                        {0.042950919430300903, 0.062105447686929917, 0.030466038307548779},
                                        3847.6542636218228,
                                        -19972.81172983539},
                                       {benchmark_options(4900, 5100, 8),
                                        35056,
                                        {4900.009112086871, 5000.0073996573819, 5099.9999821681276},
                                        {0.85901838860601798, 1.240326963152012, 0.60932076615097552},
                                        {0.12148354554945126, 0.17540872130666096, 0.086170969132627478},
                                        30782.241591563063,
                                        -86883.860828866571},
                                       {masked,
                                        51918,
                                        {4200.0182420056153, 5385.0360453471658, 6799.9908522493843},
                                        {0.74546878057950916, 0.56649550454467534, 0.46027190725841116},
                                        {0.037273439028975459, 0.02832477522723377, 0.023013595362920559},
                                        38454.060156590123,
                                        -255558.55321802679},
                                       {benchmark_options(4200, 6900),
                                        59146,
                                        {4200.0182420056153, 5550.0136770462441, 6899.9634624931532},
                                        {0.74546878057950916, 0.56670779085657164, 0.4367685546120027},
                                        {0.037273439028975459, 0.028335389542828583, 0.021838427730600136},
                                        41989.783647085816,
                                        -295978.59684480622}};
    const Spectrum file = read_spectrum(path.string(), {});
    EXPECT_EQ(file.size(), 172814U);
    EXPECT_EQ(file.wavelength_angstrom.front(), 911.97998046875);
    for (const Benchmark& c : cases) {
        const Spectrum s = prepare(file, c.options);
        ASSERT_EQ(s.size(), c.pixels);
        const std::array<std::size_t, 3> places{0, c.pixels / 2, c.pixels - 1};
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_DOUBLE_EQ(s.wavelength_angstrom[places[i]], c.wavelength[i]);
            EXPECT_NEAR(s.flux[places[i]], c.flux[i], 1e-14) << c.pixels << ' ' << i;
            EXPECT_NEAR(s.error[places[i]], c.error[i], 1e-15);
        }
        double sum = 0.0;
        double norm = 0.0;
        for (std::size_t i = 0; i < s.size(); ++i) {
            sum += s.flux[i];
            norm += std::log(2.0 * std::numbers::pi * s.error[i] * s.error[i]);
        }
        EXPECT_NEAR(sum, c.flux_sum, 1e-12 * c.flux_sum);
        EXPECT_NEAR(norm, c.log_norm, 1e-12 * std::abs(c.log_norm));
        EXPECT_EQ(s.frame, Frame::rest);
        EXPECT_EQ(s.flux_scale, 1e14);
        EXPECT_GE(s.history.size(), 5U);
    }
}

TEST(Prepare, WindowAndMasksExcludeTheirEnds) {
    PrepareOptions options;
    options.window = {1.0, 6.0};
    options.masks = {{2.0, 4.0}};
    EXPECT_EQ(prepare(flat({1, 2, 3, 4, 5, 6}), options).wavelength_angstrom, (std::vector<double>{2, 4, 5}));
}

TEST(Prepare, RangesThatMeanNothingAreRefused) {
    PrepareOptions options;
    options.window = {6900, 4200};
    EXPECT_EQ(message_of<ConfigError>([&] { (void)prepare(flat({5000}), options); }),
              "window = [6900, 4200] (low end above high end): swap the two values");
    options.window = {4200, 4200};
    EXPECT_THROW((void)prepare(flat({5000}), options), ConfigError);
    options.window = {6000, 7000};
    EXPECT_EQ(message_of<DataError>([&] { (void)prepare(flat({4000, 5000}), options); }),
              "test.txt: no pixel left after window = [6000, 7000] (the spectrum covers 4000.0 to 5000.0 Angstrom): change "
              "window or masks");
    options.window.reset();
    options.masks = {{3000, 6000}};
    EXPECT_NE(message_of<DataError>([&] { (void)prepare(flat({4000, 5000}), options); }).find("no pixel left after mask"),
              std::string::npos);
    options.masks.clear();
    options.redshift = -1.0;
    EXPECT_THROW((void)prepare(flat({5000}), options), ConfigError);
}

TEST(Prepare, InvalidPixelsAreDroppedAndCounted) {
    Spectrum s = flat({1, 2, 3, 4, 5});
    s.flux[0] = nan_value;
    s.error[1] = 0.0;
    s.error[2] = -1.0;
    s.error[3] = std::numeric_limits<double>::infinity();
    const Spectrum kept = prepare(s, {});
    EXPECT_EQ(kept.wavelength_angstrom, std::vector<double>{5});
    EXPECT_TRUE(std::ranges::any_of(kept.history, [](const std::string& step) { return step.starts_with("4 pixels dropped"); }));
    for (const double error : {0.0, nan_value})
        EXPECT_NE(message_of<DataError>([&] { (void)prepare(flat({1, 2}, 1.0, error), {}); }).find("no pixel left"),
                  std::string::npos);
    Spectrum none = flat({1, 2});
    none.error.clear();
    EXPECT_NE(message_of<ConfigError>([&] { (void)prepare(none, {}); }).find("has no errors"), std::string::npos);
}

TEST(Prepare, ErrorModelIsTheLargerOfFractionAndFloor) {
    Spectrum s = flat({1, 2});
    s.flux = {-10.0, 0.001};
    PrepareOptions options;
    options.error_fraction = 0.05;
    options.error_floor = 1e-3;
    EXPECT_EQ(prepare(s, options).error, (std::vector<double>{0.5, 1e-3}));
    options.error_fraction = 0.0;
    options.error_floor = 0.0;
    EXPECT_THROW((void)prepare(s, options), ConfigError);
}

TEST(Prepare, OversamplingIsLinspaceAndInterp) {
    Spectrum s = flat({1.0, 2.0, 4.0});
    s.flux = {0.0, 1.0, -3.0};
    PrepareOptions options;
    options.oversample = 2;
    const Spectrum fine = prepare(s, options);
    // numpy.linspace(1, 4, 6) and numpy.interp on it.
    EXPECT_EQ(fine.wavelength_angstrom, (std::vector<double>{1.0, 1.6, 2.2, 2.8, 3.4, 4.0}));
    const std::vector<double> expected{0.0, 0.6, 0.6, -0.6, -1.8, -3.0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(fine.flux[i], expected[i], 1e-14);
        EXPECT_NEAR(fine.error[i], 0.1 * std::sqrt(2.0), 1e-16);
    }
}

TEST(Prepare, FluxFollowsTheFrameOnlyWhenAsked) {
    PrepareOptions options;
    options.redshift = 1.0;
    EXPECT_EQ(prepare(flat({6000}), options).flux[0], 2.0);
    EXPECT_EQ(prepare(flat({6000}), options).wavelength_angstrom[0], 3000.0);
    options.rescale_flux = true;
    EXPECT_EQ(prepare(flat({6000}), options).flux[0], 4.0);
    EXPECT_EQ(prepare(flat({6000}), options).error[0], 0.2);
}

TEST(Prepare, ConversionOfTheMediumIsRecorded) {
    PrepareOptions options;
    options.convert_to = Medium::air;
    const Spectrum s = prepare(flat({5008.24}), options);
    EXPECT_EQ(s.medium, Medium::air);
    EXPECT_NEAR(s.wavelength_angstrom[0], 5006.843, 0.002);
    EXPECT_TRUE(std::ranges::any_of(s.history,
                                    [](const std::string& step) { return step.find("converted to air") != std::string::npos; }));
}

/// A flux in a unit is the same as `scale` times its number in the unit over `scale`.
TEST(Prepare, TheUnitFollowsTheScale) {
    const auto unit = [](const std::string& of_file, double scale, const std::string& given = "") {
        Spectrum s = flat({4000.0, 4001.0});
        s.flux_unit = of_file;
        PrepareOptions options;
        options.flux_scale = scale;
        options.flux_unit = given;
        options.redshift = 0.0;
        return prepare(std::move(s), options).flux_unit;
    };
    EXPECT_EQ(unit("erg/s/cm2/A", 1.0), "erg/s/cm2/A");
    EXPECT_EQ(unit("erg/s/cm2/A", 1e17), "1e-17 erg/s/cm2/A");
    EXPECT_EQ(unit("1e-17 erg/cm^2/s/Ang", 0.01), "1e-15 erg/cm^2/s/Ang");
    EXPECT_EQ(unit("1E-17 erg/cm^2/s/Ang", 1e-17), "erg/cm^2/s/Ang");
    EXPECT_EQ(unit("10**(-17) erg/cm**2/s/Angstrom", 0.1), "10 10**(-17) erg/cm**2/s/Angstrom");
    EXPECT_EQ(unit("mJy", 2.0), "0.5 mJy");
    EXPECT_EQ(unit("", 1e17), "");
    EXPECT_EQ(unit("erg/s/cm2/A", 1e17, "my unit"), "my unit");
    EXPECT_EQ(unit("erg/s/cm2/A", 1.0, "my unit"), "my unit");
}

}  // namespace
}  // namespace aliquot::spectra
