#include "app/fit_output.hpp"

#include <algorithm>
#include <cstdio>

#include "aliquot/core/progress.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/fit_file.hpp"
#include "aliquot/spectra/report.hpp"

namespace aliquot::app {

namespace {

/// Columns line up; one row per parameter.
void print_table(const spectra::Fit& fit, const std::filesystem::path& out) {
    std::printf("%s\n", fit.title.c_str());
    std::printf("%zu pixels, %zu parameters; %s\n\n", fit.spectrum.size(), fit.parameters.size(), fit.evaluation.c_str());
    std::size_t width = 9;
    for (const auto& p : fit.parameters)
        width = std::max(width, p.name.size());
    for (const auto& d : fit.derived)
        width = std::max(width, d.definition.name.size());
    std::printf("%-*s  %12s  %11s  %11s  %12s  %-8s  %s\n", static_cast<int>(width), "parameter", "median", "-1 sigma",
                "+1 sigma", "best fit", "unit", "flag");
    for (const auto& p : fit.parameters) {
        std::printf("%-*s  %12.6g  %11.3g  %11.3g  %12.6g  %-8s  %s\n", static_cast<int>(width), p.name.c_str(), p.median,
                    p.median - p.p16, p.p84 - p.median, p.best, p.unit.c_str(), p.flag.c_str());
    }
    for (const auto& p : fit.parameters) {
        if (p.presence)
            std::printf("%-*s  is there with probability %.4g, Bayes factor %.3g against %s\n", static_cast<int>(width),
                        p.name.c_str(), p.presence->probability, p.presence->bayes_factor, p.prior.c_str());
    }
    for (const auto& d : fit.derived) {
        std::printf("%-*s  %12.6g  %11.3g  %11.3g  %12.6g  %-8s  = %s\n", static_cast<int>(width), d.definition.name.c_str(),
                    d.median, d.median - d.p16, d.p84 - d.median, d.best, d.definition.unit.c_str(),
                    d.definition.expression.c_str());
    }
    const infer::Verdict& verdict = fit.verdict;
    std::printf("\nln Z      %.3f +- %.3f   by %s, %s   (information %.2f nats)\n", verdict.log_evidence,
                verdict.log_evidence_error, std::string(infer::to_string(verdict.source)).c_str(),
                verdict.trusted ? "trusted" : "not trusted", fit.run.information);
    if (verdict.source != infer::EvidenceSource::nested && fit.run.method == infer::Method::nested)
        std::printf("          %.3f +- %.3f   by nested sampling\n", fit.run.log_evidence, fit.run.log_evidence_error);
    if (fit.opinion && verdict.source != infer::EvidenceSource::importance)
        std::printf("          %.3f +- %.3f   by importance sampling (Pareto k %.2f)\n", fit.opinion->log_evidence,
                    fit.opinion->log_evidence_error, fit.opinion->pareto_k);
    if (fit.verification)
        std::printf("          %.3f +- %.3f   by a run with twice the slices\n", fit.verification->log_evidence,
                    fit.verification->log_evidence_error);
    for (const std::string& reason : verdict.reasons)
        std::printf("          not trusted: %s\n", reason.c_str());
    std::printf("best fit  chi2 %.2f for %zu pixels, ln L %.3f\n", fit.chi2_best, fit.spectrum.size(), fit.log_likelihood_best);
    std::printf("work      %llu likelihood calls, %s\n", static_cast<unsigned long long>(fit.run.likelihood_calls),
                format_duration(fit.run.seconds).c_str());
    std::printf("\nwrote %s, %s and %s\n", (out / "fit.fits").c_str(), (out / "summary.json").c_str(),
                (out / "report.html").c_str());
}

}  // namespace

void write_and_tell(const spectra::Fit& fit, const std::filesystem::path& out, const FitTelling& telling) {
    spectra::write_fit(fit, (out / "fit.fits").string());
    io::write_file(out / "summary.json", spectra::summary_json(fit));
    spectra::write_report(fit, (out / "report.html").string());
    if (telling.json) {
        std::fputs(spectra::summary_json(fit).c_str(), stdout);
    } else if (!telling.quiet) {
        print_table(fit, out);
    }
    if (telling.quiet) return;
    for (std::size_t i = telling.warnings_told; i < fit.warnings.size(); ++i)
        std::fprintf(stderr, "warning: %s\n", fit.warnings[i].c_str());
}

}  // namespace aliquot::app
