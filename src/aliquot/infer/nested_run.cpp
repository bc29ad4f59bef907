#include "aliquot/infer/nested_run.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

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

/// Saves a run now and then; does nothing where there is no file for it.
class CheckpointKeeper {
  public:
    CheckpointKeeper(const Problem& problem, const NestedOptions& options, const Checkpointing& checkpointing)
        : file_(checkpointing.file), interval_s_(options.checkpoint_seconds), due_s_(interval_s_) {
        if (!(interval_s_ >= 0.0))
            throw ConfigError(format("checkpoint_seconds = {} (below zero): give 0 or more seconds", interval_s_));
        if (file_.empty()) return;
        identity_ = checkpointing.identity;
        for (IdentityField& field : run_identity(problem, options))
            identity_.push_back(std::move(field));
    }

    [[nodiscard]] std::optional<Checkpoint> load() const {
        if (file_.empty() || !std::filesystem::exists(file_)) return std::nullopt;
        return read_checkpoint(file_, identity_);
    }
    /// `seconds` are those of this start, `before` those of the starts before it.
    void save(const NestedState& state, double seconds, double before) const {
        if (!file_.empty()) write_checkpoint(file_, state, before + seconds, identity_);
    }
    /// Save if it is time. Writing takes a twentieth of the time at most.
    void save_if_due(const NestedState& state, const std::function<double()>& seconds, double before) {
        const double begun = seconds();
        if (file_.empty() || begun < due_s_) return;
        save(state, begun, before);
        const double done = seconds();
        due_s_ = done + std::max(interval_s_, interval_s_ > 0.0 ? 20.0 * (done - begun) : 0.0);
    }

  private:
    std::filesystem::path file_;
    double interval_s_;
    double due_s_;
    RunIdentity identity_;
};

}  // namespace

NestedResult run_nested(const Problem& problem, const NestedOptions& options, Threads& threads, const ProgressCallback& progress,
                        const std::function<bool()>& stop_requested, const Checkpointing& checkpointing) {
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
    CheckpointKeeper keeper(problem, options, checkpointing);
    std::optional<Checkpoint> kept = checkpointing.resume ? keeper.load() : std::nullopt;
    const double before = kept ? kept->seconds : 0.0;
    NestedState state = kept ? std::move(kept->state) : sampler.init([&](const NestedState& begun) {
        if (const auto reason = reason_to_stop(begun)) give_up(*reason, begun, options);
    });
    const NestedInfo at_start = sampler.info(state);
    Status status = Status::converged;
    while (!sampler.converged(state)) {
        if (const auto reason = reason_to_stop(state)) {
            status = *reason;
            keeper.save(state, seconds(), before);
            break;
        }
        const NestedInfo info = sampler.step(state);
        keeper.save_if_due(state, seconds, before);
        if (progress)
            progress({.label = "nested sampling",
                      .fraction = fraction_done(info, options.dlogz),
                      .count = static_cast<double>(info.calls),
                      .unit = "calls",
                      .detail = format("ln Z = {:.2f}", info.log_evidence),
                      .fraction_before = kept ? fraction_done(at_start, options.dlogz) : 0.0,
                      .count_before = kept ? static_cast<double>(at_start.calls) : 0.0});
    }
    return sampler.finish(state, status, before + seconds());
}

}  // namespace aliquot::infer
