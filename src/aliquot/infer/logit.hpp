#pragma once

#include <cmath>

namespace aliquot::infer {

/// ln(u / (1 - u)), 0 < u < 1
[[nodiscard]] inline double logit(double u) {
    return std::log(u) - std::log1p(-u);
}

/// The way back without losing either end; `log_slope` becomes ln du/dlogit.
[[nodiscard]] inline double from_logit(double value, double& log_slope) {
    const double e = std::exp(-std::abs(value));
    const double small = e / (1.0 + e);
    log_slope = -std::abs(value) - 2.0 * std::log1p(e);
    return value < 0.0 ? small : 1.0 - small;
}

}  // namespace aliquot::infer
