#include <cmath>
#include <nlohmann/json.hpp>

#include "aliquot/core/version.hpp"
#include "aliquot/spectra/fit_file.hpp"

namespace aliquot::spectra {

namespace {

/// JSON knows no NaN and no infinity: null stands for both.
nlohmann::ordered_json number(double value) {
    if (!std::isfinite(value)) return nullptr;
    return value;
}

nlohmann::ordered_json diagnostics_json(const infer::Diagnostics& d) {
    return {{"insertion_rank_p_value", number(d.insertion_rank_p_value)},
            {"rank_correlation", number(d.rank_correlation)},
            {"rank_correlation_error", number(d.rank_correlation_error)},
            {"calls_per_slice", number(d.calls_per_slice)},
            {"slices_per_point", number(d.slices_per_point)},
            {"live_fraction", number(d.live_fraction)},
            {"effective_samples", number(d.effective_samples)},
            {"nan_likelihoods", d.nan_likelihoods},
            {"failed_slices", d.failed_slices},
            {"amplitude_rounds", d.amplitude_rounds},
            {"leaps", d.leaps},
            {"plateau_points", d.plateau_points},
            {"warnings", d.warnings}};
}

/// What Levenberg-Marquardt says about the highest ln L; null for a run that was not polished.
nlohmann::ordered_json peak_json(const Fit& fit) {
    if (!fit.peak) return nullptr;
    return {{"log_likelihood", number(fit.peak->log_likelihood)},
            {"reached_from_the_run", number(fit.peak->run_log_likelihood)},
            {"higher_elsewhere", fit.peak->higher_elsewhere()}};
}

nlohmann::ordered_json evidence_json(const Fit& fit) {
    const infer::Verdict& verdict = fit.verdict;
    nlohmann::ordered_json evidence = {{"log_evidence", number(verdict.log_evidence)},
                                       {"log_evidence_error", number(verdict.log_evidence_error)},
                                       {"source", infer::to_string(verdict.source)},
                                       {"why", verdict.why},
                                       {"trusted", verdict.trusted},
                                       {"reasons", verdict.reasons}};
    if (fit.run.method == infer::Method::nested)
        evidence["nested"] = {{"log_evidence", number(fit.run.log_evidence)},
                              {"log_evidence_error", number(fit.run.log_evidence_error)}};
    if (fit.opinion) {
        const infer::SecondOpinion& o = *fit.opinion;
        evidence["importance"] = {{"log_evidence", number(o.log_evidence)}, {"log_evidence_error", number(o.log_evidence_error)},
                                  {"pareto_k", number(o.pareto_k)},         {"effective_samples", number(o.effective_samples)},
                                  {"uncovered", number(o.uncovered)},       {"likelihood_calls", o.likelihood_calls}};
        evidence["bridge"] = {{"log_evidence", number(o.bridge_log_evidence)}};
    }
    if (fit.verification) {
        const infer::Verification& v = *fit.verification;
        evidence["verification"] = {{"status", infer::to_string(v.status)},
                                    {"log_evidence", number(v.log_evidence)},
                                    {"log_evidence_error", number(v.log_evidence_error)},
                                    {"slices_per_point", number(v.slices_per_point)},
                                    {"seed", v.seed},
                                    {"likelihood_calls", v.likelihood_calls}};
    }
    return evidence;
}

}  // namespace

std::string summary_json(const Fit& fit) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const ParameterSummary& p : fit.parameters) {
        parameters.push_back({{"name", p.name},
                              {"unit", p.unit},
                              {"median", number(p.median)},
                              {"p16", number(p.p16)},
                              {"p84", number(p.p84)},
                              {"best", number(p.best)},
                              {"prior", p.prior},
                              {"default_prior", p.default_prior},
                              {"flag", p.flag}});
        if (p.presence)
            parameters.back()["presence"] = {{"probability", p.presence->probability},
                                             {"bayes_factor", number(p.presence->bayes_factor)}};
    }
    nlohmann::ordered_json derived = nlohmann::ordered_json::array();
    for (const DerivedSummary& d : fit.derived) {
        derived.push_back({{"name", d.definition.name},
                           {"expression", d.definition.expression},
                           {"unit", d.definition.unit},
                           {"median", number(d.median)},
                           {"p16", number(d.p16)},
                           {"p84", number(d.p84)},
                           {"best", number(d.best)},
                           {"share_undefined", number(d.share_undefined)}});
    }
    nlohmann::ordered_json measured = nlohmann::ordered_json::array();
    for (const MeasuredSummary& m : fit.measured) {
        measured.push_back({{"of", m.measured.of},
                            {"quantity", m.measured.quantity},
                            {"unit", m.measured.unit},
                            {"median", number(m.median)},
                            {"p16", number(m.p16)},
                            {"p84", number(m.p84)},
                            {"best", number(m.best)},
                            {"share_undefined", number(m.share_undefined)}});
    }
    const infer::NestedResult& run = fit.run;
    const nlohmann::ordered_json summary = {{"version", version},
                                            {"title", fit.title},
                                            {"source", fit.spectrum.source},
                                            {"status", infer::to_string(run.status)},
                                            {"quick", run.method == infer::Method::quick},
                                            {"seed", run.seed},
                                            {"n_pixels", fit.spectrum.size()},
                                            {"n_parameters", run.dimension},
                                            {"nlive", run.live_points},
                                            {"dlogz", run.dlogz},
                                            {"log_evidence", number(run.log_evidence)},
                                            {"log_evidence_error", number(run.log_evidence_error)},
                                            {"trusted", fit.verdict.trusted},
                                            {"evidence", evidence_json(fit)},
                                            {"information", number(run.information)},
                                            {"iterations", run.iterations},
                                            {"likelihood_calls", run.likelihood_calls},
                                            {"seconds", run.seconds},
                                            {"chi2_best", number(fit.chi2_best)},
                                            {"log_likelihood_best", number(fit.log_likelihood_best)},
                                            {"peak", peak_json(fit)},
                                            {"evaluation", fit.evaluation},
                                            {"parameters", parameters},
                                            {"derived", derived},
                                            {"measured", measured},
                                            {"diagnostics", diagnostics_json(run.diagnostics)},
                                            {"warnings", fit.warnings},
                                            {"history", fit.spectrum.history}};
    return summary.dump(2) + "\n";
}

}  // namespace aliquot::spectra
