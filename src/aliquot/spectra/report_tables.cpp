#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using io::escape_html;

constexpr double clear_deviation = 5.0;  // of chi-square from its expectation, in its standard deviation
constexpr double few_effective_samples = 100.0;
constexpr std::size_t most_open_rows = 14;  // of the table of fixed and tied parameters

std::string card(const std::string& value, const std::string& what) {
    return format("<div class=\"card\"><b>{}</b><span>{}</span></div>", value, what);
}

struct Flag {
    const char* name;
    const char* style;
    const char* meaning;
};

constexpr Flag flags[]{
    {"edge-low", "badge", "presses against the low end of its prior: the answer depends on where that end was set"},
    {"edge-high", "badge", "presses against the high end of its prior: the answer depends on where that end was set"},
    {"unconstrained", "badge quiet", "the data say next to nothing about it: the posterior is the prior"}};

std::string badge(const std::string& name) {
    const auto* const found = std::find_if(std::begin(flags), std::end(flags), [&](const Flag& f) { return f.name == name; });
    if (found == std::end(flags)) return escape_html(name);
    return format("<span class=\"{}\" title=\"{}\">{}</span>", found->style, found->meaning, found->name);
}

/// What chi-square says about the errors and the model, compared with the noise that its degrees of freedom leave it.
std::string chi_square_verdict(double chi_square, double freedom) {
    if (freedom <= 0.0) return "There are no more pixels than free parameters: χ² says nothing about the fit.";
    const double deviation = (chi_square - freedom) / std::sqrt(2.0 * freedom);
    if (deviation > clear_deviation)
        return "χ² is larger than noise alone makes it: the model misses something, or the errors are too small.";
    if (deviation < -clear_deviation)
        return "χ² is smaller than independent noise makes it: the errors are too large, or neighbouring pixels are not "
               "independent.";
    return "χ² is what noise of the given errors makes it.";
}

std::string row(const std::string& what, const std::string& value, const std::string& meaning) {
    return format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"wrap\">{}</td></tr>\n", what, value, meaning);
}

std::string with_error(double value, double error) {
    const int digits = error < 0.01 ? 4 : 3;
    const std::string around = std::isfinite(error) ? format("{:.{}f}", error, digits) : "–";
    return typeset(format("{:.{}f} ± {}", value, digits, around));
}

std::string evidence_verdict(const Fit& fit) {
    const infer::Verdict& verdict = fit.verdict;
    std::string html = format("<p>Quoted: ln Z = {}, by {} ({}). ", with_error(verdict.log_evidence, verdict.log_evidence_error),
                              infer::to_string(verdict.source), escape_html(verdict.why));
    if (verdict.trusted) return html + "It is trusted: the run's diagnostics are clean and a second estimate agrees.</p>\n";
    html += "It is <b>not trusted</b>:</p><ul>";
    for (const std::string& reason : verdict.reasons)
        html += format("<li>{}</li>", escape_html(reason));
    if (fit.run.method == infer::Method::quick)
        return html + "</ul><p class=\"note\">aliquot fit without --quick samples the whole prior.</p>\n";
    return html + "</ul><p class=\"note\">aliquot fit --verify runs again with twice the slices and compares.</p>\n";
}

std::string short_unit(const Fit& fit, const std::string& unit) {
    return unit == "flux" ? "flux" : escape_html(unit_of(fit, unit));
}

}  // namespace

std::string headline(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const double freedom = static_cast<double>(fit.spectrum.size()) - static_cast<double>(fit.parameters.size());
    const bool converged = run.status == infer::Status::converged;
    std::string html = format("<p class=\"note\">{}</p><div class=\"cards\">", escape_html(fit.spectrum.source));
    if (run.method == infer::Method::quick)
        html += card("<span class=\"bad\">quick fit</span>", "peaks and importance sampling, no nested sampling");
    else
        html +=
            card(format("<span class=\"{}\">{}</span>", converged ? "good" : "bad", converged ? "converged" : "not converged"),
                 converged ? format("to Δ ln Z = {:g} with {} live points", run.dlogz, run.live_points)
                           : format("{}: what was found so far", infer::to_string(run.status)));
    const infer::Verdict& verdict = fit.verdict;
    html += card(format("{} ± {}", rounded(verdict.log_evidence, verdict.log_evidence_error),
                        rounded(verdict.log_evidence_error, verdict.log_evidence_error)),
                 format("ln Z by {}, <span class=\"{}\">{}</span>", infer::to_string(verdict.source),
                        verdict.trusted ? "good" : "bad", verdict.trusted ? "trusted" : "not trusted"));
    html += card(freedom > 0.0 ? format("{:.3f}", fit.chi2_best / freedom) : "–",
                 format("χ² / degrees of freedom = {:.1f} / {}", fit.chi2_best, typeset(format("{:.0f}", freedom))));
    html += card(format("{} pixels", fit.spectrum.size()), format("{} free parameters", fit.parameters.size()));
    html += card(format_duration(run.seconds),
                 format("{} likelihood calls", format_count(static_cast<double>(run.likelihood_calls))));
    html += format("</div><p>{}</p>\n", chi_square_verdict(fit.chi2_best, freedom));
    std::vector<std::string> warnings = fit.warnings;
    if (run.diagnostics.effective_samples < few_effective_samples)
        warnings.push_back(
            format("the posterior is worth only {:.0f} independent draw(s): do not trust its medians, errors and pictures",
                   run.diagnostics.effective_samples));
    if (warnings.empty()) return html;
    html += "<div class=\"warning\"><b>Warnings</b><ul>\n";
    for (const std::string& warning : warnings)
        html += format("<li>{}</li>\n", escape_html(warning));
    return html + "</ul></div>\n";
}

namespace {

std::string presence_text(const ParameterSummary::Presence& presence) {
    if (!std::isfinite(presence.bayes_factor)) return "there in every sample";
    return format("there with probability {:.3g}, Bayes factor {:.3g}", presence.probability, presence.bayes_factor);
}

}  // namespace

std::string parameter_table(const Fit& fit) {
    std::string html =
        "<div class=\"scroll\"><table><thead><tr><th>component</th><th></th><th>name</th><th class=\"n\">median</th><th></th>"
        "<th class=\"n\">16 %</th><th class=\"n\">84 %</th><th class=\"n\">best fit</th><th>unit</th><th>prior</th><th>flag</th>"
        "</tr></thead><tbody>\n";
    std::string last;
    for (const ParameterSummary& p : fit.parameters) {
        const double error = 0.5 * (p.p84 - p.p16);
        const auto [component, symbol] = split_label(p);
        html += format(
            "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td class=\"n\"><b>{}</b></td><td class=\"error\">+{} −{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}{}</td><td>{}</td></tr>\n",
            component == last ? "" : component, symbol, escape_html(p.name), rounded(p.median, error),
            rounded(p.p84 - p.median, error), rounded(p.median - p.p16, error), rounded(p.p16, error), rounded(p.p84, error),
            rounded(p.best, error), short_unit(fit, p.unit), escape_html(p.prior),
            p.default_prior ? " <span class=\"badge quiet\" title=\"no prior was given: set by rule\">default</span>" : "",
            p.presence ? presence_text(*p.presence) : badge(p.flag));
        last = component;
    }
    html += format("</tbody></table></div>\n<p class=\"note\">flux: {}", escape_html(unit_of(fit, "flux")));
    for (const Flag& flag : flags) {
        if (std::any_of(fit.parameters.begin(), fit.parameters.end(), [&](const auto& p) { return p.flag == flag.name; }))
            html += format("<br><span class=\"{}\">{}</span> {}", flag.style, flag.name, flag.meaning);
    }
    return html + "</p>\n";
}

std::string derived_table(const Fit& fit) {
    if (fit.derived.empty()) return "";
    std::string html =
        "<h3>Derived quantities</h3>\n<div class=\"scroll\"><table><thead><tr><th>name</th><th class=\"n\">median</th><th></th>"
        "<th class=\"n\">16 %</th><th class=\"n\">84 %</th><th class=\"n\">best fit</th><th>unit</th><th>expression</th>"
        "</tr></thead><tbody>\n";
    for (const DerivedSummary& d : fit.derived) {
        const double error = 0.5 * (d.p84 - d.p16);
        html += format(
            "<tr><td><code>{}</code></td><td class=\"n\"><b>{}</b></td><td class=\"error\">+{} −{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
            escape_html(d.definition.name), rounded(d.median, error), rounded(d.p84 - d.median, error),
            rounded(d.median - d.p16, error), rounded(d.p16, error), rounded(d.p84, error), rounded(d.best, error),
            escape_html(d.definition.unit), escape_html(d.definition.expression));
    }
    return html + "</tbody></table></div>\n";
}

std::string measured_table(const Fit& fit) {
    if (fit.measured.empty()) return "";
    std::string html =
        "<h3>Lines and continua, measured on the posterior</h3>\n<div "
        "class=\"scroll\"><table><thead><tr><th></th><th>quantity</th>"
        "<th class=\"n\">median</th><th></th><th class=\"n\">16 %</th><th class=\"n\">84 %</th><th class=\"n\">best fit</th>"
        "<th>unit</th></tr></thead><tbody>\n";
    std::string last;
    for (const MeasuredSummary& m : fit.measured) {
        const double error = 0.5 * (m.p84 - m.p16);
        html += format(
            "<tr><td>{}</td><td>{}</td><td class=\"n\"><b>{}</b></td><td class=\"error\">+{} −{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
            m.measured.of == last ? "" : escape_html(m.measured.of), m.measured.quantity, rounded(m.median, error),
            rounded(m.p84 - m.median, error), rounded(m.median - m.p16, error), rounded(m.p16, error), rounded(m.p84, error),
            rounded(m.best, error), escape_html(m.measured.unit));
        last = m.measured.of;
    }
    return html +
           "</tbody></table></div>\n<p class=\"note\">As the lines leave the source: without the line-spread function. Flux by "
           "integration over wavelength in the spectrum's frame, fwhm of the whole profile, velocity and dispersion its first "
           "and "
           "second moments, ew over the continuum at the rest wavelength.</p>\n";
}

std::string other_parameters_table(const Fit& fit) {
    const std::vector<double> values = fit.model->expand(fit.theta_best);
    const auto& parameters = fit.model->parameters();
    std::string rows;
    std::size_t count = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& p = parameters[i];
        if (p.free()) continue;
        std::string how = "fixed";
        if (p.tied_to) {
            how = format("= <code>{}</code>", escape_html(parameters[*p.tied_to].full_name));
            if (p.tie_ratio != 1.0) how += format(" / {:g}", p.tie_ratio);
            if (p.tie_offset != 0.0) how += format(" {} {:g}", p.tie_offset < 0.0 ? "−" : "+", std::abs(p.tie_offset));
        }
        rows += format("<tr><td><code>{}</code></td><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_html(p.full_name), typeset(format("{:.7g}", values[i])), short_unit(fit, p.unit), how);
        ++count;
    }
    if (rows.empty()) return "";
    return format(
        "<details{}><summary>Fixed and tied parameters at the best fit</summary><div class=\"scroll\"><table><tbody>\n{}"
        "</tbody></table></div></details>\n",
        count <= most_open_rows ? " open" : "", rows);
}

namespace {

/// What only nested sampling has.
std::string nested_rows(const infer::NestedResult& run) {
    const infer::Diagnostics& d = run.diagnostics;
    std::string html = row("insertion ranks", format("p = {:.2g}", d.insertion_rank_p_value),
                           "new points must land evenly among the live ones (Kolmogorov-Smirnov test): suspicious below 0.001");
    html += row("rank correlation", typeset(format("{:.4f}", d.rank_correlation)) + format(" ± {:.4f}", d.rank_correlation_error),
                "between start and end of the chains that make new points: above 0.01 the chains are too short");
    html += row("evidence in live points", format("{:.2g}", d.live_fraction),
                "share that the final live points hold: small where the run went to its end");
    html += row("slices per point", format("{:.1f}", d.slices_per_point),
                format("moves that a new point takes, at {:.2f} likelihood calls each", d.calls_per_slice));
    if (d.amplitude_rounds > 0)
        html += row("amplitude rounds", format("{}", d.amplitude_rounds),
                    "moves of the amplitudes alone, by exact conditional draws; each takes a matrix instead of likelihood calls");
    if (d.leaps > 0)
        html += row("leaps", format("{}", d.leaps), "of chains between separate modes, which keep the modes' shares right");
    return html +
           row("iterations", format("{}", run.iterations), format("points that died, {} at a time alive", run.live_points));
}

}  // namespace

std::string diagnostics_table(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const infer::Diagnostics& d = run.diagnostics;
    const bool nested = run.method == infer::Method::nested;
    std::string html = evidence_verdict(fit) + "<div class=\"scroll\"><table><tbody>\n";
    if (nested)
        html += row("ln Z, nested sampling", with_error(run.log_evidence, run.log_evidence_error),
                    "log-evidence: mean and standard deviation over simulated prior volumes; the likelihood includes its "
                    "normalisation. Compare models fitted to the same pixels by the difference of their ln Z");
    if (fit.opinion) {
        const infer::SecondOpinion& o = *fit.opinion;
        html +=
            row("ln Z, importance sampling", with_error(o.log_evidence, o.log_evidence_error),
                format("from a mixture of t densities fitted to the posterior: Pareto k of the weights {:.2f} (below 0.5 they "
                       "can be trusted), worth {:.0f} samples (1000 are asked for)",
                       o.pareto_k, o.effective_samples));
        if (nested)
            html += row("ln Z, bridge", typeset(format("{:.3f}", o.bridge_log_evidence)),
                        "between that mixture and posterior samples kept apart: less sensitive to thin tails");
    }
    if (fit.verification)
        html +=
            row("ln Z, verification", with_error(fit.verification->log_evidence, fit.verification->log_evidence_error),
                format("a run with {:.0f} slices per point and seed {}{}", fit.verification->slices_per_point,
                       fit.verification->seed, fit.verification->status == infer::Status::converged ? "" : ", not converged"));
    html += row("ln L at the best fit", typeset(format("{:.3f}", fit.log_likelihood_best)),
                format("χ² = {:.3f} for {} pixels", fit.chi2_best, fit.spectrum.size()));
    html += row("information H", format("{:.2f} nats", run.information), "how far the data narrowed the prior");
    html += row("effective samples", format("{:.0f}", d.effective_samples),
                "how many independent draws the weighted posterior is worth");
    if (nested) html += nested_rows(run);
    html += row("likelihood calls", format("{}", run.likelihood_calls), escape_html(fit.evaluation));
    if (d.nan_likelihoods > 0) html += row("NaN likelihoods", format("{}", d.nan_likelihoods), "counted as impossible");
    if (d.failed_slices > 0)
        html += row("failed slices", format("{}", d.failed_slices), "found no new point and kept the old one");
    if (d.plateau_points > 0) html += row("points on plateaus", format("{}", d.plateau_points), "shared their ln L with another");
    return html + "</tbody></table></div>\n";
}

}  // namespace aliquot::spectra::report
