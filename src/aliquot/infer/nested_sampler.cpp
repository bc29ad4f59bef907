#include "aliquot/infer/nested_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/infer/slice_chains.hpp"
#include "aliquot/infer/streams.hpp"
#include "aliquot/infer/whitening.hpp"

namespace aliquot::infer {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr std::size_t prior_block = 32;           // draws evaluated together
constexpr std::uint64_t most_prior_draws = 1000;  // per live point, to find the first finite ones
constexpr double plateau_share = 0.05;            // of the live points: a plateau this large is evicted as a whole
constexpr std::size_t fewest_slices = 12;
constexpr double correlation_limit = 0.01;
constexpr double correlation_significance = 2.5;  // standard errors
constexpr double slices_growth = 1.5;
constexpr double most_slices_per_dimension = 20.0;
constexpr double easy_slice_calls = 1.3;  // a slice that nearly always takes the first trial has too small a bracket
constexpr double typical_slice_calls = 2.3;

/// Likelihoods of prior draws number [first, first + count).
struct PriorDraws {
    Matrix<double> unit;
    std::vector<double> log_likelihood;
    std::uint64_t nan_likelihoods = 0;
    std::vector<std::vector<double>> nan_examples;
};

PriorDraws draw_prior(const Problem& problem, std::uint64_t seed, std::uint64_t first, std::size_t count, Threads& threads) {
    const std::size_t dimension = problem.dimension();
    PriorDraws draws{Matrix<double>(count, dimension), std::vector<double>(count), 0, {}};
    Matrix<double> parameters(count, dimension);
    threads.for_each_block((count + prior_block - 1) / prior_block, [&](std::size_t block) {
        const std::size_t begin = block * prior_block;
        const std::size_t size = std::min(prior_block, count - begin);
        for (std::size_t i = begin; i < begin + size; ++i) {
            RandomStream random(seed, streams::prior_draws, first + i);
            for (double& u : draws.unit.row(i))
                u = random.uniform();
        }
        problem.transform(draws.unit.view().middle_rows(begin, size), parameters.view().middle_rows(begin, size));
        problem.log_likelihood(parameters.view().middle_rows(begin, size), std::span(draws.log_likelihood).subspan(begin, size));
    });
    for (std::size_t i = 0; i < count; ++i) {
        double& value = draws.log_likelihood[i];
        if (std::isnan(value)) {
            value = minus_infinity;
            ++draws.nan_likelihoods;
            if (draws.nan_examples.size() < most_nan_examples) {
                const auto row = parameters.row(i);
                draws.nan_examples.emplace_back(row.begin(), row.end());
            }
        } else if (value == -minus_infinity) {
            throw NumericError("ln L = +inf (a likelihood is finite, or zero): look at the model and the errors of the data");
        }
    }
    return draws;
}

void count_nans(NestedState& state, std::uint64_t count, const std::vector<std::vector<double>>& examples) {
    state.nan_likelihoods += count;
    for (const auto& example : examples) {
        if (state.nan_examples.size() < most_nan_examples) state.nan_examples.push_back(example);
    }
}

double label_of_draw(std::uint64_t seed, std::uint64_t draw) {
    return RandomStream(seed, streams::labels, draw).uniform();
}

}  // namespace

/// The points that die next, in order, and the contour that their replacements must exceed.
struct NestedSampler::Worst {
    std::vector<std::size_t> dying;
    std::vector<std::size_t> survivors;
    Contour contour;
};

std::string_view to_string(Status status) {
    switch (status) {
        case Status::converged:
            return "converged";
        case Status::interrupted:
            return "interrupted";
        case Status::call_limit:
            return "call_limit";
        case Status::time_limit:
            break;
    }
    return "time_limit";
}

NestedSampler::NestedSampler(const Problem& problem, const NestedOptions& options, Threads& threads)
    : problem_(problem),
      options_(options),
      threads_(threads),
      dimension_(problem.dimension()),
      batch_(options.batch),
      periodic_(periodic_mask(problem)) {
    const std::size_t least = std::max<std::size_t>(20, 4 * dimension_);
    if (options.live_points < least)
        throw ConfigError(format(
            "nlive = {} (too few for {} parameters: directions come from halves of the live points): give at least {}, better {}",
            options.live_points, dimension_, least, std::max<std::size_t>(400, 20 * dimension_)));
    if (options.live_points > 10000000)
        throw ConfigError(format("nlive = {} (more than 10 million): give fewer", options.live_points));
    if (!(options.dlogz > 0.0) || !std::isfinite(options.dlogz))
        throw ConfigError(format("dlogz = {} (the run would never end): give a positive number such as 0.01", options.dlogz));
    if (!(options.slices_per_dimension > 0.0))
        throw ConfigError(format("slices_per_dimension = {} (new points would not move): give a positive number",
                                 options.slices_per_dimension));
    if (batch_ == 0) batch_ = std::max<std::size_t>(1, options.live_points / 10);
    if (batch_ > options.live_points / 2)
        throw ConfigError(format("batch = {} (more than half of nlive = {}): give fewer", batch_, options.live_points));
    order_.resize(dimension_);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (const AmplitudeBlock* amplitudes = problem.amplitudes()) {
        std::stable_partition(order_.begin(), order_.end(), [&](std::size_t j) {
            return std::find(amplitudes->coordinates.begin(), amplitudes->coordinates.end(), j) == amplitudes->coordinates.end();
        });
    }
}

NestedState NestedSampler::init(const std::function<void(const NestedState&)>& go_on) const {
    const std::size_t n = options_.live_points;
    NestedState state;
    state.unit = Matrix<double>(0, dimension_);
    state.dead_unit = Matrix<double>(0, dimension_);
    while (state.log_likelihood.size() < n) {
        if (go_on && state.prior_draws > 0) go_on(state);
        const PriorDraws draws = draw_prior(problem_, options_.seed, state.prior_draws, n, threads_);
        count_nans(state, draws.nan_likelihoods, draws.nan_examples);
        for (std::size_t i = 0; i < n && state.log_likelihood.size() < n; ++i) {
            const std::uint64_t draw = state.prior_draws++;
            if (draws.log_likelihood[i] == minus_infinity) continue;
            state.unit.append_row(draws.unit.row(i));
            state.log_likelihood.push_back(draws.log_likelihood[i]);
            state.label.push_back(label_of_draw(options_.seed, draw));
        }
        state.calls += n;
        if (state.prior_draws >= most_prior_draws * n && state.log_likelihood.size() < n)
            throw NumericError(format(
                "only {} of {} draws from the prior have a finite likelihood ({} were NaN): look at the model and the priors",
                state.log_likelihood.size(), state.prior_draws, state.nan_likelihoods));
    }
    state.log_birth.assign(n, minus_infinity);
    const double share = static_cast<double>(n) / static_cast<double>(state.prior_draws);
    state.log_start_volume = std::log(share);
    state.log_start_volume_sd = std::sqrt((1.0 - share) / static_cast<double>(n));
    state.log_volume = state.log_start_volume;
    state.slices = first_slices();
    for (auto& matrix : state.covariance)
        matrix.assign(dimension_ * dimension_, 0.0);
    state.deaths_since_covariance = n;
    state.deaths_since_modes = n;
    return state;
}

std::size_t NestedSampler::first_slices() const {
    return std::max(fewest_slices,
                    static_cast<std::size_t>(std::ceil(options_.slices_per_dimension * static_cast<double>(dimension_))));
}

NestedState NestedSampler::init_above(const NestedResult& run, std::span<const std::size_t> alive, double log_likelihood,
                                      double log_volume, double log_evidence) const {
    const std::size_t n = options_.live_points;
    NestedState state;
    state.dead_unit = Matrix<double>(0, dimension_);
    state.unit = Matrix<double>(0, dimension_);
    // In random order, so that neighbours in the run are not neighbours here.
    std::vector<std::size_t> order(alive.begin(), alive.end());
    RandomStream random(options_.seed, streams::prior_draws, 0);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = order[i % order.size()];
        state.unit.append_row(run.unit_samples.row(row));
        state.log_likelihood.push_back(run.log_likelihood[row]);
        state.label.push_back(label_of_draw(options_.seed, i));
    }
    state.log_birth.assign(n, log_likelihood);
    state.start_contour = log_likelihood;
    state.log_start_volume = log_volume;
    state.log_volume = log_volume;
    state.log_evidence = log_evidence;
    state.from_prior = false;
    state.slices = std::max(first_slices(), static_cast<std::size_t>(std::ceil(run.diagnostics.slices_per_point)));
    for (auto& matrix : state.covariance)
        matrix.assign(dimension_ * dimension_, 0.0);
    state.deaths_since_covariance = n;
    state.deaths_since_modes = n;
    // Each half is made anew by chains from the other.
    for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
        Worst all{{}, {}, {log_likelihood, 1.0}};
        for (std::size_t slot = 0; slot < n; ++slot)
            ((slot / 2) % 2 == half ? all.dying : all.survivors).push_back(slot);
        replace_by_chains(state, all);
        ++state.batches;
    }
    state.insertion_ranks.clear();  // among copies they are not independent
    return state;
}

NestedSampler::Worst NestedSampler::find_worst(const NestedState& state) const {
    const std::size_t n = options_.live_points;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return state.log_likelihood[a] < state.log_likelihood[b] ||
               (state.log_likelihood[a] == state.log_likelihood[b] && state.label[a] < state.label[b]);
    });
    const double lowest = state.log_likelihood[order[0]];
    std::size_t plateau = 1;
    while (plateau < n && state.log_likelihood[order[plateau]] == lowest)
        ++plateau;
    std::size_t dying = batch_;
    Contour contour{state.log_likelihood[order[batch_ - 1]], state.label[order[batch_ - 1]]};
    // A large plateau at the bottom dies as a whole (Fowlie et al. 2021), unless too few points would be left to start from.
    if (static_cast<double>(plateau) > plateau_share * static_cast<double>(n) && plateau > batch_ && plateau <= n / 2) {
        dying = plateau;
        contour = {lowest, 1.0};
    }
    const auto split = order.begin() + static_cast<std::ptrdiff_t>(dying);
    return {{order.begin(), split}, {split, order.end()}, contour};
}

void NestedSampler::bury(NestedState& state, const Worst& worst) const {
    double previous = minus_infinity;
    for (std::size_t i = 0; i < worst.dying.size(); ++i) {
        const std::size_t slot = worst.dying[i];
        const auto live = static_cast<double>(options_.live_points - i);
        state.dead_unit.append_row(state.unit.row(slot));
        state.dead_log_likelihood.push_back(state.log_likelihood[slot]);
        state.dead_log_birth.push_back(state.log_birth[slot]);
        state.dead_live_count.push_back(live);
        if (state.log_likelihood[slot] == previous) ++state.plateau_points;
        previous = state.log_likelihood[slot];
        const double shell = state.log_volume + std::log1p(-std::exp(-1.0 / live));
        state.log_evidence = log_add(state.log_evidence, state.log_likelihood[slot] + shell);
        state.log_volume -= 1.0 / live;
    }
    state.deaths_since_covariance += worst.dying.size();
    state.deaths_since_modes += worst.dying.size();
}

void NestedSampler::update_covariances(NestedState& state, const Worst& worst) const {
    const auto n = static_cast<double>(options_.live_points);
    if (static_cast<double>(state.deaths_since_covariance) < n / 5.0) return;
    const double folds = std::min(1.0, static_cast<double>(state.deaths_since_covariance) / n);
    const bool look_for_modes = static_cast<double>(state.deaths_since_modes) >= n;
    const double memory_folds = dimension_ >= 30 ? 10.0 : 5.0;
    for (std::size_t half = 0; half < 2; ++half) {
        std::vector<std::size_t> slots;
        for (const std::size_t slot : worst.survivors) {
            if (slot % 2 == half) slots.push_back(slot);
        }
        std::vector<std::vector<std::size_t>> groups;
        if (look_for_modes) {
            groups = separate_groups(state.unit.view(), slots, periodic_);
            state.modes[half] = modes_of(state.unit.view(), groups, periodic_);
        } else {
            groups = group_by_mode(state.unit.view(), slots, state.modes[half], periodic_);
        }
        average_covariance(covariance(state.unit.view(), groups, periodic_), folds / memory_folds,
                           std::exp(-2.0 * folds / static_cast<double>(dimension_)), state.covariance[half],
                           state.covariance_weight[half]);
        state.cholesky[half] = cholesky(state.covariance[half], state.covariance_weight[half], order_);
    }
    state.deaths_since_covariance = 0;
    if (look_for_modes) state.deaths_since_modes = 0;
}

void NestedSampler::replace_from_prior(NestedState& state, const Worst& worst) const {
    std::size_t placed = 0;
    std::uint64_t drawn = 0;
    while (placed < worst.dying.size()) {
        const double acceptance = std::exp(std::max(state.log_volume, -12.0));
        const double wanted = static_cast<double>(worst.dying.size() - placed) / acceptance;
        const auto blocks = static_cast<std::size_t>(std::ceil(wanted / static_cast<double>(prior_block)));
        const std::size_t count = prior_block * std::min<std::size_t>(blocks, 4096);
        const PriorDraws draws = draw_prior(problem_, options_.seed, state.prior_draws, count, threads_);
        count_nans(state, draws.nan_likelihoods, draws.nan_examples);
        for (std::size_t i = 0; i < count && placed < worst.dying.size(); ++i) {
            ++drawn;
            const double label = label_of_draw(options_.seed, state.prior_draws + i);
            if (!worst.contour.below(draws.log_likelihood[i], label)) continue;
            const std::size_t slot = worst.dying[placed++];
            const auto row = draws.unit.row(i);
            std::copy(row.begin(), row.end(), state.unit.row(slot).begin());
            state.log_likelihood[slot] = draws.log_likelihood[i];
            state.label[slot] = label;
            state.log_birth[slot] = worst.contour.log_likelihood;
        }
        state.prior_draws += count;
        state.calls += count;
    }
    const double calls_per_point = static_cast<double>(drawn) / static_cast<double>(worst.dying.size());
    if (calls_per_point > typical_slice_calls * static_cast<double>(state.slices)) state.from_prior = false;
}

void NestedSampler::replace_by_chains(NestedState& state, const Worst& worst) const {
    update_covariances(state, worst);
    std::vector<std::size_t> halves[2];
    for (const std::size_t slot : worst.survivors)
        halves[slot % 2].push_back(slot);
    // A half that a plateau has emptied borrows from the whole.
    for (auto& half : halves) {
        if (half.size() < 2) half = worst.survivors;
    }
    std::vector<double> sorted;
    for (const std::size_t slot : worst.survivors)
        sorted.push_back(state.log_likelihood[slot]);

    const ChainSnapshot snapshot{.problem = problem_,
                                 .unit = state.unit.view(),
                                 .log_likelihood = state.log_likelihood,
                                 .label = state.label,
                                 .survivors = worst.survivors,
                                 .halves = {halves[0], halves[1]},
                                 .order = order_,
                                 .periodic = periodic_,
                                 .cholesky = {state.cholesky[0], state.cholesky[1]},
                                 .modes = {&state.modes[0], &state.modes[1]},
                                 .contour = worst.contour,
                                 .slices = state.slices,
                                 .bracket = state.bracket,
                                 .seed = options_.seed,
                                 .batch = state.batches};
    const std::size_t chains = worst.dying.size();
    const std::size_t per_block =
        std::clamp<std::size_t>((chains + 7) / 8, 4, 32);  // fixed, so that no result depends on threads
    const std::size_t blocks = (chains + per_block - 1) / per_block;
    std::vector<ChainEnd> ends(chains);
    std::vector<ChainCounts> counts(blocks);
    threads_.for_each_block(blocks, [&](std::size_t block) {
        const std::size_t begin = block * per_block;
        counts[block] = run_chains(snapshot, begin, std::span(ends).subspan(begin, std::min(per_block, chains - begin)));
    });

    // Ranks among the survivors: the middle of a tie for starts, a random place within it for ends.
    const auto ties = [&](double log_likelihood) {
        const auto range = std::equal_range(sorted.begin(), sorted.end(), log_likelihood);
        return std::pair(static_cast<double>(range.first - sorted.begin()), static_cast<double>(range.second - sorted.begin()));
    };
    RandomStream random(options_.seed, streams::batch, state.batches);
    const auto survivors = static_cast<double>(worst.survivors.size());
    for (std::size_t i = 0; i < chains; ++i) {
        const std::size_t slot = worst.dying[i];
        std::copy(ends[i].unit.begin(), ends[i].unit.end(), state.unit.row(slot).begin());
        state.log_likelihood[slot] = ends[i].log_likelihood;
        state.label[slot] = ends[i].label;
        state.log_birth[slot] = worst.contour.log_likelihood;
        const auto [first, last] = ties(ends[i].log_likelihood);
        const double end_rank = (first + (last - first + 1.0) * random.uniform()) / (survivors + 1.0);
        const auto [start_first, start_last] = ties(ends[i].start_log_likelihood);
        state.insertion_ranks.push_back(end_rank);
        const double start_rank = 0.5 * (start_first + start_last) / survivors;
        state.rank_correlation.add(start_rank, end_rank);
        state.recent_rank_correlation.add(start_rank, end_rank);
    }
    state.chains_made += chains;
    state.slices_made += chains * state.slices;
    state.window_slices += chains * state.slices;
    for (const ChainCounts& count : counts) {
        state.calls += count.calls;
        state.slice_calls += count.slice_calls;
        state.window_calls += count.slice_calls;
        state.failed_slices += count.failed_slices;
        state.amplitude_rounds += count.amplitude_rounds;
        state.leaps += count.leaps;
        count_nans(state, count.nan_likelihoods, count.nan_examples);
    }
    adapt(state);
}

void NestedSampler::adapt(NestedState& state) const {
    if (state.window_slices >= options_.live_points * state.slices) {
        const double calls = static_cast<double>(state.window_calls) / static_cast<double>(state.window_slices);
        if (calls < easy_slice_calls && state.bracket < 1e6) state.bracket *= 2.0;
        state.window_calls = 0;
        state.window_slices = 0;
    }
    const auto most = static_cast<std::size_t>(
        std::max(static_cast<double>(fewest_slices), most_slices_per_dimension * static_cast<double>(dimension_)));
    const RankCorrelation& rho = state.recent_rank_correlation;
    if (rho.count() >= options_.live_points && state.slices < most && rho.value() > correlation_limit &&
        rho.value() > correlation_significance * rho.error()) {
        state.slices = std::min(most, static_cast<std::size_t>(std::ceil(slices_growth * static_cast<double>(state.slices))));
        state.recent_rank_correlation.reset();
    }
}

NestedInfo NestedSampler::step(NestedState& state) const {
    const Worst worst = find_worst(state);
    bury(state, worst);
    if (state.from_prior) {
        replace_from_prior(state, worst);
    } else {
        replace_by_chains(state, worst);
    }
    ++state.batches;
    return info(state);
}

NestedInfo NestedSampler::info(const NestedState& state) const {
    const double best = *std::max_element(state.log_likelihood.begin(), state.log_likelihood.end());
    const double remaining = log_add(state.log_evidence, best + state.log_volume) - state.log_evidence;
    return {state.log_volume, state.log_evidence, remaining, state.calls};
}

bool NestedSampler::converged(const NestedState& state) const {
    const auto [low, high] = std::minmax_element(state.log_likelihood.begin(), state.log_likelihood.end());
    return *low == *high || info(state).remaining < options_.dlogz;
}

}  // namespace aliquot::infer
