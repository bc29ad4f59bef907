#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aliquot/infer/importance.hpp"
#include "aliquot/infer/nested_result.hpp"
#include "aliquot/infer/peaks.hpp"

namespace aliquot::infer {

/// A second run of nested sampling with twice the slices and another seed: what the first one must agree with.
struct Verification {
    Status status = Status::converged;
    double log_evidence = 0.0;
    double log_evidence_error = 0.0;
    double slices_per_point = 0.0;
    std::uint64_t seed = 0;
    std::uint64_t likelihood_calls = 0;
};

enum class EvidenceSource { nested, importance };

/// "nested sampling", "importance sampling"
[[nodiscard]] std::string_view to_string(EvidenceSource source);

/// Which evidence of a run is quoted, and whether it is to be believed.
struct Verdict {
    EvidenceSource source = EvidenceSource::nested;
    double log_evidence = 0.0;
    double log_evidence_error = 0.0;
    std::string why;  ///< this one is quoted
    /// The run's own diagnostics are clean, and a second estimate agrees: importance sampling whose weights can be trusted, or a
    /// verification.
    bool trusted = false;
    std::vector<std::string> reasons;  ///< why it is not trusted; empty where it is
    bool contradicted = false;         ///< a second estimate disagrees by more than three errors
};

/// Importance sampling is quoted where its own diagnostics and nested sampling agree that it is right: it is the more precise one
/// (Pareto k below 0.5, more than 1000 effective samples, within three errors); otherwise nested sampling is.
/// A peak that the run has not found leaves nothing to believe, and a quick fit is never trusted.
[[nodiscard]] Verdict judge(const NestedResult& run, const std::optional<SecondOpinion>& opinion,
                            const std::optional<Verification>& verification, const std::optional<PeakCheck>& peak = {});

}  // namespace aliquot::infer
