#include "aliquot/infer/verdict.hpp"

#include <cmath>

#include "aliquot/core/format.hpp"

namespace aliquot::infer {

namespace {

constexpr double most_errors = 3.0;  ///< that two estimates of one number may be apart

}  // namespace

std::string_view to_string(EvidenceSource source) {
    return source == EvidenceSource::nested ? "nested sampling" : "importance sampling";
}

Verdict judge(const NestedResult& run, const std::optional<SecondOpinion>& opinion,
              const std::optional<Verification>& verification, const std::optional<PeakCheck>& peak) {
    Verdict verdict;
    verdict.log_evidence = run.log_evidence;
    verdict.log_evidence_error = run.log_evidence_error;
    if (run.method == Method::quick) {
        verdict.source = EvidenceSource::importance;
        verdict.why = "a quick fit makes no other estimate";
        verdict.reasons.emplace_back(
            "a quick fit has no nested sampling behind it: a mode that its search did not meet is missed");
        if (opinion && !opinion->reason.empty()) verdict.reasons.push_back(opinion->reason);
        return verdict;
    }
    verdict.why = "no other estimate was made";
    if (run.status != Status::converged) verdict.reasons.emplace_back("the run is not converged");
    if (chains_remember(run.diagnostics)) verdict.reasons.emplace_back("new points remember where their chains started");
    if (ranks_are_uneven(run.diagnostics)) verdict.reasons.emplace_back("insertion ranks are not uniform");

    bool agreed = false;
    if (verification && verification->status != Status::converged) {
        verdict.reasons.emplace_back("the run that was to verify it is not converged");
    } else if (verification) {
        const double gap = verification->log_evidence - run.log_evidence;
        agreed = std::abs(gap) <= most_errors * std::hypot(run.log_evidence_error, verification->log_evidence_error);
        if (!agreed) {
            verdict.contradicted = true;
            verdict.reasons.push_back(format("a run with twice the slices differs by {:+.2f} (errors {:.2f} and {:.2f})", gap,
                                             run.log_evidence_error, verification->log_evidence_error));
        }
    }
    if (opinion) {
        if (opinion->trusted) {
            agreed = agreed || !verification;
            verdict.source = EvidenceSource::importance;
            verdict.log_evidence = opinion->log_evidence;
            verdict.log_evidence_error = opinion->log_evidence_error;
            verdict.why = "its weights are even, it agrees with nested sampling, and its error is smaller";
            if (opinion->log_evidence_error >= run.log_evidence_error || verdict.contradicted) {
                verdict.source = EvidenceSource::nested;
                verdict.log_evidence = run.log_evidence;
                verdict.log_evidence_error = run.log_evidence_error;
                verdict.why = verdict.contradicted ? "importance sampling knows only what this run has found"
                                                   : "importance sampling is no more precise";
            }
        } else {
            verdict.why = format("importance sampling cannot be believed: {}", opinion->reason);
            if (opinion->disagrees) {
                verdict.contradicted = true;
                verdict.reasons.push_back(opinion->reason);
            }
        }
    }
    if (!agreed && !verdict.contradicted)
        verdict.reasons.push_back(opinion ? format("there is no second estimate to agree with: {}", opinion->reason)
                                          : "there is no second estimate to agree with");
    if (peak && peak->higher_elsewhere()) {
        verdict.contradicted = true;
        verdict.reasons.push_back(
            format("a search from points of the prior found a peak whose ln L is higher by {:.2f} than any that the run found",
                   peak->log_likelihood - peak->run_log_likelihood));
    }
    verdict.trusted = verdict.reasons.empty();
    return verdict;
}

}  // namespace aliquot::infer
