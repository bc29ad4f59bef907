#include "aliquot/spectra/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "aliquot/core/fnv_hash.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/infer/quick.hpp"
#include "aliquot/infer/top_up.hpp"
#include "aliquot/spectra/problem.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t measured_draws = 1000;

/// The posterior of a spike against its slab; nothing for other priors.
std::optional<ParameterSummary::Presence> presence_of(const infer::Prior& prior, const infer::NestedResult& run,
                                                      std::size_t parameter) {
    const double p = prior.p_spike();
    if (!(p > 0.0)) return {};
    double off = 0.0;
    for (std::size_t i = 0; i < run.log_weight.size(); ++i)
        off += run.unit_samples(i, parameter) < p ? std::exp(run.log_weight[i]) : 0.0;
    off = std::min(off, 1.0);
    return ParameterSummary::Presence{1.0 - off, (1.0 - off) / off * p / (1.0 - p)};
}

std::vector<ParameterSummary> summarise_parameters(const Model& model, const infer::NestedResult& run,
                                                   std::span<const double> theta_best) {
    const std::vector<infer::ParameterFlag> flags = infer::parameter_flags(run);
    std::vector<ParameterSummary> summaries;
    for (std::size_t i = 0; i < model.dimension(); ++i) {
        const Parameter& parameter = model.parameters()[model.free()[i]];
        const std::vector<double> quantiles =
            infer::weighted_quantiles(infer::column(run.samples, i), run.log_weight, std::vector<double>{0.16, 0.5, 0.84});
        const std::string component = parameter.full_name.substr(0, parameter.full_name.find('.'));
        const auto leaf =
            std::find_if(model.leaves().begin(), model.leaves().end(), [&](const Model::Leaf& l) { return l.name == component; });
        summaries.push_back({.name = parameter.full_name,
                             .short_name = parameter.short_name,
                             .label = format("{}: {}", leaf->label, parameter_symbol(parameter.name)),
                             .unit = parameter.unit,
                             .median = quantiles[1],
                             .p16 = quantiles[0],
                             .p84 = quantiles[2],
                             .best = theta_best[i],
                             .prior = parameter.prior->describe(),
                             .default_prior = parameter.default_prior,
                             .flag = parameter.prior->p_spike() > 0.0 ? "" : std::string(infer::to_string(flags[i])),
                             .presence = presence_of(*parameter.prior, run, i)});
    }
    return summaries;
}

/// Quantiles over the finite values, weights as logarithms.
QuantitySummary summarise_quantity(const std::vector<double>& values, std::span<const double> log_weight, double best) {
    QuantitySummary summary;
    summary.best = best;
    std::vector<double> finite;
    std::vector<double> finite_weight;
    double total = 0.0;
    double undefined = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = std::exp(log_weight[i]);
        total += weight;
        if (std::isfinite(values[i])) {
            finite.push_back(values[i]);
            finite_weight.push_back(log_weight[i]);
        } else {
            undefined += weight;
        }
    }
    summary.share_undefined = undefined / total;
    summary.median = summary.p16 = summary.p84 = std::numeric_limits<double>::quiet_NaN();
    if (finite.empty()) return summary;
    const std::vector<double> quantiles = infer::weighted_quantiles(finite, finite_weight, std::vector<double>{0.16, 0.5, 0.84});
    summary.p16 = quantiles[0];
    summary.median = quantiles[1];
    summary.p84 = quantiles[2];
    return summary;
}

DerivedSummary summarise_derived(const DerivedDefinition& definition, const Model& model, const infer::NestedResult& run,
                                 std::span<const double> theta_best) {
    std::vector<double> values = evaluate_derived(definition, model, run.samples.view());
    const double best = evaluate_derived(definition, model, {theta_best.data(), 1, theta_best.size()}).front();
    const QuantitySummary summary = summarise_quantity(values, run.log_weight, best);
    return {summary, definition, std::move(values)};
}

/// Measure lines and continua at equally weighted draws and at the best fit.
void measure_fit(const MeasureDefinition& definition, const Model& model, Threads& threads, Fit& fit) {
    const auto draws =
        std::clamp(static_cast<std::size_t>(infer::effective_samples(fit.run.log_weight)), std::size_t{1}, measured_draws);
    fit.measured_rows = infer::equal_weight_rows(fit.run.log_weight, draws, fit.run.seed);
    Matrix<double> theta(0, fit.run.dimension);
    for (const std::size_t row : fit.measured_rows)
        theta.append_row(fit.run.samples.row(row));
    theta.append_row(fit.theta_best);
    const std::vector<double> equal(fit.measured_rows.size(), 0.0);
    for (Measured& measured : measure(definition, model, std::as_const(theta).view(), threads)) {
        const double best = measured.values.back();
        measured.values.pop_back();
        const QuantitySummary summary = summarise_quantity(measured.values, equal, best);
        fit.measured.push_back({summary, std::move(measured)});
    }
}

std::vector<std::string> warnings(const Fit& fit) {
    std::vector<std::string> all = fit.run.diagnostics.warnings;
    if (fit.verdict.contradicted)
        all.insert(all.begin(),
                   format("do not trust ln Z: {}; raise sampler.slices_per_dimension or nlive", fit.verdict.reasons.back()));
    for (const ParameterSummary& p : fit.parameters) {
        if (p.flag == "edge-low" || p.flag == "edge-high")
            all.push_back(format("{} presses against the {} end of its prior {}: the answer depends on where that end was set",
                                 p.name, p.flag == "edge-low" ? "low" : "high", p.prior));
        if (p.flag == "unconstrained")
            all.push_back(format("{} is not constrained by the data: its posterior is its prior {}", p.name, p.prior));
    }
    for (const DerivedSummary& d : fit.derived) {
        if (d.share_undefined > 0.0)
            all.push_back(format("{} is not a number in {:.2g} of the posterior, which its quantiles leave out: look at \"{}\"",
                                 d.definition.name, d.share_undefined, d.definition.expression));
    }
    return all;
}

/// The run again, with twice the slices and the next seed.
infer::Verification verify(const SpectralProblem& problem, infer::NestedOptions options, Threads& threads,
                           const ProgressCallback& progress, const std::function<bool()>& stop_requested) {
    options.slices_per_dimension *= 2.0;
    ++options.seed;
    const infer::NestedResult run = infer::run_nested(problem, options, threads, progress, stop_requested);
    return {run.status,   run.log_evidence,    run.log_evidence_error, run.diagnostics.slices_per_point,
            options.seed, run.likelihood_calls};
}

infer::SecondOpinion ask_again(const SpectralProblem& problem, const infer::NestedResult& run, Threads& threads) {
    infer::ImportanceOptions options;
    options.seed = run.seed;
    return infer::second_opinion(problem, run, options, threads);
}

/// The parameters at the highest ln L: the polished peak, or the best sample of a run that was not polished.
std::vector<double> best_theta(const SpectralProblem& problem, const infer::NestedResult& run,
                               const std::optional<infer::PeakCheck>& peak) {
    std::vector<double> theta(run.dimension);
    if (peak) {
        problem.transform({peak->unit.data(), 1, run.dimension}, {theta.data(), 1, run.dimension});
        return theta;
    }
    const auto best = static_cast<std::size_t>(std::max_element(run.log_likelihood.begin(), run.log_likelihood.end()) -
                                               run.log_likelihood.begin());
    const auto row = run.samples.row(best);
    theta.assign(row.begin(), row.end());
    return theta;
}

Fit summarise(std::shared_ptr<const Model> model, Spectrum spectrum, const SpectralProblem& problem, infer::NestedResult run,
              std::optional<infer::SecondOpinion> opinion, std::optional<infer::Verification> verification,
              const std::vector<DerivedDefinition>& derived, const MeasureDefinition& measure, Threads& threads) {
    Fit fit;
    fit.run = std::move(run);
    fit.opinion = std::move(opinion);
    fit.verification = verification;
    if (fit.run.status == infer::Status::converged)
        fit.peak = infer::check_peak(problem, *problem.least_squares(), fit.run, threads);
    fit.verdict = infer::judge(fit.run, fit.opinion, fit.verification, fit.peak);
    fit.theta_best = best_theta(problem, fit.run, fit.peak);
    fit.chi2_best = problem.chi_square(fit.theta_best);
    fit.log_likelihood_best = problem.log_normalisation() - 0.5 * fit.chi2_best;
    fit.evaluation = problem.evaluator().describe();
    fit.parameters = summarise_parameters(*model, fit.run, fit.theta_best);
    for (const DerivedDefinition& definition : derived)
        fit.derived.push_back(summarise_derived(definition, *model, fit.run, fit.theta_best));
    measure_fit(measure, *model, threads, fit);
    fit.model = std::move(model);
    fit.spectrum = std::move(spectrum);
    fit.warnings = warnings(fit);
    return fit;
}

/// "533 pixels, hash ..."
std::string fingerprint(const Spectrum& spectrum) {
    FnvHash hash;
    hash.add(spectrum.wavelength_angstrom);
    hash.add(spectrum.flux);
    hash.add(spectrum.error);
    return format("{} pixels with hash {:016x}", spectrum.size(), hash.value());
}

}  // namespace

Fit run_fit(std::shared_ptr<const Model> model, Spectrum spectrum, const FitOptions& options, Threads& threads,
            const ProgressCallback& progress, const std::function<bool()>& stop_requested, infer::Checkpointing checkpointing) {
    const SpectralProblem problem(*model, spectrum);
    if (options.quick) {
        infer::QuickOptions quick;
        quick.seed = options.sampler.seed;
        infer::QuickResult result = infer::quick_sample(problem, quick, threads);
        return summarise(std::move(model), std::move(spectrum), problem, std::move(result.run), std::move(result.estimate), {},
                         options.derived, options.measure, threads);
    }
    checkpointing.identity.push_back({"data", fingerprint(spectrum)});
    infer::NestedResult run = infer::run_nested(problem, options.sampler, threads, progress, stop_requested, checkpointing);
    if (options.effective_samples > 0.0)
        run =
            infer::top_up(problem, std::move(run), options.sampler, options.effective_samples, threads, progress, stop_requested);
    const bool converged = run.status == infer::Status::converged;
    std::optional<infer::SecondOpinion> opinion;
    if (options.second_opinion && converged) opinion = ask_again(problem, run, threads);
    std::optional<infer::Verification> verification;
    if (options.verify && converged) verification = verify(problem, options.sampler, threads, progress, stop_requested);
    return summarise(std::move(model), std::move(spectrum), problem, std::move(run), std::move(opinion), verification,
                     options.derived, options.measure, threads);
}

Fit summarise_fit(std::shared_ptr<const Model> model, Spectrum spectrum, infer::NestedResult run,
                  const std::vector<DerivedDefinition>& derived, const MeasureDefinition& measure, Threads& threads) {
    const SpectralProblem problem(*model, spectrum);
    std::optional<infer::SecondOpinion> opinion;
    if (run.status == infer::Status::converged) opinion = ask_again(problem, run, threads);
    return summarise(std::move(model), std::move(spectrum), problem, std::move(run), std::move(opinion), {}, derived, measure,
                     threads);
}

}  // namespace aliquot::spectra
