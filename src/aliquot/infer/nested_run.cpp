#include "aliquot/infer/nested_run.hpp"

#include <chrono>
#include <cmath>
#include <optional>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::infer {

namespace {

/// Share of the way in ln X: what is behind over what is behind and, as far as one can tell now, ahead.
double fraction_done(const NestedInfo& info, double dlogz) {
    const double behind = -info.log_volume;
    const double ahead = std::max(0.0, std::log(std::expm1(std::min(info.remaining, 700.0)) + 1e-300) - std::log(dlogz));
    return behind > 0.0 ? behind / (behind + ahead) : 0.0;
}

/// The run ends before it has its live points.
[[noreturn]] void give_up(Status why, const NestedState& state, const NestedOptions& options) {
    const std::string found = format("{} of {} draws from the prior had a finite likelihood, {} must have",
                                     state.log_likelihood.size(), state.prior_draws, options.live_points);
    if (why == Status::interrupted)
        throw Interrupted(format("stopped before the first live points were found ({}): there is nothing to keep", found));
    const std::string cap = why == Status::call_limit ? format("max_calls = {}", options.max_calls)
                                                      : format("max_seconds = {:g}", options.max_seconds);
    throw NumericError(
        format("{} (reached before the first live points were found: {}): raise it, or look at the model and the "
               "priors",
               cap, found));
}

}  // namespace

NestedResult run_nested(const Problem& problem, const NestedOptions& options, Threads& threads, const ProgressCallback& progress,
                        const std::function<bool()>& stop_requested) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const NestedSampler sampler(problem, options, threads);
    const auto reason_to_stop = [&](const NestedState& state) -> std::optional<Status> {
        if (stop_requested && stop_requested()) return Status::interrupted;
        if (state.calls >= options.max_calls) return Status::call_limit;
        if (seconds() >= options.max_seconds) return Status::time_limit;
        return std::nullopt;
    };
    NestedState state = sampler.init([&](const NestedState& begun) {
        if (const auto reason = reason_to_stop(begun)) give_up(*reason, begun, options);
    });
    Status status = Status::converged;
    while (!sampler.converged(state)) {
        if (const auto reason = reason_to_stop(state)) {
            status = *reason;
            break;
        }
        const NestedInfo info = sampler.step(state);
        if (progress)
            progress({"nested sampling", fraction_done(info, options.dlogz), static_cast<double>(info.calls), "calls",
                      format("ln Z = {:.2f}", info.log_evidence)});
    }
    return sampler.finish(state, status, seconds());
}

}  // namespace aliquot::infer
