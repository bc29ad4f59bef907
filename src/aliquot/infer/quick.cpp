#include "aliquot/infer/quick.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/logit.hpp"
#include "aliquot/infer/peaks.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/infer/streams.hpp"
#include "aliquot/infer/t_mixture.hpp"

namespace aliquot::infer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_peaks = 8;
constexpr double lowest_peak = 25.0;  // below the highest, in ln L
constexpr double nearest_face = 1e-6;
constexpr double widening = 1.5;  // of a peak's covariance: tails are heavier than a Gaussian's
constexpr std::size_t first_draws = 4000;
constexpr std::size_t draw_block = 256;
constexpr double enough_samples = 300.0;       // that a fit of the mixture wants
constexpr std::size_t rounds_of_approach = 2;  // before one that may be the last
constexpr std::size_t most_rounds = 8;

/// The normal approximation of a peak in logits of the cube, in which faces are far away.
TMixture::Component approximate(const LeastSquares& squares, const Peak& peak, double highest) {
    const std::size_t d = peak.place.size();
    std::vector<double> gradient(d);
    std::vector<double> curvature(d * d);
    (void)squares.normal_equations(peak.place, gradient, curvature);
    std::vector<double> place(d);
    std::vector<double> slope(d);  // du/dlogit
    std::vector<double> least(d);  // of the curvature in logits
    for (std::size_t j = 0; j < d; ++j) {
        // On a face the posterior falls like exp(-gradient u), and u is of the order of the inverse.
        const double scale = 1.0 / (std::abs(gradient[j]) + std::sqrt(std::max(curvature[j * d + j], 0.0)) + 2.0);
        const bool on_face = peak.place[j] < 0.5 * scale || peak.place[j] > 1.0 - 0.5 * scale;
        const double inside = on_face ? scale : nearest_face;
        place[j] = std::clamp(peak.place[j], inside, 1.0 - inside);
        slope[j] = place[j] * (1.0 - place[j]);
        least[j] = on_face ? 1.0 : 2.0 * slope[j];  // of the prior alone: the logistic law
    }
    const auto size = static_cast<Eigen::Index>(d);
    Eigen::MatrixXd matrix(size, size);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j)
            matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                slope[i] * slope[j] * curvature[i * d + j] + (i == j ? least[i] : 0.0);
    }
    const Eigen::MatrixXd covariance = widening * matrix.inverse();
    TMixture::Component component{std::exp(0.25 * (peak.log_likelihood - highest)), {}, {}};
    std::vector<double> unit(d);
    squares.to_unit(place, unit);
    for (const double u : unit)
        component.mean.push_back(logit(std::clamp(u, nearest_face, 1.0 - nearest_face)));
    component.scale.assign(covariance.data(), covariance.data() + d * d);
    return component;
}

/// Draws from a mixture over logits.
ImportanceDraws draw(const Problem& problem, const TMixture& mixture, std::size_t count, std::uint64_t seed, Threads& threads) {
    const std::size_t d = mixture.dimension();
    ImportanceDraws draws{Matrix<double>(count, d), std::vector<double>(count), std::vector<double>(count)};
    threads.for_each_block((count + draw_block - 1) / draw_block, [&](std::size_t block) {
        const std::size_t first = block * draw_block;
        const std::size_t size = std::min(draw_block, count - first);
        std::vector<double> score(d);
        Matrix<double> parameters(size, d);
        for (std::size_t i = first; i < first + size; ++i) {
            RandomStream random(seed, streams::peaks, (std::uint64_t{1} << 32U) + i);
            mixture.draw(random, score);
            draws.log_proposal[i] = mixture.log_density(score);
            for (std::size_t j = 0; j < d; ++j) {
                double log_slope = 0.0;
                draws.unit(i, j) = from_logit(score[j], log_slope);
                draws.log_proposal[i] -= log_slope;
            }
        }
        const auto unit = std::as_const(draws.unit).view().middle_rows(first, size);
        const std::span<double> values = std::span(draws.log_likelihood).subspan(first, size);
        problem.transform(unit, parameters.view());
        problem.log_likelihood(std::as_const(parameters).view(), values);
        for (double& value : values)
            value = std::isnan(value) ? -infinity : value;
    });
    return draws;
}

/// The draws as a run: in order of ln L, weights normalised. The prior's volume above each ln L is the mean of 1 / q over the
/// draws above it.
NestedResult as_run(const Problem& problem, const ImportanceDraws& draws, double temper, Threads& threads) {
    const std::size_t n = draws.log_likelihood.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return draws.log_likelihood[a] < draws.log_likelihood[b]; });
    NestedResult run;
    run.dimension = problem.dimension();
    run.method = Method::quick;
    run.log_evidence_error = infinity;
    run.unit_samples = Matrix<double>(0, run.dimension);
    double highest = -infinity;
    for (const std::size_t i : order) {
        if (draws.log_likelihood[i] == -infinity) continue;
        run.unit_samples.append_row(draws.unit.row(i));
        run.log_likelihood.push_back(draws.log_likelihood[i]);
        run.log_volume.push_back(-draws.log_proposal[i] - std::log(static_cast<double>(n)));
        run.log_weight.push_back(temper * (draws.log_likelihood[i] - draws.log_proposal[i]));
        highest = std::max(highest, run.log_weight.back());
    }
    double total = 0.0;
    for (const double weight : run.log_weight)
        total += std::exp(weight - highest);
    for (double& weight : run.log_weight)
        weight -= highest + std::log(total);
    const std::size_t kept = run.log_likelihood.size();
    for (std::size_t i = kept; i-- > 1;) {
        const double above = run.log_volume[i];
        double& own = run.log_volume[i - 1];
        own = std::max(own, above) + std::log1p(std::exp(-std::abs(own - above)));
    }
    for (std::size_t i = 0; i < kept; ++i) {
        run.log_volume[i] = std::min(run.log_volume[i], 0.0);
        run.log_birth.push_back(-infinity);
        run.live_count.push_back(static_cast<double>(kept - i));
    }
    run.samples = Matrix<double>(kept, run.dimension);
    threads.for_each_block((kept + draw_block - 1) / draw_block, [&](std::size_t block) {
        const std::size_t first = block * draw_block;
        const std::size_t size = std::min(draw_block, kept - first);
        problem.transform(std::as_const(run.unit_samples).view().middle_rows(first, size),
                          run.samples.view().middle_rows(first, size));
    });
    return run;
}

/// A run whose weights are raised to the power, at most 1, that leaves enough samples for a fit.
NestedResult tempered(const Problem& problem, const ImportanceDraws& draws, Threads& threads) {
    for (double temper = 1.0;; temper *= 0.5) {
        NestedResult run = as_run(problem, draws, temper, threads);
        if (run.log_weight.empty()) throw NumericError("no draw around the peaks has a finite likelihood: look at the model");
        if (temper < 1e-3 || effective_samples(run.log_weight) >= enough_samples) return run;
    }
}

}  // namespace

QuickResult quick_sample(const Problem& problem, const QuickOptions& options, Threads& threads) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const LeastSquares* squares = problem.least_squares();
    if (squares == nullptr)
        throw ConfigError(
            "a quick fit of a likelihood that is no sum of squares (its peaks cannot be searched): use nested sampling");
    const Matrix<double> starts = prior_starts(problem, *squares, options.starts, options.seed, threads);
    std::vector<Peak> peaks = find_peaks(*squares, starts, threads);
    if (peaks.empty())
        throw NumericError(
            "no point of the prior that the search for peaks began at has a finite likelihood: look at the model and "
            "the priors");
    const double highest = peaks.front().log_likelihood;
    std::erase_if(peaks, [&](const Peak& peak) { return peak.log_likelihood < highest - lowest_peak; });
    if (peaks.size() > most_peaks) peaks.resize(most_peaks);
    std::vector<TMixture::Component> components;
    for (const Peak& peak : peaks)
        components.push_back(approximate(*squares, peak, highest));

    ImportanceDraws draws = draw(problem, TMixture(components), first_draws, options.seed, threads);
    std::uint64_t calls = first_draws;
    QuickResult result;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        ImportanceOptions importance;
        importance.seed = options.seed + round;
        const bool approach = round < rounds_of_approach;
        importance.draws = approach ? options.draws / 2 : options.draws;
        importance.rounds = 2;
        result.estimate = second_opinion(problem, tempered(problem, draws, threads), importance, threads, &draws);
        calls += result.estimate.likelihood_calls;
        if (!approach && result.estimate.trusted) break;
    }
    result.run = as_run(problem, draws, 1.0, threads);
    NestedResult& run = result.run;
    run.seed = options.seed;
    run.log_evidence = result.estimate.log_evidence;
    run.log_evidence_error = result.estimate.log_evidence_error;
    for (std::size_t i = 0; i < run.log_weight.size(); ++i)
        run.information += std::exp(run.log_weight[i]) * (run.log_likelihood[i] - run.log_evidence);
    run.iterations = run.log_weight.size();
    run.live_points = run.log_weight.size();
    run.likelihood_calls = calls;
    run.diagnostics.effective_samples = effective_samples(run.log_weight);
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

}  // namespace aliquot::infer
