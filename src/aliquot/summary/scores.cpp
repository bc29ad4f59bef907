#include "aliquot/summary/scores.hpp"

#include <algorithm>

#include "aliquot/summary/row_statistics.hpp"

namespace aliquot::summary {

namespace {

/// Draws below `value`, and draws at or below it.
std::pair<std::size_t, std::size_t> places(std::span<const float> sorted, double value) {
    const auto below = std::ranges::lower_bound(sorted, value, {}, [](float x) { return static_cast<double>(x); });
    const auto above = std::ranges::upper_bound(sorted, value, {}, [](float x) { return static_cast<double>(x); });
    return {static_cast<std::size_t>(below - sorted.begin()), static_cast<std::size_t>(above - sorted.begin())};
}

}  // namespace

float crps(std::span<const float> sorted, double observed, const RowKernels& kernels) {
    const auto count = static_cast<double>(sorted.size());
    const std::size_t below = places(sorted, observed).first;
    const double low = kernels.sum(sorted.data(), below);
    const double high = kernels.sum(sorted.data() + below, sorted.size() - below);
    const double distance = high - low + observed * (2.0 * static_cast<double>(below) - count);
    double spread = 0.0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        spread += (2.0 * static_cast<double>(i) + 1.0 - count) * static_cast<double>(sorted[i]);
    return static_cast<float>(distance / count - spread / (count * count));
}

float interval_score(std::span<const float> sorted, double observed, double mass) {
    const Interval interval = equal_tailed_interval(sorted, mass);
    const auto lower = static_cast<double>(interval.lower);
    const auto upper = static_cast<double>(interval.upper);
    const double outside = std::max({lower - observed, observed - upper, 0.0});
    return static_cast<float>(upper - lower + 2.0 / (1.0 - mass) * outside);
}

float covered(std::span<const float> sorted, double observed, double mass) {
    const Interval interval = equal_tailed_interval(sorted, mass);
    return static_cast<double>(interval.lower) <= observed && observed <= static_cast<double>(interval.upper) ? 1.0F : 0.0F;
}

float brier(std::span<const float> sorted, double observed, double threshold) {
    const double difference = static_cast<double>(exceedance(sorted, threshold)) - (observed > threshold ? 1.0 : 0.0);
    return static_cast<float>(difference * difference);
}

float pit(std::span<const float> sorted, double observed) {
    const auto [below, up_to] = places(sorted, observed);
    return static_cast<float>(0.5 * static_cast<double>(below + up_to) / static_cast<double>(sorted.size()));
}

}  // namespace aliquot::summary
