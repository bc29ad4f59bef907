#include "evidence/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/verdict.hpp"

namespace aliquot::bench {

Calibration calibrate(const EvidenceProblem& problem, std::size_t seeds, Threads& threads, double slices_per_dimension,
                      bool second_opinion) {
    const auto likelihood = problem.make();
    Calibration c;
    std::vector<double> errors;
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
        infer::NestedOptions options;
        options.live_points = problem.live_points;
        options.dlogz = problem.dlogz;
        options.seed = seed;
        if (slices_per_dimension > 0.0) options.slices_per_dimension = slices_per_dimension;
        const infer::NestedResult run = infer::run_nested(*likelihood, options, threads);
        errors.push_back(run.log_evidence - problem.truth);
        c.quoted_error += run.log_evidence_error / static_cast<double>(seeds);
        c.calls += static_cast<double>(run.likelihood_calls) / static_cast<double>(seeds);
        c.seconds += run.seconds / static_cast<double>(seeds);
        const auto& warnings = run.diagnostics.warnings;
        c.flagged += std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
            return text.find("rank") != std::string::npos || text.find("not converged") != std::string::npos;
        });
        if (!second_opinion) continue;
        infer::ImportanceOptions importance;
        importance.seed = seed;
        const infer::SecondOpinion opinion = infer::second_opinion(*likelihood, run, importance, threads);
        const double error = opinion.log_evidence - problem.truth;
        const bool right = std::abs(error) < 3.0 * std::hypot(opinion.log_evidence_error, problem.truth_error);
        c.opinion_mean_error += error / static_cast<double>(seeds);
        c.opinion_quoted_error += opinion.log_evidence_error / static_cast<double>(seeds);
        c.opinion_right += right ? 1 : 0;
        c.opinion_trusted += opinion.trusted ? 1 : 0;
        c.opinion_trusted_right += opinion.trusted && right ? 1 : 0;
        const infer::Verdict verdict = infer::judge(run, opinion, {});
        const bool quoted_right =
            std::abs(verdict.log_evidence - problem.truth) < 3.0 * std::hypot(verdict.log_evidence_error, problem.truth_error);
        c.trusted += verdict.trusted ? 1 : 0;
        c.trusted_right += verdict.trusted && quoted_right ? 1 : 0;
        c.doubted_wrong += !verdict.trusted && !quoted_right ? 1 : 0;
    }
    for (const double e : errors)
        c.mean_error += e / static_cast<double>(seeds);
    double variance = 0.0;
    for (const double e : errors)
        variance += (e - c.mean_error) * (e - c.mean_error) / std::max(1.0, static_cast<double>(seeds) - 1.0);
    c.standard_error = std::sqrt(variance / static_cast<double>(seeds));
    c.scatter_over_quoted = std::sqrt(variance) / c.quoted_error;
    return c;
}

}  // namespace aliquot::bench
