#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "aliquot/core/format.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/infer/nested_sampler.hpp"
#include "aliquot/infer/posterior.hpp"

namespace aliquot::infer {

namespace {

constexpr double smallest_rank_p_value = 1e-3;
constexpr double correlation_limit = 0.01;
constexpr double correlation_significance = 2.0;
constexpr double failed_slice_share = 1e-3;
constexpr std::size_t transform_block = 256;

std::vector<std::string> warnings(const NestedResult& run, const NestedOptions& options) {
    const Diagnostics& d = run.diagnostics;
    std::vector<std::string> all;
    if (run.status != Status::converged)
        all.push_back(
            format("the run is not converged ({}): ln Z and posterior hold what was found so far", to_string(run.status)));
    if (chains_remember(d))
        all.push_back(
            format("new points remember where their chains started (rank correlation {:.3f} +- {:.3f}, should be below 0.01): ln "
                   "Z may be off by "
                   "more than its error; raise sampler.slices_per_dimension or nlive",
                   d.rank_correlation, d.rank_correlation_error));
    if (ranks_are_uneven(d))
        all.push_back(
            format("insertion ranks are not uniform (p = {:.1e}): new points do not follow the prior above the contour; raise "
                   "sampler.slices_per_dimension or nlive",
                   d.insertion_rank_p_value));
    if (d.nan_likelihoods > 0)
        all.push_back(
            format("{} of {} likelihoods were NaN and counted as impossible: look at the model at the parameters listed",
                   d.nan_likelihoods, run.likelihood_calls));
    if (d.slices_per_point > 0.0 &&
        static_cast<double>(d.failed_slices) > failed_slice_share * d.slices_per_point * static_cast<double>(run.iterations))
        all.push_back(format("{} slices found no new point: the likelihood is rough at the scale of rounding", d.failed_slices));
    if (options.live_points < 20 * run.dimension)
        all.push_back(format("nlive = {} is small for {} parameters: errors of ln Z are most reliable from {} on",
                             options.live_points, run.dimension, 20 * run.dimension));
    return all;
}

}  // namespace

bool chains_remember(const Diagnostics& diagnostics) {
    return diagnostics.rank_correlation - correlation_significance * diagnostics.rank_correlation_error > correlation_limit;
}

bool ranks_are_uneven(const Diagnostics& diagnostics) {
    return diagnostics.insertion_rank_p_value < smallest_rank_p_value;
}

NestedResult NestedSampler::finish(const NestedState& state, Status status, double seconds) const {
    const std::size_t dead = state.dead_log_likelihood.size();
    const std::size_t live = options_.live_points;
    std::vector<std::size_t> order(live);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return state.log_likelihood[a] < state.log_likelihood[b] ||
               (state.log_likelihood[a] == state.log_likelihood[b] && state.label[a] < state.label[b]);
    });

    NestedResult run;
    run.dimension = dimension_;
    run.live_points = live;
    run.dlogz = options_.dlogz;
    run.seed = options_.seed;
    run.status = status;
    run.seconds = seconds;
    run.iterations = dead;
    run.likelihood_calls = state.calls;
    run.unit_samples = state.dead_unit;
    run.log_birth = state.dead_log_birth;
    run.start_contour = state.start_contour;
    DeathOrder deaths{state.dead_log_likelihood, state.dead_live_count, state.log_start_volume, state.log_start_volume_sd};
    for (std::size_t i = 0; i < live; ++i) {
        run.unit_samples.append_row(state.unit.row(order[i]));
        run.log_birth.push_back(state.log_birth[order[i]]);
        deaths.log_likelihood.push_back(state.log_likelihood[order[i]]);
        deaths.live_count.push_back(static_cast<double>(live - i));
    }
    run.samples = Matrix<double>(run.unit_samples.rows(), dimension_);
    threads_.for_each_block((run.samples.rows() + transform_block - 1) / transform_block, [&](std::size_t block) {
        const std::size_t first = block * transform_block;
        const std::size_t count = std::min(transform_block, run.samples.rows() - first);
        problem_.transform(std::as_const(run.unit_samples).view().middle_rows(first, count),
                           run.samples.view().middle_rows(first, count));
    });

    Evidence evidence = estimate_evidence(deaths, options_.seed, threads_);
    run.log_likelihood = std::move(deaths.log_likelihood);
    run.live_count = std::move(deaths.live_count);
    run.log_start_volume = state.log_start_volume;
    run.log_start_volume_sd = state.log_start_volume_sd;
    run.log_volume = std::move(evidence.log_volume);
    run.log_weight = std::move(evidence.log_weight);
    run.log_evidence = evidence.log_evidence;
    run.log_evidence_error = evidence.log_evidence_error;
    run.information = evidence.information;

    Diagnostics& d = run.diagnostics;
    d.insertion_rank_p_value = uniform_p_value(state.insertion_ranks);
    d.rank_correlation = state.rank_correlation.value();
    d.rank_correlation_error = state.rank_correlation.error();
    d.calls_per_slice =
        state.slices_made > 0 ? static_cast<double>(state.slice_calls) / static_cast<double>(state.slices_made) : 0.0;
    d.slices_per_point =
        state.chains_made > 0 ? static_cast<double>(state.slices_made) / static_cast<double>(state.chains_made) : 0.0;
    for (std::size_t i = dead; i < run.log_weight.size(); ++i)
        d.live_fraction += std::exp(run.log_weight[i]);
    d.effective_samples = effective_samples(run.log_weight);
    d.nan_likelihoods = state.nan_likelihoods;
    d.failed_slices = state.failed_slices;
    d.amplitude_rounds = state.amplitude_rounds;
    d.leaps = state.leaps;
    d.plateau_points = state.plateau_points;
    d.nan_examples = state.nan_examples;
    d.warnings = warnings(run, options_);
    return run;
}

}  // namespace aliquot::infer
