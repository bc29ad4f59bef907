#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/fit.hpp"

namespace aliquot::test {

/// Correlation of the first two parameters of synthetic_fit.
inline constexpr double synthetic_correlation = 0.8;

inline double normal(RandomStream& random) {
    const double radius = std::sqrt(-2.0 * std::log(random.uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

inline std::shared_ptr<const spectra::Model> synthetic_model() {
    using infer::Prior;
    using spectra::ComponentDefinition;
    ComponentDefinition continuum{"Continuum", "", std::make_shared<spectra::PowerLaw>(), {{"x_0", 5000.0}}, {}, {{"x_0", true}},
                                  {},          {}};
    continuum.priors.emplace("amplitude", Prior::uniform(0.2, 3.0));
    continuum.priors.emplace("alpha", Prior::uniform(-2.0, 4.0));
    const auto gaussian = std::make_shared<spectra::LineGaussian>();
    ComponentDefinition broad{"bHb", "broad H$\\beta$", gaussian, {{"wavec", 4862.683}}, {}, {}, {}, {}};
    broad.priors.emplace("amplitude", Prior::log_uniform(0.01, 10.0));
    ComponentDefinition narrow{"nHb", "narrow Hβ", gaussian, {{"wavec", 4862.683}}, {}, {}, {}, {}};
    narrow.ties["dv"] = {"OIII.dv_c", 1.0, 0.0};
    narrow.ties["sigma"] = {"OIII.sigma_c", 1.0, 0.0};
    const auto doublet = std::make_shared<spectra::LineMultiGaussDoublet>(2);
    ComponentDefinition oiii{"OIII", "[O III]", doublet, {{"wavec0", 5008.240}, {"wavec1", 4960.295}}, {}, {}, {}, {}};
    oiii.ties["amp_c1"] = {"OIII.amp_c0", 2.98, 0.0};
    return std::make_shared<const spectra::Model>(std::vector{continuum, broad, narrow, oiii}, "");
}

/// Even sampling of 4600 to 5200 Angstrom without 5080 to 5110, the model with noise of 0.02.
inline spectra::Spectrum synthetic_spectrum(const spectra::Model& model, const std::vector<double>& theta, std::size_t pixels) {
    spectra::Spectrum s;
    for (std::size_t i = 0; i < pixels; ++i) {
        const double w = 4600.0 + 600.0 * static_cast<double>(i) / static_cast<double>(pixels - 1);
        if (w < 5080.0 || w > 5110.0) s.wavelength_angstrom.push_back(w);
    }
    s.flux = spectra::model_curve(model, theta, s.wavelength_angstrom).flux;
    for (std::size_t i = 0; i < s.size(); ++i) {
        RandomStream random(1, 2, i);
        s.error.push_back(0.02);
        s.flux[i] += s.error[i] * normal(random);
    }
    s.flux_unit = "1e-15 erg / (s cm2 Angstrom)";
    s.frame = spectra::Frame::rest;
    s.source = "synthetic";
    s.history = {"made for a test", "masked 5080 to 5110 Å"};
    return s;
}

/// A Gaussian posterior of 1 % around theta; its first parameter is sampled twice too wide and weighted back.
inline infer::NestedResult synthetic_run(const std::vector<double>& theta, std::size_t draws) {
    infer::NestedResult run;
    run.dimension = theta.size();
    run.live_points = 400;
    run.samples = Matrix<double>(0, run.dimension);
    double total = 0.0;
    for (std::size_t i = 0; i < draws; ++i) {
        RandomStream random(3, 4, i);
        std::vector<double> z(run.dimension);
        for (double& value : z)
            value = normal(random);
        z[0] *= 2.0;
        run.log_weight.push_back(-0.5 * z[0] * z[0] * (1.0 - 0.25));
        total += std::exp(run.log_weight.back());
        z[1] = synthetic_correlation * z[0] + std::sqrt(1.0 - synthetic_correlation * synthetic_correlation) * z[1];
        for (std::size_t p = 0; p < z.size(); ++p)
            z[p] = theta[p] + 0.01 * std::abs(theta[p]) * z[p];
        run.samples.append_row(z);
        const double t = static_cast<double>(i) / static_cast<double>(draws);
        run.log_volume.push_back(-60.0 * t);
        run.log_likelihood.push_back(1000.0 - 400.0 * std::exp(-6.0 * t));
    }
    for (double& w : run.log_weight)
        w -= std::log(total);
    run.log_evidence = 950.0;
    run.log_evidence_error = 0.3;
    run.information = 45.0;
    run.diagnostics.effective_samples = 0.5 * static_cast<double>(draws);
    return run;
}

/// A fit that no sampler made: a power law, H beta and [O III] with a known posterior.
inline spectra::Fit synthetic_fit(std::size_t pixels, std::size_t draws = 3000) {
    spectra::Fit fit;
    fit.title = "A <synthetic> fit";
    fit.model = synthetic_model();
    fit.theta_best = {1.0, 1.2, 0.8, 120.0, 1800.0, 0.35, 3.0, -20.0, 180.0, 0.25, -250.0, 450.0};
    fit.spectrum = synthetic_spectrum(*fit.model, fit.theta_best, pixels);
    fit.run = synthetic_run(fit.theta_best, draws);
    fit.chi2_best = static_cast<double>(fit.spectrum.size());
    fit.log_likelihood_best = 1000.0;
    fit.evaluation = "a test";
    fit.config_text = "[input]\nfile = \"a </script> b\"\n";
    fit.warnings = {"Continuum.alpha presses against the high end of its prior"};
    for (const auto& leaf : fit.model->leaves()) {
        for (std::size_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const spectra::Parameter& parameter = fit.model->parameters()[i];
            if (!parameter.free()) continue;
            const double value = fit.theta_best[fit.parameters.size()];
            const double sigma = 0.01 * std::abs(value);
            fit.parameters.push_back({.name = parameter.full_name,
                                      .short_name = parameter.short_name,
                                      .label = leaf.label + ": " + spectra::parameter_symbol(parameter.name),
                                      .unit = parameter.unit,
                                      .median = value,
                                      .p16 = value - 0.9945 * sigma,
                                      .p84 = value + 0.9945 * sigma,
                                      .best = value,
                                      .prior = parameter.prior->describe(),
                                      .default_prior = parameter.default_prior,
                                      .flag = parameter.name == "alpha" ? "edge-high" : ""});
        }
    }
    return fit;
}

}  // namespace aliquot::test
