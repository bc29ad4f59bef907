#include "aliquot/infer/importance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "aliquot/core/format.hpp"
#include "aliquot/infer/marginal_map.hpp"
#include "aliquot/infer/modes.hpp"
#include "aliquot/infer/periodic.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/infer/streams.hpp"
#include "aliquot/infer/t_mixture.hpp"

namespace aliquot::infer {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t batch = 256;
constexpr std::size_t fit_points = 4000;
constexpr std::size_t most_components = 8;
constexpr double defence_share = 0.05;
constexpr double defence_inflation = 4.0;
constexpr double thin_mixture = 20.0;  // posterior density over the mixture's

double log_mean(std::span<const double> terms) {
    const double largest = *std::max_element(terms.begin(), terms.end());
    if (!std::isfinite(largest)) return largest;
    double sum = 0.0;
    for (const double term : terms)
        sum += std::exp(term - largest);
    return largest + std::log(sum / static_cast<double>(terms.size()));
}

/// Draws of a mixture, with ln of prior times likelihood over the mixture's density, both in scores.
struct Draws {
    Matrix<double> score;
    std::vector<double> log_target;    ///< ln L + ln |du/dz|
    std::vector<double> log_proposal;  ///< ln q
    std::vector<double> log_weight;    ///< their difference
};

/// Turns the cube in its periodic coordinates so that the posterior stands around their middle, away from 0 = 1.
class Turn {
  public:
    Turn(const Problem& problem, const NestedResult& run) {
        for (const std::size_t j : problem.periodic()) {
            CircularMean sum;
            for (std::size_t i = 0; i < run.log_weight.size(); ++i)
                sum.add(run.unit_samples(i, j), std::exp(run.log_weight[i]));
            turned_.push_back({j, 0.5 - sum.value()});
        }
    }
    [[nodiscard]] Matrix<double> there(Matrix<double> unit) const {
        for (std::size_t i = 0; i < unit.rows(); ++i) {
            for (const Coordinate& c : turned_)
                unit(i, c.index) = wrapped(unit(i, c.index) + c.by);
        }
        return unit;
    }
    void back(std::span<double> unit) const {
        for (const Coordinate& c : turned_)
            unit[c.index] = wrapped(unit[c.index] - c.by);
    }

  private:
    struct Coordinate {
        std::size_t index;
        double by;
    };
    std::vector<Coordinate> turned_;
};

std::vector<std::vector<std::size_t>> groups_in(const Matrix<double>& unit, std::span<const double> log_weight,
                                                std::uint64_t seed) {
    std::vector<std::size_t> rows = equal_weight_rows(log_weight, fit_points, seed);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    // In random order: not all of them are looked at.
    RandomStream random(seed, streams::mixture, 1);
    for (std::size_t i = rows.size(); i > 1; --i)
        std::swap(rows[i - 1], rows[random.below(static_cast<std::uint32_t>(i))]);
    return separate_groups(unit.view(), rows, {});
}

/// Modes of the posterior. Rows are drawn by weight, so that a mode is seen where it holds more than a thousandth of it.
Modes modes_in(const Matrix<double>& unit, std::span<const double> log_weight, std::uint64_t seed) {
    return modes_of(unit.view(), groups_in(unit, log_weight, seed), {});
}

/// The coordinates in which modes stand apart by more than their width.
std::vector<bool> modes_apart(const Matrix<double>& unit, std::span<const double> log_weight, const Modes& modes) {
    std::vector<bool> apart(unit.columns(), false);
    if (modes.count() < 2) return apart;
    for (std::size_t j = 0; j < apart.size(); ++j) {
        double mean = 0.0;
        double square = 0.0;
        for (std::size_t i = 0; i < log_weight.size(); ++i) {
            const double weight = std::exp(log_weight[i]);
            mean += weight * unit(i, j);
            square += weight * unit(i, j) * unit(i, j);
        }
        apart[j] = square - mean * mean > 2.0 * modes.scale[j] * modes.scale[j];
    }
    return apart;
}

class Estimator {
  public:
    Estimator(const Problem& problem, const NestedResult& run, const ImportanceOptions& options, Threads& threads)
        : problem_(problem),
          options_(options),
          threads_(threads),
          turn_(problem, run),
          unit_(turn_.there(run.unit_samples)),
          modes_(modes_in(unit_, run.log_weight, options.seed)),
          map_(unit_, run.log_weight, modes_apart(unit_, run.log_weight, modes_)) {
        const auto effective = static_cast<std::size_t>(effective_samples(run.log_weight));
        const std::size_t count = std::clamp<std::size_t>(2 * effective, 200, fit_points);
        // Even rows are fitted to, odd ones stay for the bridge.
        const std::vector<std::size_t> rows = equal_weight_rows(run.log_weight, 2 * count, options.seed);
        posterior_ = Matrix<double>(count, run.dimension);
        held_out_ = Matrix<double>(count, run.dimension);
        held_out_log_likelihood_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            map_.forward(unit_.row(rows[2 * i]), posterior_.row(i));
            map_.forward(unit_.row(rows[2 * i + 1]), held_out_.row(i));
            held_out_log_likelihood_[i] = run.log_likelihood[rows[2 * i + 1]];
        }
        held_out_effective_ = 0.5 * static_cast<double>(effective);
    }

    SecondOpinion estimate(const NestedResult& run, ImportanceDraws* kept) {
        SecondOpinion result;
        Matrix<double> points = posterior_;
        Draws draws;
        TMixture mixture = fit(points);
        for (std::size_t round = 0; round < options_.rounds; ++round) {
            const bool last = round + 1 == options_.rounds;
            draws = draw(mixture, last ? options_.draws : options_.draws / 2, round);
            result.likelihood_calls += draws.log_weight.size();
            if (last) break;
            // A fifth of the next fit comes from nested sampling, so that no mode is forgotten.
            const std::vector<std::size_t> rows = equal_weight_rows(draws.log_weight, fit_points * 4 / 5, options_.seed + round);
            points = Matrix<double>(0, run.dimension);
            points = Matrix<double>(rows.size(), run.dimension);
            for (std::size_t i = 0; i < rows.size(); ++i)
                std::ranges::copy(draws.score.row(rows[i]), points.row(i).begin());
            for (std::size_t i = 0; i < fit_points / 5; ++i)
                points.append_row(posterior_.row(i * posterior_.rows() / (fit_points / 5)));
            mixture = fit(points);
        }
        const auto n = static_cast<double>(draws.log_weight.size());
        result.log_evidence = log_mean(draws.log_weight);
        result.effective_samples = effective_samples(draws.log_weight);
        result.log_evidence_error = std::sqrt(std::max(n / result.effective_samples - 1.0, 0.0) / n);
        result.pareto_k = pareto_shape(draws.log_weight);
        const std::vector<double> held_out = held_out_weights(mixture);
        result.bridge_log_evidence = bridge(held_out, draws, result.log_evidence);
        if (run.method == Method::nested) result.uncovered = uncovered(held_out, draws, result.log_evidence);
        judge(run, result);
        if (kept != nullptr) keep(std::move(draws), *kept);
        return result;
    }

  private:
    TMixture fit(const Matrix<double>& points) const {
        const std::size_t d = points.columns();
        const std::size_t components = std::clamp<std::size_t>(points.rows() / (40 * d), 1, most_components);
        Matrix<double> unit(points.rows(), d);
        std::vector<std::size_t> rows(points.rows());
        for (std::size_t i = 0; i < points.rows(); ++i) {
            (void)map_.backward(points.row(i), unit.row(i));
            rows[i] = i;
        }
        const auto groups = group_by_mode(unit.view(), rows, modes_, {});
        TMixture mixture(points.view(), components, options_.seed, threads_, groups);
        mixture.add_defence(points.view(), defence_share, defence_inflation);
        return mixture;
    }

    Draws draw(const TMixture& mixture, std::size_t count, std::size_t round) {
        const std::size_t d = mixture.dimension();
        Draws draws{Matrix<double>(count, d), std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
        threads_.for_each_block((count + batch - 1) / batch, [&](std::size_t block) {
            const std::size_t first = block * batch;
            const std::size_t size = std::min(batch, count - first);
            Matrix<double> unit(size, d);
            Matrix<double> parameters(size, d);
            std::vector<double> jacobian(size);
            std::vector<double> values(size);
            for (std::size_t i = 0; i < size; ++i) {
                RandomStream random(options_.seed, streams::importance, (static_cast<std::uint64_t>(round) << 32U) + first + i);
                mixture.draw(random, draws.score.row(first + i));
                jacobian[i] = map_.backward(draws.score.row(first + i), unit.row(i));
                turn_.back(unit.row(i));
            }
            problem_.transform(unit.view(), parameters.view());
            problem_.log_likelihood(parameters.view(), values);
            for (std::size_t i = 0; i < size; ++i) {
                const double value = std::isnan(values[i]) ? -infinity : values[i];
                draws.log_target[first + i] = value + jacobian[i];
                draws.log_proposal[first + i] = mixture.log_density(draws.score.row(first + i));
                draws.log_weight[first + i] = draws.log_target[first + i] - draws.log_proposal[first + i];
            }
        });
        return draws;
    }

    void keep(Draws draws, ImportanceDraws& kept) const {
        kept.unit = Matrix<double>(draws.score.rows(), draws.score.columns());
        kept.log_likelihood.clear();
        kept.log_proposal.clear();
        for (std::size_t i = 0; i < draws.score.rows(); ++i) {
            const double jacobian = map_.backward(draws.score.row(i), kept.unit.row(i));
            turn_.back(kept.unit.row(i));
            kept.log_likelihood.push_back(draws.log_target[i] - jacobian);
            kept.log_proposal.push_back(draws.log_proposal[i] - jacobian);
        }
    }

    /// ln of prior times likelihood over the mixture's density at posterior samples that it was not fitted to.
    [[nodiscard]] std::vector<double> held_out_weights(const TMixture& mixture) const {
        std::vector<double> all(held_out_.rows());
        std::vector<double> unit(held_out_.columns());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double jacobian = map_.backward(held_out_.row(i), unit);
            all[i] = held_out_log_likelihood_[i] + jacobian - mixture.log_density(held_out_.row(i));
        }
        return all;
    }

    /// Share of the posterior where the mixture is thin that nested sampling has found and the draws have not, three standard
    /// errors taken off; 0 where they agree.
    [[nodiscard]] double uncovered(const std::vector<double>& held_out, const Draws& draws, double log_evidence) const {
        const double thin = log_evidence + std::log(thin_mixture);
        double known = 0.0;
        for (const double w : draws.log_weight)
            known += w > thin ? std::exp(w - log_evidence) / static_cast<double>(draws.log_weight.size()) : 0.0;
        const auto above =
            static_cast<double>(std::count_if(held_out.begin(), held_out.end(), [&](double w) { return w > thin; }));
        const double share = above / static_cast<double>(held_out.size());
        return std::max(0.0, share - known - 3.0 * std::sqrt(share / held_out_effective_));
    }

    /// Meng & Wong's iteration between draws of the mixture and the held-out posterior.
    double bridge(const std::vector<double>& posterior, const Draws& draws, double start) const {
        const auto n = static_cast<double>(draws.log_weight.size());
        const double s1 = held_out_effective_ / (held_out_effective_ + n);
        const double s2 = 1.0 - s1;
        double log_evidence = start;
        for (int iteration = 0; iteration < 1000; ++iteration) {
            double above = 0.0;
            for (const double w : draws.log_weight) {
                const double l = std::exp(w - log_evidence);
                above += std::isinf(l) ? 1.0 / s1 : l / (s1 * l + s2);
            }
            double below = 0.0;
            for (const double w : posterior)
                below += 1.0 / (s1 * std::exp(w - log_evidence) + s2);
            const double next = log_evidence + std::log(above / n) - std::log(below / static_cast<double>(posterior.size()));
            const bool done = std::abs(next - log_evidence) < 1e-10;
            log_evidence = next;
            if (done) break;
        }
        return log_evidence;
    }

    static void judge(const NestedResult& run, SecondOpinion& result) {
        const double gap = result.log_evidence - run.log_evidence;
        if (!(result.pareto_k < 0.5)) {
            result.reason = format("Pareto k of the importance weights is {:.2f} (must be below 0.5)", result.pareto_k);
        } else if (result.effective_samples < 1000.0) {
            result.reason =
                format("the importance weights are worth {:.0f} samples (1000 are asked for)", result.effective_samples);
        } else if (result.uncovered > 0.0) {
            result.reason =
                format("more than {:.2g} of the posterior lies where the mixture has hardly a draw", result.uncovered);
        } else if (!(std::abs(gap) < 3.0 * std::hypot(run.log_evidence_error, result.log_evidence_error))) {
            result.disagrees = true;
            result.reason = format("importance and nested sampling disagree by {:+.2f} (error of nested sampling {:.2f})", gap,
                                   run.log_evidence_error);
        }
        result.trusted = result.reason.empty();
    }

    const Problem& problem_;
    ImportanceOptions options_;
    Threads& threads_;
    Turn turn_;
    Matrix<double> unit_;  // samples of the run, turned
    Modes modes_;
    MarginalMap map_;
    Matrix<double> posterior_;
    Matrix<double> held_out_;
    std::vector<double> held_out_log_likelihood_;
    double held_out_effective_ = 0.0;
};

}  // namespace

SecondOpinion second_opinion(const Problem& problem, const NestedResult& run, const ImportanceOptions& options, Threads& threads,
                             ImportanceDraws* draws) {
    return Estimator(problem, run, options, threads).estimate(run, draws);
}

double pareto_shape(std::span<const double> log_weight) {
    std::vector<double> sorted(log_weight.begin(), log_weight.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    const auto n = static_cast<double>(sorted.size());
    const auto count = static_cast<std::size_t>(std::min(n / 5.0, 3.0 * std::sqrt(n)));
    if (count < 5 || !std::isfinite(sorted[count])) return infinity;
    const double cut = std::exp(sorted[count] - sorted[0]);
    std::vector<double> x;  // exceedances, ascending
    for (std::size_t i = count; i-- > 0;)
        x.push_back(std::exp(sorted[i] - sorted[0]) - cut);
    const auto m = static_cast<double>(count);
    const double quarter = x[static_cast<std::size_t>(m / 4.0 + 0.5) - 1];
    if (!(quarter > 0.0)) return infinity;
    const int steps = 30 + static_cast<int>(std::sqrt(m));
    const auto shape_at = [&](double b) {
        double sum = 0.0;
        for (const double value : x)
            sum += std::log1p(-b * value);
        return sum / m;
    };
    std::vector<double> b;
    std::vector<double> log_likelihood;
    for (int i = 1; i <= steps; ++i) {
        b.push_back(1.0 / x.back() + (1.0 - std::sqrt(steps / (i - 0.5))) / (3.0 * quarter));
        const double k = shape_at(b.back());
        log_likelihood.push_back(m * (std::log(-b.back() / k) - k - 1.0));
    }
    double mean = 0.0;
    for (int i = 0; i < steps; ++i) {
        double sum = 0.0;
        for (int j = 0; j < steps; ++j)
            sum += std::exp(log_likelihood[static_cast<std::size_t>(j)] - log_likelihood[static_cast<std::size_t>(i)]);
        mean += b[static_cast<std::size_t>(i)] / sum;
    }
    // A weak prior towards 1/2, worth ten weights.
    return (m * shape_at(mean) + 10.0 * 0.5) / (m + 10.0);
}

}  // namespace aliquot::infer
