#include "aliquot/summary/row_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace aliquot::summary {

namespace {

/// The greatest float32 number that is not above `value`: x > value and x > this one mean the same for every float32 x.
float rounded_down(double value) {
    const auto nearest = static_cast<float>(value);
    return static_cast<double>(nearest) > value ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

float share_above(std::span<const float> sorted, float threshold) {
    const auto above = static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), threshold));
    return static_cast<float>(above / static_cast<double>(sorted.size()));
}

float middle(float a, float b) {
    return static_cast<float>(0.5 * (static_cast<double>(a) + static_cast<double>(b)));
}

/// Numbers of draws per equal bin between the extremes, corrected at the bins' float32 edges as numpy.histogram does.
std::array<std::size_t, 100> histogram(std::span<const float> sorted, const std::array<float, 101>& edges,
                                       const RowKernels& kernels) {
    constexpr int bins = 100;
    std::array<std::size_t, bins> counts{};
    std::vector<int> index(sorted.size());
    kernels.bin(sorted.data(), sorted.size(), edges.front(), edges.back() - edges.front(), bins, index.data());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        int bin = std::clamp(index[i], 0, bins - 1);
        if (sorted[i] < edges[static_cast<std::size_t>(bin)]) {
            bin = std::max(bin - 1, 0);
        } else if (bin != bins - 1 && sorted[i] >= edges[static_cast<std::size_t>(bin) + 1]) {
            ++bin;
        }
        ++counts[static_cast<std::size_t>(bin)];
    }
    return counts;
}

}  // namespace

float exceedance(std::span<const float> sorted, double threshold) {
    return share_above(sorted, rounded_down(threshold));
}

float exceedance_float32(std::span<const float> sorted, double threshold) {
    return share_above(sorted, static_cast<float>(threshold));
}

float expected_shortfall(std::span<const float> sorted, double tail, const RowKernels& kernels) {
    const auto wanted = static_cast<std::size_t>(std::ceil(tail * static_cast<double>(sorted.size())));
    const std::size_t count = std::clamp<std::size_t>(wanted, 1, sorted.size());
    return static_cast<float>(kernels.sum(sorted.data() + sorted.size() - count, count) / static_cast<double>(count));
}

float quantile(std::span<const float> sorted, double q) {
    const double position = static_cast<double>(sorted.size() - 1) * q;
    const auto below = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = position - static_cast<double>(below);
    const auto step = static_cast<double>(sorted[above] - sorted[below]);
    return static_cast<float>(part < 0.5 ? static_cast<double>(sorted[below]) + step * part
                                         : static_cast<double>(sorted[above]) - step * (1.0 - part));
}

Interval equal_tailed_interval(std::span<const float> sorted, double mass) {
    return {quantile(sorted, 0.5 * (1.0 - mass)), quantile(sorted, 0.5 * (1.0 + mass))};
}

Interval shortest_interval(std::span<const float> sorted, double mass, const RowKernels& kernels) {
    const auto steps = static_cast<std::size_t>(std::floor(mass * static_cast<double>(sorted.size())));
    if (steps == 0) return {sorted.front(), sorted.front()};
    const std::size_t first = kernels.narrowest(sorted.data(), 0, sorted.size() - 1 - steps, steps);
    return {sorted[first], sorted[first + steps]};
}

float mean(std::span<const float> sorted, const RowKernels& kernels) {
    return static_cast<float>(kernels.sum(sorted.data(), sorted.size()) / static_cast<double>(sorted.size()));
}

float standard_deviation(std::span<const float> sorted, const RowKernels& kernels) {
    const auto count = static_cast<double>(sorted.size());
    const double centre = kernels.sum(sorted.data(), sorted.size()) / count;
    return static_cast<float>(std::sqrt(kernels.squares(sorted.data(), sorted.size(), centre) / count));
}

float median(std::span<const float> sorted) {
    return middle(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
}

float median_absolute_deviation(std::span<const float> sorted) {
    // Distances from the median grow to both sides of it: merge the two halves from the middle outwards.
    const float centre = median(sorted);
    auto right = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), centre) - sorted.begin());
    std::size_t left = right;
    const auto next = [&] {
        if (left == 0 || (right < sorted.size() && sorted[right] - centre <= centre - sorted[left - 1]))
            return sorted[right++] - centre;
        return centre - sorted[--left];
    };
    const std::size_t lower = (sorted.size() - 1) / 2;
    float distance = 0.0F;
    for (std::size_t i = 0; i <= lower; ++i)
        distance = next();
    return sorted.size() % 2 == 1 ? distance : middle(distance, next());
}

float half_sample_mode(std::span<const float> sorted, const RowKernels& kernels) {
    while (sorted.size() > 3) {
        const std::size_t half = (sorted.size() + 1) / 2;
        const std::size_t first = kernels.narrowest(sorted.data(), 0, sorted.size() - half, half - 1);
        sorted = sorted.subspan(first, half);
    }
    if (sorted.size() == 3) {
        const float low = sorted[1] - sorted[0];
        const float high = sorted[2] - sorted[1];
        if (low == high) return sorted[1];
        return low < high ? middle(sorted[0], sorted[1]) : middle(sorted[1], sorted[2]);
    }
    return middle(sorted.front(), sorted.back());
}

float most_frequent_value(std::span<const float> sorted) {
    float best = sorted.front();
    std::size_t most = 0;
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t end = i + 1;
        while (end < sorted.size() && sorted[end] == sorted[i])
            ++end;
        if (end - i > most) {
            most = end - i;
            best = sorted[i];
        }
        i = end;
    }
    return best;
}

float map_estimate(std::span<const float> sorted, const RowKernels& kernels) {
    constexpr double near_zero = 1e-8;
    const auto begin =
        std::lower_bound(sorted.begin(), sorted.end(), -near_zero, [](float x, double y) { return static_cast<double>(x) < y; });
    const auto end =
        std::upper_bound(begin, sorted.end(), near_zero, [](double y, float x) { return y < static_cast<double>(x); });
    if (static_cast<double>(end - begin) / static_cast<double>(sorted.size()) >= 0.3) return 0.0F;
    float low = sorted.front();
    float high = sorted.back();
    if (low == high) {
        low -= 0.5F;
        high += 0.5F;
    }
    std::array<float, 101> edges{};
    const float step = (high - low) / 100.0F;
    for (std::size_t i = 0; i < 100; ++i)
        edges[i] = static_cast<float>(i) * step + low;
    edges[100] = high;
    const auto counts = histogram(sorted, edges, kernels);
    const auto densest = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    return (edges[densest] + edges[densest + 1]) / 2.0F;
}

bool is_bimodal(std::span<const float> sorted, const RowKernels& kernels) {
    constexpr std::size_t bins = 16;
    const float low = sorted.front();
    const float span = sorted.back() == low ? 1.0F : sorted.back() - low;
    std::array<std::size_t, bins> counts{};
    std::array<int, 256> index{};
    for (std::size_t first = 0; first < sorted.size(); first += index.size()) {
        const std::size_t count = std::min(index.size(), sorted.size() - first);
        kernels.bin(sorted.data() + first, count, low, span, bins, index.data());
        for (std::size_t i = 0; i < count; ++i)
            ++counts[static_cast<std::size_t>(std::max(index[i], 0))];
    }
    std::array<double, bins> smoothed{};
    for (std::size_t i = 0; i < bins; ++i) {
        const bool edge = i == 0 || i + 1 == bins;
        const std::size_t sum = counts[i] + (i > 0 ? counts[i - 1] : 0) + (i + 1 < bins ? counts[i + 1] : 0);
        smoothed[i] = static_cast<double>(sum) / (edge ? 2.0 : 3.0);
    }
    const double significant = 0.40 * *std::max_element(smoothed.begin(), smoothed.end());
    const double least_mass = 0.15 * static_cast<double>(sorted.size());
    int regions = 0;
    for (std::size_t i = 0; i < bins; ++i) {
        std::size_t mass = 0;
        for (; i < bins && smoothed[i] >= significant; ++i)
            mass += counts[i];
        if (mass > 0 && static_cast<double>(mass) >= least_mass) ++regions;
    }
    return regions >= 2;
}

}  // namespace aliquot::summary
