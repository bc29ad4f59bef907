#include "aliquot/infer/posterior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/streams.hpp"

namespace aliquot::infer {

namespace {

std::vector<double> weights(std::span<const double> log_weight) {
    const double highest = *std::max_element(log_weight.begin(), log_weight.end());
    std::vector<double> w(log_weight.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        w[i] = std::exp(log_weight[i] - highest);
        sum += w[i];
    }
    for (double& value : w)
        value /= sum;
    return w;
}

constexpr double edge_width = 0.01;
constexpr double edge_mass = 0.05;
constexpr std::size_t histogram_bins = 20;
constexpr double learned_nats = 0.1;

}  // namespace

std::vector<double> column(const Matrix<double>& samples, std::size_t index) {
    std::vector<double> values(samples.rows());
    for (std::size_t row = 0; row < values.size(); ++row)
        values[row] = samples(row, index);
    return values;
}

std::vector<double> weighted_quantiles(std::span<const double> values, std::span<const double> log_weight,
                                       std::span<const double> probabilities) {
    ALIQUOT_EXPECT(!values.empty() && values.size() == log_weight.size());
    const std::vector<double> w = weights(log_weight);
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> middle(values.size());
    double below = 0.0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        middle[i] = below + 0.5 * w[order[i]];
        below += w[order[i]];
    }
    std::vector<double> quantiles;
    for (const double p : probabilities) {
        const auto above = static_cast<std::size_t>(std::lower_bound(middle.begin(), middle.end(), p) - middle.begin());
        if (above == 0) {
            quantiles.push_back(values[order.front()]);
        } else if (above == order.size()) {
            quantiles.push_back(values[order.back()]);
        } else {
            const double low = values[order[above - 1]];
            const double high = values[order[above]];
            const double span = middle[above] - middle[above - 1];
            quantiles.push_back(span > 0.0 ? low + (high - low) * (p - middle[above - 1]) / span : high);
        }
    }
    return quantiles;
}

double effective_samples(std::span<const double> log_weight) {
    double squares = 0.0;
    for (const double w : weights(log_weight))
        squares += w * w;
    return 1.0 / squares;
}

std::vector<std::size_t> equal_weight_rows(std::span<const double> log_weight, std::size_t count, std::uint64_t seed) {
    const std::vector<double> w = weights(log_weight);
    RandomStream random(seed, streams::equal_weight, 0);
    const double offset = random.uniform();
    std::vector<std::size_t> rows;
    double cumulated = 0.0;
    std::size_t row = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double target = (static_cast<double>(i) + offset) / static_cast<double>(count);
        while (row + 1 < w.size() && cumulated + w[row] < target)
            cumulated += w[row++];
        rows.push_back(row);
    }
    return rows;
}

std::string_view to_string(ParameterFlag flag) {
    switch (flag) {
        case ParameterFlag::edge_low:
            return "edge-low";
        case ParameterFlag::edge_high:
            return "edge-high";
        case ParameterFlag::unconstrained:
            return "unconstrained";
        case ParameterFlag::none:
            break;
    }
    return "";
}

std::vector<ParameterFlag> parameter_flags(const NestedResult& run) {
    const std::vector<double> w = weights(run.log_weight);
    const auto best = static_cast<std::size_t>(std::max_element(run.log_likelihood.begin(), run.log_likelihood.end()) -
                                               run.log_likelihood.begin());
    std::vector<ParameterFlag> flags;
    for (std::size_t p = 0; p < run.dimension; ++p) {
        double low = 0.0;
        double high = 0.0;
        std::array<double, histogram_bins> histogram{};
        for (std::size_t i = 0; i < w.size(); ++i) {
            const double u = run.unit_samples(i, p);
            low += u < edge_width ? w[i] : 0.0;
            high += u > 1.0 - edge_width ? w[i] : 0.0;
            histogram[std::min(histogram_bins - 1, static_cast<std::size_t>(u * static_cast<double>(histogram_bins)))] += w[i];
        }
        double learned = 0.0;
        for (const double mass : histogram)
            learned += mass > 0.0 ? mass * std::log(mass * static_cast<double>(histogram_bins)) : 0.0;
        const double u_best = run.unit_samples(best, p);
        const bool at_low = low > edge_mass || u_best < edge_width;
        const bool at_high = high > edge_mass || u_best > 1.0 - edge_width;
        if (learned < learned_nats) {
            flags.push_back(ParameterFlag::unconstrained);
        } else if (at_low || at_high) {
            flags.push_back(at_low && (!at_high || low >= high) ? ParameterFlag::edge_low : ParameterFlag::edge_high);
        } else {
            flags.push_back(ParameterFlag::none);
        }
    }
    return flags;
}

}  // namespace aliquot::infer
