#pragma once

#include <cmath>

#include "aliquot/core/random.hpp"

namespace aliquot::infer {

/// Two independent standard normals (Marsaglia's polar method).
struct NormalPair {
    double a;
    double b;
};
inline NormalPair normal_pair(RandomStream& random) {
    for (;;) {
        const double x = 2.0 * random.uniform() - 1.0;
        const double y = 2.0 * random.uniform() - 1.0;
        const double r2 = x * x + y * y;
        if (r2 >= 1.0 || r2 == 0.0) continue;
        const double scale = std::sqrt(-2.0 * std::log(r2) / r2);
        return {x * scale, y * scale};
    }
}

}  // namespace aliquot::infer
