#include "aliquot/infer/peaks.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/infer/streams.hpp"

namespace aliquot::infer {

namespace {

constexpr int most_steps = 30;
constexpr double first_damping = 1e-3;
constexpr double least_damping = 1e-9;
constexpr double most_damping = 1e9;
constexpr double gain_wanted = 1e-4;  // a step that promises less is the last one
constexpr std::size_t draws_per_start = 20;
constexpr std::size_t draw_block = 64;
constexpr std::size_t starts_of_prior = 16;
constexpr std::size_t starts_of_posterior = 4;

/// Climb from a place; ln L is not finite where that could not begin.
Peak climb(const LeastSquares& problem, std::span<const double> start) {
    const std::size_t d = start.size();
    Peak peak{{start.begin(), start.end()}, 0.0, std::vector<double>(d * d)};
    std::vector<double> gradient(d);
    peak.log_likelihood = problem.normal_equations(peak.place, gradient, peak.curvature);
    if (!std::isfinite(peak.log_likelihood)) return peak;
    double damping = first_damping;
    std::vector<double> trial(d);
    for (int step = 0; step < most_steps; ++step) {
        // Coordinates that stand on a face and want to leave the cube stay.
        std::vector<std::size_t> free;
        for (std::size_t j = 0; j < d; ++j) {
            const bool leaves = (peak.place[j] <= 0.0 && gradient[j] < 0.0) || (peak.place[j] >= 1.0 && gradient[j] > 0.0);
            if (!leaves && peak.curvature[j * d + j] > 0.0) free.push_back(j);
        }
        if (free.empty()) return peak;
        const auto size = static_cast<Eigen::Index>(free.size());
        Eigen::MatrixXd matrix(size, size);
        Eigen::VectorXd right(size);
        for (Eigen::Index a = 0; a < size; ++a) {
            for (Eigen::Index b = 0; b < size; ++b)
                matrix(a, b) = peak.curvature[free[static_cast<std::size_t>(a)] * d + free[static_cast<std::size_t>(b)]];
            right(a) = gradient[free[static_cast<std::size_t>(a)]];
        }
        const Eigen::VectorXd diagonal = matrix.diagonal();
        for (bool moved = false; !moved;) {
            if (damping > most_damping) return peak;
            matrix.diagonal() = diagonal * (1.0 + damping);
            const Eigen::VectorXd move = matrix.ldlt().solve(right);
            trial = peak.place;
            for (Eigen::Index a = 0; a < size; ++a) {
                double& coordinate = trial[free[static_cast<std::size_t>(a)]];
                coordinate = std::clamp(coordinate + move(a), 0.0, 1.0);
            }
            const double promised = 0.5 * right.dot(move);
            const double value = problem.log_likelihood(trial);
            if (!(value > peak.log_likelihood)) {
                if (promised < gain_wanted) return peak;
                damping *= 10.0;
                continue;
            }
            const double gained = value - peak.log_likelihood;
            peak.place = trial;
            peak.log_likelihood = problem.normal_equations(peak.place, gradient, peak.curvature);
            if (gained < gain_wanted && promised < gain_wanted) return peak;
            damping = std::max(least_damping, damping / 10.0);
            moved = true;
        }
    }
    return peak;
}

bool the_same(const Peak& a, const Peak& b) {
    const std::size_t d = a.place.size();
    double distance = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j)
            distance += (a.place[i] - b.place[i]) * a.curvature[i * d + j] * (a.place[j] - b.place[j]);
    }
    return distance < 1.0;
}

}  // namespace

std::vector<Peak> find_peaks(const LeastSquares& problem, const Matrix<double>& starts, Threads& threads) {
    std::vector<Peak> all(starts.rows());
    threads.for_each_block(starts.rows(), [&](std::size_t i) { all[i] = climb(problem, starts.row(i)); });
    std::erase_if(all, [](const Peak& peak) { return !std::isfinite(peak.log_likelihood); });
    std::stable_sort(all.begin(), all.end(), [](const Peak& a, const Peak& b) { return a.log_likelihood > b.log_likelihood; });
    std::vector<Peak> peaks;
    for (Peak& peak : all) {
        if (std::none_of(peaks.begin(), peaks.end(), [&](const Peak& known) { return the_same(known, peak); }))
            peaks.push_back(std::move(peak));
    }
    return peaks;
}

Matrix<double> prior_starts(const Problem& problem, const LeastSquares& squares, std::size_t count, std::uint64_t seed,
                            Threads& threads) {
    const std::size_t d = problem.dimension();
    const std::size_t draws = draws_per_start * count;
    Matrix<double> unit(draws, d);
    Matrix<double> parameters(draws, d);
    std::vector<double> value(draws);
    threads.for_each_block((draws + draw_block - 1) / draw_block, [&](std::size_t block) {
        const std::size_t first = block * draw_block;
        const std::size_t size = std::min(draw_block, draws - first);
        for (std::size_t i = first; i < first + size; ++i) {
            RandomStream random(seed, streams::peaks, i);
            for (double& u : unit.row(i))
                u = random.uniform();
        }
        problem.transform(std::as_const(unit).view().middle_rows(first, size), parameters.view().middle_rows(first, size));
        problem.log_likelihood(std::as_const(parameters).view().middle_rows(first, size), std::span(value).subspan(first, size));
    });
    for (double& v : value)
        v = std::isnan(v) ? -std::numeric_limits<double>::infinity() : v;
    std::vector<std::size_t> order(draws);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value[a] > value[b]; });
    Matrix<double> starts(count, d);
    for (std::size_t i = 0; i < count; ++i)
        squares.from_unit(unit.row(order[i]), starts.row(i));
    return starts;
}

PeakCheck check_peak(const Problem& problem, const LeastSquares& squares, const NestedResult& run, Threads& threads) {
    const auto best = static_cast<std::size_t>(std::max_element(run.log_likelihood.begin(), run.log_likelihood.end()) -
                                               run.log_likelihood.begin());
    Matrix<double> own(1, run.dimension);
    squares.from_unit(run.unit_samples.row(best), own.row(0));
    const std::vector<Peak> polished = find_peaks(squares, own, threads);
    PeakCheck check;
    check.unit.assign(run.unit_samples.row(best).begin(), run.unit_samples.row(best).end());
    check.log_likelihood = check.run_log_likelihood = run.log_likelihood[best];
    const auto take = [&](const Peak& peak) {
        if (!(peak.log_likelihood > check.log_likelihood)) return;
        check.log_likelihood = peak.log_likelihood;
        squares.to_unit(peak.place, check.unit);
    };
    if (!polished.empty()) take(polished.front());
    check.run_log_likelihood = check.log_likelihood;

    Matrix<double> starts = prior_starts(problem, squares, starts_of_prior, run.seed, threads);
    std::vector<double> place(run.dimension);
    for (const std::size_t row : equal_weight_rows(run.log_weight, starts_of_posterior, run.seed)) {
        squares.from_unit(run.unit_samples.row(row), place);
        starts.append_row(place);
    }
    const std::vector<Peak> others = find_peaks(squares, starts, threads);
    if (!others.empty()) take(others.front());
    return check;
}

}  // namespace aliquot::infer
