#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/components/convolved.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "support/component_checks.hpp"
#include "support/files.hpp"
#include "support/golden.hpp"

namespace aliquot::spectra {
namespace {

using namespace test;

TEST(Components, PowerLawIsGolden) {
    check_golden("PowerLaw1D", std::make_shared<PowerLaw>());
}

TEST(Components, LineGaussianIsGolden) {
    check_golden("Line_Gaussian", std::make_shared<LineGaussian>(), 1.7);
}

TEST(Components, LineMultiGaussIsGolden) {
    check_golden("Line_MultiGauss", std::make_shared<LineMultiGauss>(2));
}

TEST(Components, LineMultiGaussDoubletIsGolden) {
    check_golden("Line_MultiGauss_doublet", std::make_shared<LineMultiGaussDoublet>(2));
}

TEST(Components, IronTemplatesAreGolden) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TemplateSpectrum park = read_template(path.string());
    check_golden("IronTemplate_new(park2022,log+pad)", std::make_shared<IronTemplateNew>(park, 800.0));
    check_golden("IronTemplate_new(park2022,log+pad,shift)", std::make_shared<IronTemplateNew>(park, 800.0));
    check_golden("IronTemplate legacy(2A grid)", std::make_shared<IronTemplate>(park, 800.0));
}

TEST(Components, ConstantAndLine) {
    const Values x{4000.0, 5000.0, 6000.0};
    EXPECT_EQ(evaluate(Constant(), x, {2.5}), (Values{2.5, 2.5, 2.5}));
    EXPECT_EQ(evaluate(Linear(), x, {0.5, -100.0}), (Values{1900.0, 2400.0, 2900.0}));
    EXPECT_EQ(compiled(std::make_shared<Constant>(), x, {2.5}), (Values{2.5, 2.5, 2.5}));
    expect_near_peak(compiled(std::make_shared<Linear>(), x, {0.5, -100.0}), {1900.0, 2400.0, 2900.0}, 1e-15);
}

/// Core and wind may change places: amp_c -> amp_c amp_w, sigma_c <-> sigma_w, dv_c -> dv_c + dv_w, amp_w -> 1 / amp_w, dv_w ->
/// -dv_w.
TEST(Components, CoreAndWindAreExchangeable) {
    Values x;
    for (double w = 6300.0; w < 6800.0; w += 0.7)
        x.push_back(w);
    const LineMultiGauss line(2);
    const double a = 2.22, dv = 280.0, sigma = 830.0, aw = 0.26, dvw = -185.0, sigma_w = 2400.0;
    const Values one = evaluate(line, x, {a, dv, sigma, 6562.819, aw, dvw, sigma_w});
    const Values other = evaluate(line, x, {a * aw, dv + dvw, sigma_w, 6562.819, 1.0 / aw, -dvw, sigma});
    expect_near_peak(other, one, 3.5e-16);
}

TEST(Components, PartsAddUpToTheComponent) {
    Values x;
    for (double w = 4900.0; w < 5100.0; w += 0.5)
        x.push_back(w);
    const LineMultiGaussDoublet line(3);
    const Values parameters{1.7, 0.57, -43.0, 250.0, 5006.843, 4958.911, 0.35, -280.0, 340.0, 0.05, 500.0, 1000.0};
    const std::vector<ComponentPart> parts = line.parts(parameters);
    ASSERT_EQ(parts.size(), 6U);
    EXPECT_EQ(parts[0].name, "core0");
    EXPECT_EQ(parts[1].name, "core1");
    EXPECT_EQ(parts[2].name, "wind00");
    EXPECT_EQ(parts[5].name, "wind11");
    Values sum(x.size(), 0.0);
    for (const ComponentPart& part : parts) {
        const Values y = evaluate(*part.component, x, part.values);
        for (std::size_t i = 0; i < x.size(); ++i)
            sum[i] += y[i];
    }
    expect_near_peak(sum, evaluate(line, x, parameters), 1e-15);
    EXPECT_TRUE(LineMultiGauss(1).parts(Values{1.0, 0.0, 200.0, 5000.0}).empty());
}

/// A doublet is two lines of one profile.
TEST(Components, DoubletIsTwoMultiGauss) {
    Values x;
    for (double w = 4900.0; w < 5100.0; w += 0.5)
        x.push_back(w);
    const Values doublet =
        evaluate(LineMultiGaussDoublet(2), x, {1.7, 0.57, -43.0, 250.0, 5006.843, 4958.911, 0.35, -280.0, 340.0});
    const LineMultiGauss line(2);
    Values sum = evaluate(line, x, {1.7, -43.0, 250.0, 5006.843, 0.35, -280.0, 340.0});
    const Values second = evaluate(line, x, {0.57, -43.0, 250.0, 4958.911, 0.35, -280.0, 340.0});
    for (std::size_t i = 0; i < x.size(); ++i)
        sum[i] += second[i];
    expect_near_peak(doublet, sum, 1e-15);
}

/// The template as a continuous piecewise-linear function convolved with a Gaussian in velocity by brute force.
TEST(Components, IronTemplateNewIsAConvolutionInVelocity) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TemplateSpectrum park = read_template(path.string());
    const IronTemplateNew iron(park, 800.0);
    const double peak_flux = *std::max_element(park.flux.begin(), park.flux.end());
    const auto at = [&](double w) {
        // The first and the last pixel reach half a step beyond their centres.
        if (w < park.wavelength_angstrom.front() - 1.0 || w > park.wavelength_angstrom.back() + 1.0) return 0.0;
        const double step =
            std::clamp((w - park.wavelength_angstrom.front()) / 2.0, 0.0, static_cast<double>(park.flux.size() - 1));
        const auto i = std::min(static_cast<std::size_t>(step), park.flux.size() - 2);
        const double f = step - static_cast<double>(i);
        return (park.flux[i] * (1.0 - f) + park.flux[i + 1] * f) / peak_flux;
    };
    const double c = 299792.458;
    const double sigma = std::sqrt(1400.0 * 1400.0 - (800.0 / 2.3548) * (800.0 / 2.3548)) / c;
    // The model is normalised by the peak of the rebinned template, 0.4 % below that of the file: compare shapes.
    Values direct;
    Values model;
    for (double x = 4100.0; x < 5600.0; x += 50.0) {
        double sum = 0.0;
        double norm = 0.0;
        for (int i = -4000; i <= 4000; ++i) {
            const double t = 4.0 * i / 4000.0;  // the filter ends at 4 sigma too
            const double weight = std::exp(-0.5 * t * t);
            sum += weight * at(x * std::exp(t * sigma));
            norm += weight;
        }
        direct.push_back(sum / norm);
        model.push_back(evaluate(iron, {x}, {1.0, 1400.0, 0.0, 0.0})[0]);
    }
    double cross = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < direct.size(); ++i) {
        cross += direct[i] * model[i];
        square += direct[i] * direct[i];
    }
    const double scale = cross / square;
    EXPECT_NEAR(scale, 1.0, 0.006);
    for (std::size_t i = 0; i < direct.size(); ++i)
        EXPECT_NEAR(model[i] / scale, direct[i], 2.5e-4);  // the channels' own width, some 60 km/s in quadrature, makes 2.04e-4
}

/// The closed form against the convolution integral, by the trapezoid rule (exact to rounding for such smooth functions).
TEST(Components, ConvolvedLinesAreConvolutions) {
    constexpr double w = 1.1678;
    const auto lines = std::make_shared<LineMultiGauss>(2);
    const Convolved seen(lines, w);
    const Values parameters{1.3, -40.0, 60.0, 5006.843, 0.4, -200.0, 250.0};
    Values x;
    for (int i = 0; i < 40; ++i)
        x.push_back(4985.0 + 1.1 * i);
    const Values flux = evaluate(seen, x, parameters);
    for (std::size_t i = 0; i < x.size(); ++i) {
        Values at;
        for (int k = -400; k <= 400; ++k)
            at.push_back(x[i] + 0.025 * w * k);
        const Values line = evaluate(*lines, at, parameters);
        double sum = 0.0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const double u = (at[k] - x[i]) / w;
            sum += line[k] * std::exp(-0.5 * u * u) * 0.025 / std::sqrt(2.0 * 3.14159265358979323846);
        }
        EXPECT_NEAR(flux[i], sum, 1e-13);
    }
    // Parts are seen by the same instrument.
    Values parts(x.size(), 0.0);
    for (const ComponentPart& part : seen.parts(parameters)) {
        const Values one = evaluate(*part.component, x, part.values);
        for (std::size_t i = 0; i < x.size(); ++i)
            parts[i] += one[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(parts[i], flux[i], 1e-15);
    EXPECT_THROW(Convolved(std::make_shared<PowerLaw>(), w), ConfigError);
}

TEST(Components, TemplateGapsAreNamed) {
    TemplateSpectrum t{"t", {}, {}, {}};
    for (int i = 0; i < 50; ++i) {
        t.wavelength_angstrom.push_back(4400.0 + 2.0 * i + (i >= 25 ? 300.0 : 0.0));
        t.flux.push_back(1.0);
    }
    const IronTemplateNew iron(t, 900.0);
    EXPECT_TRUE(iron.coverage_warnings(4400.0, 4440.0).empty());
    const auto warnings = iron.coverage_warnings(4300.0, 4900.0);
    ASSERT_EQ(warnings.size(), 3U);
    EXPECT_NE(warnings[0].find("begins at 4400.0"), std::string::npos);
    EXPECT_NE(warnings[1].find("ends at 4798.0"), std::string::npos);
    EXPECT_NE(warnings[2].find("4448.0 to 4750.0"), std::string::npos);
    EXPECT_THROW(IronTemplateNew(t, 0.0), ConfigError);
    EXPECT_THROW(LineMultiGauss(0), ConfigError);
}

}  // namespace
}  // namespace aliquot::spectra
