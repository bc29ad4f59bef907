#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/components/continuum_shapes.hpp"
#include "aliquot/spectra/components/gaussian_1d.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_absorption.hpp"
#include "aliquot/spectra/components/line_hermite.hpp"
#include "aliquot/spectra/components/line_template.hpp"
#include "aliquot/spectra/components/line_wings.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/components/star_spectrum.hpp"
#include "aliquot/spectra/spectrum_prepare.hpp"
#include "support/component_checks.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using namespace test;

/// Values by mpmath at 40 digits (tests/golden/components_mpmath.py).
void check_mpmath(const std::string& name, const std::shared_ptr<const Component>& component, double tolerance = 1e-12) {
    check_golden(name, component, 0.0, tolerance, "components_mpmath.json");
}

Values range(double low, double high, double step) {
    Values x;
    for (double w = low; w < high; w += step)
        x.push_back(w);
    return x;
}

TEST(Toolbox, ContinuaAreGolden) {
    check_golden("BrokenPowerLaw1D", std::make_shared<BrokenPowerLaw>());
    check_golden("WindowedPowerLaw1D", std::make_shared<WindowedPowerLaw>());
    check_golden("WindowedLinear", std::make_shared<WindowedLinear>());
    check_mpmath("Polynomial1D", std::make_shared<Polynomial>(3));
    check_mpmath("BlackBody", std::make_shared<BlackBody>());
    check_mpmath("BlackBody(cold)", std::make_shared<BlackBody>(), 1e-10);  // exp(6540) in numerator and denominator
    check_mpmath("extinction_calzetti00", std::make_shared<ExtinctionCalzetti>());
}

TEST(Toolbox, LinesAreGolden) {
    check_golden("Line_GaussHermite(clip)", std::make_shared<LineGaussHermite>(true));
    check_golden("Line_GaussHermite(noclip)", std::make_shared<LineGaussHermite>(false));
    check_golden("Line_Absorption", std::make_shared<LineAbsorption>());
    check_golden("Line_Absorption_doublet", std::make_shared<LineAbsorptionDoublet>());
    check_golden("Line_Exponential(analytic)", std::make_shared<LineExponential>());
    check_mpmath("Line_Exponential(wide)", std::make_shared<LineExponential>());
    check_mpmath("Line_Exponential(narrow)", std::make_shared<LineExponential>());
    check_mpmath("Gaussian1D", std::make_shared<Gaussian1D>());
    check_mpmath("Line_Lorentz", std::make_shared<LineLorentz>());
    check_mpmath("Line_Voigt", std::make_shared<LineVoigt>());
    check_mpmath("Line_Voigt(narrow)", std::make_shared<LineVoigt>());
    const nlohmann::json params = aliquot::test::golden("spectra_golden.json").at("Line_template").at("params");
    check_golden("Line_template", std::make_shared<LineTemplate>(VelocityProfile{"golden", params["template_velc"].get<Values>(),
                                                                                 params["template_flux"].get<Values>()}));
}

TEST(Toolbox, ExponentialWingsReachFarWithoutOverflow) {
    const Values far = evaluate(LineExponential(), {4000.0, 9000.0}, {1.0, 0.0, 20.0, 1000.0, 6562.819});
    EXPECT_GT(far[0], 0.0);
    EXPECT_LT(far[0], 1e-40);
    EXPECT_TRUE(std::isfinite(far[1]));
    const Values centre = evaluate(LineExponential(), {6562.819}, {1.0, 0.0, 10000.0, 1.0, 6562.819});
    EXPECT_NEAR(centre[0], 2.0 / (10000.0 * std::sqrt(2.0 * 3.14159265358979324)), 1e-11);  // area 2 w over sqrt(2 pi) sigma
}

TEST(Toolbox, APolynomialOverADomainIsTheSameCurve) {
    // 1 + 2 t + 3 t^2, t = (x - 5000) / 500
    const Values x = range(4500.0, 5500.0, 50.0);
    const Values y = evaluate(Polynomial(2, 4500.0, 5500.0), x, {1.0, 2.0, 3.0});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double t = (x[i] - 5000.0) / 500.0;
        EXPECT_NEAR(y[i], 1.0 + t * (2.0 + 3.0 * t), 1e-14);
    }
    expect_near_peak(compiled(std::make_shared<Polynomial>(1, 4500.0, 5500.0), x, {1.0, 2.0}),
                     evaluate(Polynomial(1, 4500.0, 5500.0), x, {1.0, 2.0}), 1e-14);
    EXPECT_THROW(Polynomial(21), ConfigError);
    EXPECT_THROW(Polynomial(1, 5500.0, 4500.0), ConfigError);
}

TEST(Toolbox, DoubletsAreTwoLines) {
    const Values x = range(4900.0, 5100.0, 0.5);
    const auto sum_of = [&](const Component& line, const Values& first, const Values& second) {
        Values sum = evaluate(line, x, first);
        const Values other = evaluate(line, x, second);
        for (std::size_t i = 0; i < x.size(); ++i)
            sum[i] += other[i];
        return sum;
    };
    expect_near_peak(
        evaluate(LineGaussHermiteDoublet(false), x, {1.7, 0.6, -40.0, 250.0, 0.1, -0.05, 5006.843, 4958.911}),
        sum_of(LineGaussHermite(false), {1.7, -40.0, 250.0, 0.1, -0.05, 5006.843}, {0.6, -40.0, 250.0, 0.1, -0.05, 4958.911}),
        1e-15);
    const VelocityProfile profile{"triangle", {-300.0, 0.0, 500.0}, {0.0, 1.0, 0.0}};
    expect_near_peak(evaluate(LineTemplateDoublet(profile), x, {1.7, 0.6, -40.0, 5006.843, 4958.911}),
                     sum_of(LineTemplate(profile), {1.7, -40.0, 5006.843}, {0.6, -40.0, 4958.911}), 1e-15);
}

TEST(Toolbox, AVoigtLineIsBetweenItsTwoLimits) {
    const Values x = range(4950.0, 5060.0, 0.5);
    const Values gauss = evaluate(LineVoigt(), x, {1.5, 80.0, 200.0, 0.0, 5006.843});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double u = ((x[i] - 5006.843) / 5006.843 * 299792.458 - 80.0) / 200.0;
        EXPECT_NEAR(gauss[i], 1.5 * std::exp(-0.5 * u * u), 1e-12);
    }
    expect_near_peak(evaluate(LineVoigt(), x, {1.5, 80.0, 20.0, 4000.0, 5006.843}),
                     evaluate(LineLorentz(), x, {1.5, 80.0, 4000.0, 5006.843}), 5e-5);
}

TEST(Toolbox, TiedIronIsGoldenAndKeepsItsLaws) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TemplateSpectrum park = read_template(path.string());
    check_golden("IronTemplate_tied(area weights)", std::make_shared<IronTemplateTied>(park, 800.0, 2));
    const Values x = range(4200.0, 5600.0, 3.0);
    // One component is IronTemplate_new to the bit.
    EXPECT_EQ(evaluate(IronTemplateTied(park, 800.0, 1), x, {0.3, 0.001, -120.0, 1400.0}),
              evaluate(IronTemplateNew(park, 800.0), x, {0.3, 1400.0, 0.001, -120.0}));
    // Core and wind may change places.
    const IronTemplateTied two(park, 800.0, 2);
    const double dv = 120.0, sigma = 900.0, aw = 0.3, dvw = -250.0, sigma_w = 2600.0;
    expect_near_peak(evaluate(two, x, {0.3, 0.0, dv + dvw, sigma_w, 1.0 / aw, -dvw, sigma}),
                     evaluate(two, x, {0.3, 0.0, dv, sigma, aw, dvw, sigma_w}), 2e-15);
}

/// A star against the direct convolution of its file in ln(wavelength).
TEST(Toolbox, AStarIsAConvolutionOfItsFile) {
    ALIQUOT_NEEDS_DATA(path, "HD_97633.txt");
    const TemplateSpectrum file = read_template(path.string());
    const StarSpectrum star(file, 0.0);
    const double sigma = 300.0;
    const double delta_z = 4e-4;
    const auto at = [&](double w) {
        const auto above = std::upper_bound(file.wavelength_angstrom.begin() + 1, file.wavelength_angstrom.end() - 1, w);
        const auto k = static_cast<std::size_t>(above - file.wavelength_angstrom.begin()) - 1;
        const double f = (w - file.wavelength_angstrom[k]) / (file.wavelength_angstrom[k + 1] - file.wavelength_angstrom[k]);
        return file.flux[k] + f * (file.flux[k + 1] - file.flux[k]);
    };
    Values direct;
    const Values x = range(4000.0, 6000.0, 61.0);
    for (const double w : x) {
        double sum = 0.0;
        double norm = 0.0;
        for (int i = -2000; i <= 2000; ++i) {
            const double t = 4.0 * i / 2000.0;
            const double weight = std::exp(-0.5 * t * t);
            sum += weight * at(w * (1.0 + delta_z) * std::exp(t * sigma / 299792.458));
            norm += weight;
        }
        direct.push_back(sum / norm);
    }
    const Values model = evaluate(star, x, {1.0, sigma, delta_z});
    double scale = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        scale += model[i] / direct[i] / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(model[i] / (scale * direct[i]), 1.0, 3e-4) << x[i];
    expect_near_peak(compiled(std::make_shared<StarSpectrum>(file, 0.0), x, {1.0, sigma, delta_z}), model, 1e-12);
}

TEST(Toolbox, SeveralStarsAreTheirSum) {
    ALIQUOT_NEEDS_DATA(path, "HD_97633.txt");
    ALIQUOT_NEEDS_DATA(other, "HD_44478.txt");
    const std::vector<TemplateSpectrum> files{read_template(path.string()), read_template(other.string())};
    const Values x = range(4000.0, 6000.0, 17.0);
    Values sum = evaluate(StarSpectrum(files[0], 69.0), x, {0.7, 150.0, 0.0});
    const Values second = evaluate(StarSpectrum(files[1], 69.0), x, {0.4, 150.0, 0.0});
    for (std::size_t i = 0; i < x.size(); ++i)
        sum[i] += second[i];
    const auto both = std::make_shared<MultiStarSpectrum>(files, 69.0);
    expect_near_peak(evaluate(*both, x, {0.7, 0.4, 150.0}), sum, 1e-14);
    expect_near_peak(compiled(both, x, {0.7, 0.4, 150.0}), sum, 1e-12);
    EXPECT_FALSE(both->coverage_warnings(3000.0, 9000.0).empty());
    EXPECT_TRUE(both->coverage_warnings(4000.0, 6000.0).empty());
    const auto gap = both->coverage_warnings(6700.0, 6900.0);  // of HD 97633: filled with 0.0001
    ASSERT_EQ(gap.size(), 1U);
    EXPECT_NE(gap[0].find("has no data from"), std::string::npos);
    EXPECT_THROW(MultiStarSpectrum({}, 69.0), ConfigError);
    EXPECT_THROW(StarSpectrum(files[0], 1e6), ConfigError);
}

TEST(Toolbox, DustInTheSourceIsThatOfTheGalaxyTurnedRound) {
    const Values x{1500.0, 4861.3, 6562.8, 20000.0};
    const Values y = evaluate(ExtinctionCcm89(), x, {0.9, 3.1});
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(-2.5 * std::log10(y[i]), 0.9 * ccm89(x[i], 3.1), 1e-13);
    const Values beyond = evaluate(ExtinctionCcm89(), {900.0, 40000.0}, {0.9, 3.1});
    EXPECT_EQ(beyond, evaluate(ExtinctionCcm89(), {1000.0, 1e4 / 0.3}, {0.9, 3.1}));
    EXPECT_EQ(ExtinctionCcm89().coverage_warnings(900.0, 5000.0).size(), 1U);
    EXPECT_TRUE(ExtinctionCalzetti().coverage_warnings(1300.0, 5000.0).empty());
}

TEST(Toolbox, ProfilesThatCannotBeAreRefused) {
    const aliquot::test::ScratchDirectory folder;
    const auto refusal = [&](const std::string& text) {
        const std::filesystem::path path = folder / "profile.txt";
        std::ofstream(path) << text;
        return aliquot::test::message_of<DataError>([&] { (void)read_velocity_profile(path.string()); });
    };
    EXPECT_NE(refusal("0 1\n100 0.5\n50 0.2\n").find("velocities must increase"), std::string::npos);
    EXPECT_NE(refusal("0 1\n").find("two rows"), std::string::npos);
    EXPECT_NE(refusal("0 1\n100 nan\n").find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::spectra
