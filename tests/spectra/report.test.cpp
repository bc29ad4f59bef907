#include "aliquot/spectra/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "aliquot/core/error.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/report_histogram.hpp"
#include "aliquot/spectra/report_parts.hpp"
#include "support/files.hpp"
#include "support/synthetic_fit.hpp"

namespace aliquot::spectra::report {
namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;

Json traces(const Figure& figure) {
    return Json::parse(figure.data);
}
const Json& named(const Json& all, const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const Json& trace) { return trace["name"] == name; });
}
Values numbers(const Json& array) {
    Values values;
    for (const Json& value : array)
        values.push_back(value.is_null() ? std::nan("") : value.get<double>());
    return values;
}
/// A drawn line between its points; NaN in gaps.
double drawn_at(const Json& trace, double wavelength) {
    const Values x = numbers(trace["x"]);
    const Values y = numbers(trace["y"]);
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (x[i - 1] <= wavelength && wavelength <= x[i] && x[i] > x[i - 1])
            return y[i - 1] + (y[i] - y[i - 1]) * (wavelength - x[i - 1]) / (x[i] - x[i - 1]);
    }
    return std::nan("");
}
double gaussian(double wavelength, double amplitude, double dv, double sigma, double wavec) {
    const double u = ((wavelength - wavec) / wavec * 299792.458 - dv) / sigma;
    return amplitude * std::exp(-0.5 * u * u);
}
/// The synthetic model by hand.
double model_at(double w) {
    double sum = std::pow(w / 5000.0, -1.2);
    sum += gaussian(w, 0.8, 120.0, 1800.0, 4862.683) + gaussian(w, 0.35, -20.0, 180.0, 4862.683);
    for (const auto& [wavec, amplitude] : {std::pair{5008.240, 3.0}, {4960.295, 3.0 / 2.98}})
        sum += gaussian(w, amplitude, -20.0, 180.0, wavec) + gaussian(w, 0.25 * amplitude, -270.0, 450.0, wavec);
    return sum;
}
void expect_contains(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(FitFigure, ShowsDataModelComponentsAndResiduals) {
    const Fit fit = test::synthetic_fit(700);
    const Json all = traces(fit_figure(fit));
    const double tolerance = 4e-4;  // 1e-4 of the peak
    for (const double w : {4650.0, 4862.7, 4959.9, 5004.0, 5008.2, 5150.0}) {
        EXPECT_NEAR(drawn_at(named(all, "model"), w), model_at(w), tolerance) << w;
        double sum = 0.0;
        for (const char* name : {"Continuum", "broad Hβ", "narrow Hβ", "[O III]"})
            sum += drawn_at(named(all, name), w);
        EXPECT_NEAR(sum, model_at(w), 2.0 * tolerance) << w;
    }
    const Values x = numbers(named(all, "residual / σ")["x"]);
    const Values residual = numbers(named(all, "residual / σ")["y"]);
    const Values flux = numbers(named(all, "data")["y"]);
    ASSERT_EQ(flux.size(), residual.size());
    const Spectrum& s = fit.spectrum;
    std::size_t pixel = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(residual[i])) continue;
        ASSERT_NEAR(x[i], s.wavelength_angstrom[pixel], 1e-3);
        EXPECT_NEAR(flux[i], s.flux[pixel], 1e-4);
        EXPECT_NEAR(residual[i], (s.flux[pixel] - model_at(s.wavelength_angstrom[pixel])) / 0.02, 1e-3);
        ++pixel;
    }
    EXPECT_EQ(pixel, s.size());
}

TEST(FitFigure, LeavesMaskedRangesBlank) {
    for (const std::size_t pixels : {700, 60000}) {
        for (const Json& trace : traces(fit_figure(test::synthetic_fit(pixels)))) {
            if (trace.value("fill", "") == "toself") continue;
            EXPECT_TRUE(std::isnan(drawn_at(trace, 5095.0))) << trace["name"];
            EXPECT_FALSE(std::isnan(drawn_at(trace, 5070.0))) << trace["name"];
        }
    }
}

TEST(FitFigure, GivesEveryComponentAColourOfItsOwnAndDashesItsParts) {
    const Json all = traces(fit_figure(test::synthetic_fit(700)));
    std::map<std::string, std::string> colours{{"the model", named(all, "model")["line"]["color"]}};
    for (const char* name : {"Continuum", "broad Hβ", "narrow Hβ", "[O III]"}) {
        const Json& trace = named(all, name);
        EXPECT_EQ(trace["line"]["dash"], "solid");
        colours[trace["legendgroup"]] = trace["line"]["color"];
    }
    std::set<std::string> distinct;
    for (const auto& [group, colour] : colours)
        distinct.insert(colour);
    EXPECT_EQ(distinct.size(), 5U);
    for (const char* part : {"core0", "core1", "wind00", "wind10"}) {
        const Json& trace = named(all, std::string("[O III]: ") + part);
        EXPECT_EQ(trace["line"]["dash"], "dash");
        EXPECT_EQ(trace["line"]["color"], colours["OIII"]);
        EXPECT_EQ(trace["legendgroup"], "OIII");
        EXPECT_FALSE(trace["showlegend"].get<bool>());
    }
}

TEST(FitFigure, ThinsLargeSpectraWithoutLosingExtremes) {
    Fit fit = test::synthetic_fit(60000);
    fit.spectrum.flux[23456] = 50.0;
    const Figure figure = fit_figure(fit);
    EXPECT_LT(figure.data.size(), 600'000U);
    double highest = 0.0;
    for (const double f : numbers(named(traces(figure), "data")["y"]))
        highest = std::max(highest, std::isnan(f) ? 0.0 : f);
    EXPECT_NEAR(highest, 50.0, 1e-3);
    // The view is not squashed by that one pixel, and the residual panel says that it lies outside.
    const Json layout = Json::parse(figure.layout);
    EXPECT_LT(layout["yaxis"]["range"][1].get<double>(), 12.0);
    EXPECT_EQ(layout["annotations"][0]["text"], "1 pixel beyond ± 12 σ");
    EXPECT_EQ(layout["xaxis"]["title"]["text"], "rest wavelength (Å, vacuum)");
    EXPECT_EQ(layout["yaxis"]["title"]["text"], "flux density [10⁻¹⁵ erg / (s cm² Å)]");
}

TEST(LineGroups, JoinLinesThatOverlap) {
    const std::vector<LineGroup> groups = line_groups(test::synthetic_fit(700));
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].title, "broad Hβ, narrow Hβ, [O III]");
    EXPECT_LT(groups[0].low, 4800.0);
    EXPECT_GT(groups[0].high, 5040.0);
    EXPECT_LT(groups[0].high, 5150.0);
}

TEST(Marginals, AreWeighted) {
    const Fit fit = test::synthetic_fit(200, 20000);
    const Histogram h = marginal_histogram(fit, 0);
    double mass = 0.0;
    double mean = 0.0;
    double square = 0.0;
    for (std::size_t b = 0; b < h.mass.size(); ++b) {
        mass += h.mass[b];
        mean += h.mass[b] * h.centre(b);
        square += h.mass[b] * h.centre(b) * h.centre(b);
    }
    EXPECT_GT(mass, 0.998);
    EXPECT_LE(mass, 1.0 + 1e-12);
    EXPECT_NEAR(mean / mass, 1.0, 4e-4);
    EXPECT_NEAR(std::sqrt(square / mass - mean * mean / (mass * mass)), 0.01, 6e-4);  // unweighted: 0.02
    expect_contains(marginal_figure(fit).layout, {"◂ 0.2", "3 ▸", "−20.00", "Δv<sub>c</sub>"});
}

TEST(JointLevels, CountSigmasOfAGaussian) {
    const Fit fit = test::synthetic_fit(200, 40000);
    const Histogram x = marginal_histogram(fit, 2, 28);
    const Histogram y = marginal_histogram(fit, 5, 28);
    const auto levels = joint_levels(fit, x, 2, y, 5);
    const auto bin = [](const Histogram& h, double value) {
        return static_cast<std::size_t>(std::clamp((value - h.low) / h.width(), 0.0, static_cast<double>(h.mass.size()) - 1.0));
    };
    double inside = 0.0;
    for (std::size_t i = 0; i < fit.run.log_weight.size(); ++i) {
        if (levels[bin(y, fit.run.samples(i, 5))][bin(x, fit.run.samples(i, 2))] < 1.0) inside += std::exp(fit.run.log_weight[i]);
    }
    EXPECT_NEAR(inside, 1.0 - std::exp(-0.5), 0.03);
    const std::size_t middle = bin(y, 0.35);
    for (const double sigmas : {1.0, 2.0})
        EXPECT_NEAR(levels[middle][bin(x, 0.8 + sigmas * 0.008)], sigmas, 0.2);
}

TEST(Correlations, AreThoseOfThePosterior) {
    const auto c = posterior_correlations(test::synthetic_fit(200, 20000));
    EXPECT_NEAR(c[0][1], test::synthetic_correlation, 0.03);
    EXPECT_NEAR(c[0][0], 1.0, 1e-12);
    EXPECT_NEAR(c[2][3], 0.0, 0.03);
    EXPECT_EQ(c[0][1], c[1][0]);
}

TEST(Tables, RoundNumbersToTheirErrors) {
    EXPECT_EQ(rounded(1135.123, 590.0), "1135");
    EXPECT_EQ(rounded(-88.4321, 4.6), "−88.4");
    EXPECT_EQ(rounded(0.99876, 0.0123), "0.999");
    EXPECT_EQ(rounded(1.42674e-4, 1.7e-8), "0.000142674");
    EXPECT_EQ(rounded(3.123456e-17, 2.1e-19), "3.123e-17");
    EXPECT_EQ(rounded(2.1e-19, 2.1e-19), "2.1e-19");
    EXPECT_EQ(rounded(5.0, 0.0), "5");
    EXPECT_EQ(rounded(std::nan(""), 1.0), "–");
}

TEST(Tables, WriteUnitsAndSymbols) {
    EXPECT_EQ(unit_text("1E-17 erg/cm^2/s/Ang"), "10⁻¹⁷ erg/cm²/s/Å");
    EXPECT_EQ(unit_text("1e-14 erg / (s cm2 Angstrom)"), "10⁻¹⁴ erg / (s cm² Å)");
    EXPECT_EQ(unit_text("erg s-1 cm**-2 AA-1"), "erg s⁻¹ cm⁻² Å⁻¹");
    EXPECT_EQ(unit_text("km/s"), "km/s");
    EXPECT_EQ(unit_text(""), "");
    EXPECT_EQ(symbol_html("Δv_c"), "Δv<sub>c</sub>");
    EXPECT_EQ(label_html("H$\\beta$"), "Hβ");
    EXPECT_EQ(label_html("[O III]$_{5007}$ <core>"), "[O III]<sub>5007</sub> &lt;core&gt;");
}

TEST(Headline, SaysWhatWentWrong) {
    Fit fit = test::synthetic_fit(700);
    expect_contains(headline(fit), {">converged<", "what noise of the given errors makes it"});
    fit.run.status = infer::Status::interrupted;
    fit.chi2_best *= 2.0;
    fit.warnings = {"mind the <gap>"};
    fit.run.diagnostics.effective_samples = 1.01;
    expect_contains(headline(fit), {"only 1 independent draw(s)", "not converged", "interrupted", "errors are too small",
                                    "mind the &lt;gap&gt;"});
    fit.spectrum.wavelength_angstrom.resize(10);
    expect_contains(headline(fit), {"no more pixels than free parameters", "/ −2"});
}

TEST(ParameterTables, HoldEveryParameter) {
    const Fit fit = test::synthetic_fit(200);
    const std::string free = parameter_table(fit);
    for (const ParameterSummary& p : fit.parameters)
        EXPECT_NE(free.find(">" + p.name + "<"), std::string::npos) << p.name;
    expect_contains(free, {"σ<sub>w0</sub>", "edge-high", "LogUniform(0.01, 10)", "default", "broad Hβ", "10⁻¹⁵ erg"});
    expect_contains(other_parameters_table(fit),
                    {"OIII.amp_c1", "= <code>OIII.amp_c0</code> / 2.98", "1.006711", "Continuum.x_0", "fixed"});
}

TEST(Report, StaysSmallForLargeSpectra) {
    const test::ScratchDirectory scratch;
    write_report(test::synthetic_fit(60000), (scratch / "report.html").string());
    const std::string page = io::read_file(scratch / "report.html");
    EXPECT_LT(page.size(), 8'000'000U);
    const std::string own = page.substr(page.find("</script></head>"));
    EXPECT_LT(own.size(), 2'500'000U);
    for (const char* word : {"http:", "https:", "undefined", "nan", "NaN", "</script> b"})
        EXPECT_EQ(own.find(word), std::string::npos) << word;
}

/// A run that was stopped at once may hold all of its weight on one point.
TEST(Report, IsWrittenForDegenerateRuns) {
    const test::ScratchDirectory scratch;
    Fit fit = test::synthetic_fit(2);
    fit.run.log_weight.assign(fit.run.log_weight.size(), -1e4);
    fit.run.log_weight.back() = 0.0;
    fit.run.log_evidence_error = std::nan("");
    write_report(fit, (scratch / "report.html").string());
    const std::string page = io::read_file(scratch / "report.html");
    EXPECT_EQ(page.substr(page.find("</script></head>")).find("nan"), std::string::npos);
    EXPECT_THROW(write_report(fit, (scratch / "no" / "report.html").string()), ResourceError);
}

}  // namespace
}  // namespace aliquot::spectra::report
