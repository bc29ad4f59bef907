#include "aliquot/infer/top_up.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/infer/merge_runs.hpp"

namespace aliquot::infer {

namespace {

constexpr double share_below = 1e-3;  // of the posterior, at the contour that top-ups begin at
constexpr int most_runs = 8;
constexpr double margin = 1.1;         // more points than the run's efficiency asks for
constexpr double most_of_base = 10.0;  // live points of one top-up over those of the run
constexpr double most_effective_samples = 1e7;

/// Where top-ups begin.
struct Beginning {
    double log_likelihood;
    double log_volume;
    double log_evidence;  ///< of the points below
    std::vector<std::size_t> alive;
};

Beginning beginning(const NestedResult& run) {
    double below = 0.0;
    std::size_t at = 0;
    while (at + 1 < run.log_weight.size() && below + std::exp(run.log_weight[at]) < share_below)
        below += std::exp(run.log_weight[at++]);
    Beginning begin{run.log_likelihood[at], run.log_volume[at], run.log_evidence + std::log(std::max(below, 1e-300)), {}};
    for (std::size_t i = 0; i < run.log_likelihood.size(); ++i) {
        if (run.log_birth[i] <= begin.log_likelihood && run.log_likelihood[i] > begin.log_likelihood) begin.alive.push_back(i);
    }
    return begin;
}

}  // namespace

NestedResult top_up(const Problem& problem, NestedResult run, const NestedOptions& options, double effective_samples,
                    Threads& threads, const ProgressCallback& progress, const std::function<bool()>& stop_requested) {
    if (!(effective_samples > 0.0) || effective_samples > most_effective_samples)
        throw ConfigError(format("ess = {} (not a number of samples that can be asked for): give one above 0, at most 10 million",
                                 effective_samples));
    if (run.status != Status::converged) return run;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const double before = run.seconds;
    const double per_point = run.diagnostics.effective_samples / static_cast<double>(options.live_points);
    bool stopped = false;
    for (int number = 1; number <= most_runs && !stopped; ++number) {
        const double missing = effective_samples - run.diagnostics.effective_samples;
        if (missing <= 0.0) break;
        NestedOptions own = options;
        own.seed = options.seed + (static_cast<std::uint64_t>(number) << 40U);
        const auto base = static_cast<double>(options.live_points);
        own.live_points =
            static_cast<std::size_t>(std::clamp(std::ceil(margin * missing / per_point), base / 2.0, most_of_base * base));
        own.live_points = std::max({own.live_points, std::size_t{20}, 4 * problem.dimension()});
        own.batch = 0;
        const NestedSampler sampler(problem, own, threads);
        const Beginning begin = beginning(run);
        if (begin.alive.size() < 4) break;  // a posterior as wide as a few points has no contour to begin at
        NestedState state = sampler.init_above(run, begin.alive, begin.log_likelihood, begin.log_volume, begin.log_evidence);
        while (!sampler.converged(state) && !stopped) {
            stopped = stop_requested && stop_requested();
            if (stopped) break;
            const NestedInfo info = sampler.step(state);
            if (!progress) continue;
            const auto gained = static_cast<double>(state.dead_log_likelihood.size());
            progress(
                {.label = format("top-up {}", number),
                 .fraction =
                     std::min(1.0, gained / (gained + static_cast<double>(own.live_points) *
                                                          std::log1p(std::exp(std::min(info.remaining, 700.0)) / options.dlogz))),
                 .count = static_cast<double>(info.calls),
                 .unit = "calls",
                 .detail = format("{:.0f} of {:.0f} effective samples", run.diagnostics.effective_samples, effective_samples),
                 .fraction_before = 0.0,
                 .count_before = 0.0});
        }
        if (stopped) break;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        const std::array<NestedResult, 2> both{std::move(run), sampler.finish(state, Status::converged, 0.0)};
        run = merge_runs(both, threads);
        run.seconds = before + seconds;
    }
    if (run.diagnostics.effective_samples < effective_samples)
        run.diagnostics.warnings.push_back(format(
            "the posterior is worth {:.0f} samples ({:.0f} were asked for, {}): raise nlive", run.diagnostics.effective_samples,
            effective_samples, stopped ? "the top-up was stopped" : "more runs would not bring them"));
    return run;
}

}  // namespace aliquot::infer
