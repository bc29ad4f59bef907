#include "aliquot/summary/tower.hpp"

#include <cmath>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::summary {

std::array<std::size_t, floor_count> window_steps(std::size_t draws) {
    std::array<std::size_t, floor_count> steps{};
    for (std::size_t i = 0; i < floor_count; ++i)
        steps[i] = static_cast<std::size_t>(std::floor(canonical_floors[i] * static_cast<double>(draws)));
    return steps;
}

std::size_t nearest_floor(double mass) {
    if (!(mass > 0.0 && mass < 1.0))
        throw ConfigError(format("mass = {} (not between 0 and 1): give a fraction such as 0.9", mass));
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < floor_count; ++i) {
        if (std::abs(canonical_floors[i] - mass) < std::abs(canonical_floors[nearest] - mass)) nearest = i;
    }
    return nearest;
}

Tower build_tower(std::span<const float> sorted, double tip_mass, const RowKernels& kernels) {
    ALIQUOT_EXPECT(!sorted.empty());
    const auto steps = window_steps(sorted.size());
    Tower tower{};
    kernels.tower(sorted.data(), sorted.size(), {steps.data(), 0, nearest_floor(tip_mass)}, tower);
    return tower;
}

}  // namespace aliquot::summary
