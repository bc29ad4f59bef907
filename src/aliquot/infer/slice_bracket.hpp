#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/periodic.hpp"

namespace aliquot::infer {

inline constexpr int most_shrinks = 200;  ///< of one slice; it is given up after them

/// A slice's interval along a direction from a point of the unit cube (Neal 2003): randomly placed around the point, cut at the
/// cube's faces (periodic coordinates have none), shrunk to every rejected trial.
struct SliceBracket {
    double low = 0.0;
    double high = 0.0;

    [[nodiscard]] static SliceBracket around(std::span<const double> unit, std::span<const double> direction, double width,
                                             RandomStream& random, std::span<const char> periodic = {}) {
        double face_low = -std::numeric_limits<double>::infinity();
        double face_high = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < unit.size(); ++j) {
            if (direction[j] == 0.0 || (!periodic.empty() && periodic[j])) continue;
            const double inverse = 1.0 / direction[j];
            const double a = -unit[j] * inverse;
            const double b = (1.0 - unit[j]) * inverse;
            face_low = std::max(face_low, std::min(a, b));
            face_high = std::min(face_high, std::max(a, b));
        }
        const double offset = width * random.uniform();
        return {std::max(face_low, -offset), std::min(face_high, width - offset)};
    }

    [[nodiscard]] double draw(RandomStream& random) const { return low + (high - low) * random.uniform(); }
    void shrink(double rejected) { (rejected < 0.0 ? low : high) = rejected; }
};

/// unit + at direction; a chord ends on the cube's faces but for rounding, and goes round in periodic coordinates.
inline void step_along(std::span<const double> unit, std::span<const double> direction, double at, std::span<double> trial,
                       std::span<const char> periodic = {}) {
    for (std::size_t j = 0; j < unit.size(); ++j) {
        const double moved = unit[j] + at * direction[j];
        trial[j] = !periodic.empty() && periodic[j] ? wrapped(moved) : std::clamp(moved, 0.0, 1.0);
    }
}

}  // namespace aliquot::infer
