#include "aliquot/infer/nested_run.hpp"

#include <chrono>
#include <cmath>

#include "aliquot/core/format.hpp"

namespace aliquot::infer {

namespace {

/// Share of the way in ln X: what is behind over what is behind and, as far as one can tell now, ahead.
double fraction_done(const NestedInfo& info, double dlogz) {
    const double behind = -info.log_volume;
    const double ahead = std::max(0.0, std::log(std::expm1(std::min(info.remaining, 700.0)) + 1e-300) - std::log(dlogz));
    return behind > 0.0 ? behind / (behind + ahead) : 0.0;
}

}  // namespace

NestedResult run_nested(const Problem& problem, const NestedOptions& options, Threads& threads, const ProgressCallback& progress,
                        const std::function<bool()>& stop_requested) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const NestedSampler sampler(problem, options, threads);
    NestedState state = sampler.init();
    Status status = Status::converged;
    while (!sampler.converged(state)) {
        if (stop_requested && stop_requested()) {
            status = Status::interrupted;
            break;
        }
        if (state.calls >= options.max_calls) {
            status = Status::call_limit;
            break;
        }
        if (seconds() >= options.max_seconds) {
            status = Status::time_limit;
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
