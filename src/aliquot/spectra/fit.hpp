#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/peaks.hpp"
#include "aliquot/infer/verdict.hpp"
#include "aliquot/spectra/derived.hpp"
#include "aliquot/spectra/measure.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// What the posterior says about one free parameter.
struct ParameterSummary {
    std::string name;        ///< "OIII.amp_c0"
    std::string short_name;  ///< "amp_c0_1"
    std::string label;       ///< "OIII: A_c0", for people
    std::string unit;        ///< "km/s", "Angstrom", "flux" or ""
    double median = 0.0;
    double p16 = 0.0;  ///< 16 % quantile of the weighted posterior
    double p84 = 0.0;
    double best = 0.0;  ///< value at the highest ln L
    std::string prior;  ///< "Uniform(0.2, 1)"
    bool default_prior = false;
    std::string flag;  ///< "" or what is to be said: "edge-low", "edge-high", "unconstrained"
    /// Of a parameter with a spike: what the posterior says against it.
    struct Presence {
        double probability;   ///< of the slab
        double bayes_factor;  ///< for it; infinite where no sample is on the spike
    };
    std::optional<Presence> presence{};
};

/// What the posterior says about a quantity that need not be finite everywhere.
struct QuantitySummary {
    double median = 0.0;  ///< over the samples at which it is finite, as are the quantiles; NaN where there are none
    double p16 = 0.0;
    double p84 = 0.0;
    double best = 0.0;             ///< at theta_best
    double share_undefined = 0.0;  ///< of the posterior: samples at which it is not finite
};

/// A quantity that the user made of parameters.
struct DerivedSummary : QuantitySummary {
    DerivedDefinition definition;
    std::vector<double> values;  ///< at every sample of the run
};

/// A measured quantity.
struct MeasuredSummary : QuantitySummary {
    Measured measured;  ///< at `measured_rows` of the fit's run
};

/// A model curve on the fitted wavelengths.
struct Curve {
    std::string name;
    std::string label;
    std::vector<double> flux;
    std::vector<Curve> parts;  ///< sub-Gaussians; empty where there are none
};

/// A finished fit: what went in and what came out.
struct Fit {
    std::string title;
    std::shared_ptr<const Model> model;
    Spectrum spectrum;  ///< exactly the pixels that were fitted
    infer::NestedResult run;
    std::optional<infer::SecondOpinion> opinion;
    std::optional<infer::Verification> verification;
    std::optional<infer::PeakCheck> peak;  ///< what Levenberg-Marquardt says about the highest ln L
    infer::Verdict verdict;
    std::vector<ParameterSummary> parameters;  ///< of the free parameters, in theta's order
    std::vector<DerivedSummary> derived;
    std::vector<MeasuredSummary> measured;
    std::vector<std::size_t> measured_rows;  ///< equally weighted samples
    std::vector<double> theta_best;          ///< at the highest ln L, polished where the run converged
    double chi2_best = 0.0;
    double log_likelihood_best = 0.0;
    std::string evaluation;             ///< how the likelihood was evaluated
    std::vector<std::string> warnings;  ///< sentences for the user
    std::string config_text;            ///< the configuration with its overrides, TOML; "" where there was none
};

struct FitOptions {
    infer::NestedOptions sampler;
    std::vector<DerivedDefinition> derived;
    MeasureDefinition measure;
    bool second_opinion = true;      ///< importance sampling and bridge after the run
    double effective_samples = 0.0;  ///< top the run up until its posterior is worth so many; 0: as it comes
    bool verify = false;             ///< run again with twice the slices and the next seed, and compare
    bool quick = false;              ///< no nested sampling: peaks and importance sampling (infer::quick_sample)
};

/// Sample the posterior of `model` given `spectrum` and summarise it. `checkpointing` is as in infer::run_nested; the data
/// join its identity here. A quick fit uses of the sampler's options the seed only. Top-up, second opinion and verification are
/// made of converged runs, after them, and not checkpointed. Throws ConfigError for options that cannot work.
[[nodiscard]] Fit run_fit(std::shared_ptr<const Model> model, Spectrum spectrum, const FitOptions& options, Threads& threads,
                          const ProgressCallback& progress, const std::function<bool()>& stop_requested,
                          infer::Checkpointing checkpointing = {});

/// Summarise a run of `model` given `spectrum` that was made elsewhere, with a second opinion where it converged.
[[nodiscard]] Fit summarise_fit(std::shared_ptr<const Model> model, Spectrum spectrum, infer::NestedResult run,
                                const std::vector<DerivedDefinition>& derived, const MeasureDefinition& measure,
                                Threads& threads);

/// The model at `theta`, then every component with its parts, on `wavelength`; in products each component is multiplied by the
/// factors that stand around it, so that the curves of a sum add up to the model.
[[nodiscard]] Curve model_curve(const Model& model, const std::vector<double>& theta, const std::vector<double>& wavelength);
[[nodiscard]] std::vector<Curve> component_curves(const Model& model, const std::vector<double>& theta,
                                                  const std::vector<double>& wavelength);

/// "A_c0" for "amp_c0", "sigma_w0", ...: the symbol of a parameter in plain text with one underscore, for labels ("Δv_c").
[[nodiscard]] std::string parameter_symbol(const std::string& name);

}  // namespace aliquot::spectra
