#include "aliquot/infer/diagnostics.hpp"

#include <algorithm>
#include <cmath>

namespace aliquot::infer {

double uniform_p_value(std::vector<double> values) {
    if (values.empty()) return 1.0;
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto below = static_cast<double>(i);
        distance = std::max({distance, (below + 1.0) / n - values[i], values[i] - below / n});
    }
    const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
    if (x < 0.2) return 1.0;  // the series converges slowly there and is 1 to ten digits
    double p = 0.0;
    for (int k = 1; k <= 100; ++k)
        p += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(p, 0.0, 1.0);
}

double RankCorrelation::error() const {
    return count_ > 0 ? 1.0 / std::sqrt(static_cast<double>(count_)) : 1.0;
}

}  // namespace aliquot::infer
