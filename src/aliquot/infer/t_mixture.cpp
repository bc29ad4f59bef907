#include "aliquot/infer/t_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/infer/normal.hpp"
#include "aliquot/infer/streams.hpp"
#include "aliquot/infer/whitening.hpp"

namespace aliquot::infer {

namespace {

constexpr int most_iterations = 40;
constexpr double gain_wanted = 1e-4;  // of the mean ln density of the points, from one iteration to the next
constexpr std::size_t block_points = 256;
constexpr double nu = TMixture::degrees_of_freedom;

double log_sum(std::span<const double> terms) {
    const double largest = *std::max_element(terms.begin(), terms.end());
    if (!std::isfinite(largest)) return largest;
    double sum = 0.0;
    for (const double term : terms)
        sum += std::exp(term - largest);
    return largest + std::log(sum);
}

/// All points in one group.
std::vector<std::vector<std::size_t>> one_group(MatrixView<const double> points) {
    std::vector<std::vector<std::size_t>> whole(1, std::vector<std::size_t>(points.rows()));
    std::iota(whole[0].begin(), whole[0].end(), std::size_t{0});
    return whole;
}

std::vector<double> mean_of(MatrixView<const double> points) {
    std::vector<double> mean(points.columns(), 0.0);
    for (std::size_t i = 0; i < points.rows(); ++i)
        for (std::size_t k = 0; k < mean.size(); ++k)
            mean[k] += points(i, k) / static_cast<double>(points.rows());
    return mean;
}

/// Rows that are far from each other: one of each group, and each next one with probability proportional to its squared distance,
/// in units of `variance`, from the nearest one chosen (k-means++, Arthur & Vassilvitskii 2007).
std::vector<std::size_t> separated_rows(MatrixView<const double> points, std::span<const double> variance, std::size_t count,
                                        std::span<const std::vector<std::size_t>> groups, RandomStream& random) {
    std::vector<std::size_t> chosen;
    std::vector<double> nearest(points.rows(), std::numeric_limits<double>::infinity());
    double sum = 0.0;
    while (chosen.size() < count) {
        std::size_t next = 0;
        if (chosen.size() < groups.size()) {
            const auto& group = groups[chosen.size()];
            next = group[random.below(static_cast<std::uint32_t>(group.size()))];
        } else {
            double left = random.uniform() * sum;
            while (next + 1 < points.rows() && left > nearest[next])
                left -= nearest[next++];
        }
        chosen.push_back(next);
        sum = 0.0;
        for (std::size_t i = 0; i < points.rows(); ++i) {
            double square = 0.0;
            for (std::size_t k = 0; k < points.columns(); ++k) {
                const double gap = points(i, k) - points(next, k);
                square += gap * gap / variance[k];
            }
            nearest[i] = std::min(nearest[i], square);
            sum += nearest[i];
        }
    }
    return chosen;
}

}  // namespace

TMixture::TMixture(MatrixView<const double> points, std::size_t components, std::uint64_t seed, Threads& threads,
                   std::span<const std::vector<std::size_t>> groups)
    : dimension_(points.columns()) {
    const std::vector<std::vector<std::size_t>> one = one_group(points);
    if (groups.empty()) groups = one;
    components = std::max(components, groups.size());
    ALIQUOT_EXPECT(components > 0 && points.rows() > components);
    const std::size_t d = dimension_;
    const std::size_t n = points.rows();
    const std::vector<double> whole = covariance(points, groups);
    std::vector<double> variance(d);
    for (std::size_t k = 0; k < d; ++k)
        variance[k] = std::max(whole[k * d + k], 1e-300);
    RandomStream random(seed, streams::mixture, 0);
    // Parts share the volume of the groups at the start.
    const double shrink =
        std::pow(static_cast<double>(components) / static_cast<double>(groups.size()), -2.0 / static_cast<double>(d));
    for (const std::size_t row : separated_rows(points, variance, components, groups, random)) {
        Part part;
        part.weight = 1.0 / static_cast<double>(components);
        part.mean.assign(points.row(row).begin(), points.row(row).end());
        if (components == 1) part.mean = mean_of(points);
        std::vector<double> scale = whole;
        for (double& value : scale)
            value *= shrink;
        set_factor(part, scale);
        parts_.push_back(std::move(part));
    }
    // Covariances keep a little of the whole.
    std::vector<double> floor = whole;
    for (std::size_t k = 0; k < d; ++k)
        floor[k * d + k] = variance[k];
    for (double& value : floor)
        value *= 1e-3 * shrink;

    Expectation expectation{Matrix<double>(n, components), Matrix<double>(n, components), std::vector<double>(n)};
    double before = -std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        threads.for_each_block((n + block_points - 1) / block_points, [&](std::size_t block) {
            const std::size_t first = block * block_points;
            expect(points, first, std::min(first + block_points, n), expectation);
        });
        threads.for_each_block(components, [&](std::size_t j) { maximise(points, expectation, floor, j); });
        const double now = std::accumulate(expectation.log_density.begin(), expectation.log_density.end(), 0.0);
        if (now - before < gain_wanted * static_cast<double>(n)) return;
        before = now;
    }
}

void TMixture::expect(MatrixView<const double> points, std::size_t first, std::size_t last, Expectation& expectation) const {
    const auto d = static_cast<double>(dimension_);
    std::vector<double> terms(parts_.size());
    std::vector<double> scratch(dimension_);
    for (std::size_t i = first; i < last; ++i) {
        for (std::size_t j = 0; j < parts_.size(); ++j) {
            const double square = distance(parts_[j], points.row(i), scratch);
            terms[j] = parts_[j].log_norm - 0.5 * (nu + d) * std::log1p(square / nu);
            expectation.pull(i, j) = (nu + d) / (nu + square);
        }
        expectation.log_density[i] = log_sum(terms);
        for (std::size_t j = 0; j < parts_.size(); ++j) {
            expectation.share(i, j) = std::exp(terms[j] - expectation.log_density[i]);
            expectation.pull(i, j) *= expectation.share(i, j);
        }
    }
}

void TMixture::maximise(MatrixView<const double> points, const Expectation& expectation, const std::vector<double>& floor,
                        std::size_t j) {
    const std::size_t d = dimension_;
    const std::size_t n = points.rows();
    double sum = 0.0;
    double pulls = 0.0;
    std::vector<double> mean(d, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const double pull = expectation.pull(i, j);
        sum += expectation.share(i, j);
        pulls += pull;
        for (std::size_t k = 0; k < d; ++k)
            mean[k] += pull * points(i, k);
    }
    Part& part = parts_[j];
    if (sum < 2.0 * static_cast<double>(d)) {
        // Too few points for a covariance: the part keeps its place and shape, but not its weight, or the weights would no longer
        // sum to one.
        const double weight = std::max(sum / static_cast<double>(n), 1e-300);
        part.log_norm += std::log(weight / part.weight);
        part.weight = weight;
        return;
    }
    for (double& value : mean)
        value /= pulls;
    std::vector<double> scale(d * d, 0.0);
    std::vector<double> away(d);
    for (std::size_t i = 0; i < n; ++i) {
        const double pull = expectation.pull(i, j);
        if (pull < 1e-12) continue;
        for (std::size_t k = 0; k < d; ++k)
            away[k] = points(i, k) - mean[k];
        for (std::size_t k = 0; k < d; ++k) {
            const double along = pull * away[k] / sum;
            for (std::size_t l = 0; l <= k; ++l)
                scale[k * d + l] += along * away[l];
        }
    }
    for (std::size_t k = 0; k < d; ++k) {
        for (std::size_t l = 0; l <= k; ++l)
            scale[l * d + k] = scale[k * d + l] += floor[k * d + l];
    }
    part.weight = sum / static_cast<double>(n);
    part.mean = std::move(mean);
    set_factor(part, scale);
}

TMixture::TMixture(std::span<const Component> components) : dimension_(components.front().mean.size()) {
    double total = 0.0;
    for (const Component& component : components)
        total += component.weight;
    for (const Component& component : components) {
        Part part{component.weight / total, component.mean, {}, 0.0};
        set_factor(part, component.scale);
        parts_.push_back(std::move(part));
    }
}

void TMixture::add_defence(MatrixView<const double> points, double share, double inflation) {
    for (Part& part : parts_) {
        part.weight *= 1.0 - share;
        part.log_norm += std::log1p(-share);
    }
    Part part;
    part.weight = share;
    part.mean = mean_of(points);
    std::vector<double> scale = covariance(points, one_group(points));
    for (double& value : scale)
        value *= inflation;
    set_factor(part, scale);
    parts_.push_back(std::move(part));
}

void TMixture::set_factor(Part& part, const std::vector<double>& scale) const {
    const auto d = static_cast<double>(dimension_);
    part.factor = cholesky(scale, 1.0, dimension_);
    double log_root = 0.0;
    for (std::size_t k = 0; k < dimension_; ++k)
        log_root += std::log(part.factor[k * dimension_ + k]);
    part.log_norm = std::log(part.weight) - log_root + std::lgamma(0.5 * (nu + d)) - std::lgamma(0.5 * nu) -
                    0.5 * d * std::log(nu * std::numbers::pi);
}

double TMixture::distance(const Part& part, std::span<const double> point, std::span<double> scratch) const {
    double square = 0.0;
    for (std::size_t k = 0; k < dimension_; ++k) {
        double value = point[k] - part.mean[k];
        const double* row = part.factor.data() + k * dimension_;
        for (std::size_t l = 0; l < k; ++l)
            value -= row[l] * scratch[l];
        scratch[k] = value / row[k];
        square += scratch[k] * scratch[k];
    }
    return square;
}

double TMixture::log_density(std::span<const double> point) const {
    std::vector<double> scratch(dimension_);
    std::vector<double> terms;
    for (const Part& part : parts_) {
        const double square = distance(part, point, scratch);
        terms.push_back(part.log_norm - 0.5 * (nu + static_cast<double>(dimension_)) * std::log1p(square / nu));
    }
    return log_sum(terms);
}

void TMixture::draw(RandomStream& random, std::span<double> point) const {
    double left = random.uniform();
    std::size_t j = 0;
    while (j + 1 < parts_.size() && left > parts_[j].weight)
        left -= parts_[j++].weight;
    const Part& part = parts_[j];
    std::vector<double> normal(dimension_ + 1);
    for (std::size_t k = 0; k < dimension_; k += 2) {
        const NormalPair pair = normal_pair(random);
        normal[k] = pair.a;
        normal[k + 1] = pair.b;
    }
    // The sum of five squared normals.
    const NormalPair first = normal_pair(random);
    const NormalPair second = normal_pair(random);
    const NormalPair third = normal_pair(random);
    const double chi_square =
        first.a * first.a + first.b * first.b + second.a * second.a + second.b * second.b + third.a * third.a;
    const double stretch = std::sqrt(nu / chi_square);
    for (std::size_t k = 0; k < dimension_; ++k) {
        double value = 0.0;
        for (std::size_t l = 0; l <= k; ++l)
            value += part.factor[k * dimension_ + l] * normal[l];
        point[k] = part.mean[k] + stretch * value;
    }
}

}  // namespace aliquot::infer
