#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using io::escape_html;

std::string card(const std::string& value, const std::string& what) {
    return format("<div class=\"card\"><b>{}</b><span>{}</span></div>", value, what);
}

std::string badge(const std::string& flag) {
    if (flag.empty()) return "";
    const char* text = flag == "unconstrained" ? "not constrained: the posterior is the prior"
                       : flag == "edge-low"    ? "presses against the low end of its prior"
                                               : "presses against the high end of its prior";
    return format("<span class=\"badge{}\" title=\"{}\">{}</span>", flag == "unconstrained" ? " quiet" : "", text, flag);
}

std::string row(const std::string& what, const std::string& value, const std::string& meaning) {
    return format("<tr><td>{}</td><td class=\"n\">{}</td><td style=\"white-space:normal\">{}</td></tr>\n", what, value, meaning);
}

}  // namespace

std::string symbol_html(const std::string& symbol) {
    const std::size_t underscore = symbol.find('_');
    if (underscore == std::string::npos) return escape_html(symbol);
    return format("{}<sub>{}</sub>", escape_html(symbol.substr(0, underscore)), escape_html(symbol.substr(underscore + 1)));
}

std::string rounded(double value, double error) {
    if (!std::isfinite(value)) return "–";
    if (!(error > 0.0) || !std::isfinite(error)) return format("{:.6g}", value);
    const int decimals = 1 - static_cast<int>(std::floor(std::log10(error)));
    if (decimals > 8 || std::abs(value) >= 1e7) return format("{:.6g}", value);
    return format("{:.{}f}", value, std::max(0, decimals));
}

std::string unit_text(const Fit& fit, const std::string& unit) {
    if (unit == "flux") return fit.spectrum.flux_unit.empty() ? "flux unit" : fit.spectrum.flux_unit;
    if (unit == "Angstrom") return "Å";
    return unit;
}

std::string headline(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const std::size_t freedom = fit.spectrum.size() - fit.parameters.size();
    std::string html = format("<p class=\"note\">{}</p><div class=\"cards\">", escape_html(fit.spectrum.source));
    html += card(format("{} ± {}", rounded(run.log_evidence, run.log_evidence_error),
                        rounded(run.log_evidence_error, run.log_evidence_error)),
                 "ln Z, log-evidence");
    html += card(format("{:.1f} / {}", fit.chi2_best, freedom),
                 format("χ² / degrees of freedom = {:.3f}", fit.chi2_best / static_cast<double>(freedom)));
    html += card(format("{} px, {} parameters", fit.spectrum.size(), fit.parameters.size()), "data and model");
    html += card(format("{} in {}", format_count(static_cast<double>(run.likelihood_calls)), format_duration(run.seconds)),
                 "likelihood calls");
    html += card(run.status == infer::Status::converged
                     ? "converged"
                     : format("<span style=\"color:#9a2c10\">{}</span>", infer::to_string(run.status)),
                 format("seed {}, {} live points, Δ ln Z {:g}", run.seed, run.live_points, run.dlogz));
    html += "</div>";
    for (const std::string& warning : fit.warnings)
        html += format("<div class=\"warning\">{}</div>\n", escape_html(warning));
    return html;
}

std::string parameter_table(const Fit& fit) {
    std::string html =
        "<div class=\"scroll\"><table><thead><tr><th>component</th><th></th><th>name</th><th class=\"n\">median</th><th "
        "class=\"n\">− (16 %)</th><th class=\"n\">+ "
        "(84 %)</th><th class=\"n\">best fit</th><th>unit</th><th>prior</th><th>flag</th></tr></thead><tbody>\n";
    for (const ParameterSummary& p : fit.parameters) {
        const double error = 0.5 * (p.p84 - p.p16);
        const std::size_t colon = p.label.rfind(": ");
        html += format(
            "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
            "class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>"
            "<td>{}{}</td><td>{}</td></tr>\n",
            escape_html(colon == std::string::npos ? "" : p.label.substr(0, colon)),
            symbol_html(colon == std::string::npos ? p.label : p.label.substr(colon + 2)), escape_html(p.name),
            rounded(p.median, error), rounded(p.median - p.p16, error), rounded(p.p84 - p.median, error), rounded(p.best, error),
            p.unit == "flux" ? "flux" : unit_text(fit, p.unit), escape_html(p.prior), p.default_prior ? " (default)" : "",
            badge(p.flag));
    }
    html += "</tbody></table></div>";
    if (!fit.spectrum.flux_unit.empty()) html += format("<p class=\"note\">flux: {}</p>", escape_html(fit.spectrum.flux_unit));
    return html;
}

std::string other_parameters_table(const Fit& fit) {
    const std::vector<double> values = fit.model->expand(fit.theta_best);
    const auto& parameters = fit.model->parameters();
    std::string rows;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& p = parameters[i];
        if (p.free()) continue;
        std::string how = "fixed";
        if (p.tied_to) {
            how = "= " + parameters[*p.tied_to].full_name;
            if (p.tie_ratio != 1.0) how += format(" / {:g}", p.tie_ratio);
            if (p.tie_offset != 0.0) how += format(" {} {:g}", p.tie_offset < 0.0 ? "−" : "+", std::abs(p.tie_offset));
        }
        rows += format("<tr><td><code>{}</code></td><td class=\"n\">{:.7g}</td><td>{}</td><td>{}</td></tr>\n",
                       escape_html(p.full_name), values[i], p.unit == "flux" ? "flux" : unit_text(fit, p.unit), escape_html(how));
    }
    if (rows.empty()) return "";
    return "<details><summary>Fixed and tied parameters, at the best fit</summary><div class=\"scroll\"><table><tbody>\n" + rows +
           "</tbody></table></div></details>";
}

std::string diagnostics_table(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const infer::Diagnostics& d = run.diagnostics;
    std::string html = "<div class=\"scroll\"><table><tbody>\n";
    html += row("ln Z", format("{:.3f} ± {:.3f}", run.log_evidence, run.log_evidence_error),
                "mean and standard deviation over simulated volumes; the likelihood includes its normalisation");
    html += row("information H", format("{:.2f} nats", run.information), "how much the data narrowed the prior");
    html += row("insertion ranks", format("p = {:.3g}", d.insertion_rank_p_value),
                "new points must land uniformly among the live ones (Kolmogorov-Smirnov)");
    html += row("rank correlation", format("{:.4f} ± {:.4f}", d.rank_correlation, d.rank_correlation_error),
                "of start and end of the chains: above 0.01 they are too short");
    html += row("effective samples", format("{:.0f}", d.effective_samples), "equally weighted draws that the posterior is worth");
    html += row("evidence in live points", format("{:.2g}", d.live_fraction), "share that the final live points hold");
    html += row("slices per point", format("{:.1f}", d.slices_per_point),
                format("at {:.2f} likelihood calls each", d.calls_per_slice));
    html += row("iterations", format("{}", run.iterations), "points that died");
    if (d.nan_likelihoods > 0) html += row("NaN likelihoods", format("{}", d.nan_likelihoods), "counted as impossible");
    if (d.plateau_points > 0) html += row("points on plateaus", format("{}", d.plateau_points), "shared their ln L with another");
    html += row("evaluation", "", escape_html(fit.evaluation));
    return html + "</tbody></table></div>";
}

}  // namespace aliquot::spectra::report
