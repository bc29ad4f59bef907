#include "aliquot/spectra/report_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace aliquot::spectra::report {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr double gap_in_steps = 2.5;
constexpr std::size_t neighbours = 5;  // on each side, whose steps say how wide a step is
constexpr std::size_t fine_points = 12000;
constexpr std::size_t most_subdivisions = 24;

double local_step(std::span<const double> wavelength, std::size_t i) {
    std::array<double, 2 * neighbours + 1> steps{};
    std::size_t count = 0;
    const std::size_t first = std::max<std::size_t>(i > neighbours ? i - neighbours : 1, 1);
    const std::size_t last = std::min(i + neighbours, wavelength.size() - 1);
    for (std::size_t k = first; k <= last; ++k)
        steps[count++] = wavelength[k] - wavelength[k - 1];
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(steps.begin(), middle, steps.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

void lift_pen(Points& points) {
    if (points.x.empty()) return;
    points.x.push_back(points.x.back());
    points.y.push_back(gap);
}

}  // namespace

std::vector<Stretch> stretches_between_gaps(std::span<const double> wavelength) {
    std::vector<Stretch> stretches;
    std::size_t first = 0;
    for (std::size_t i = 1; i < wavelength.size(); ++i) {
        if (wavelength[i] - wavelength[i - 1] <= gap_in_steps * local_step(wavelength, i)) continue;
        stretches.emplace_back(first, i);
        first = i;
    }
    if (!wavelength.empty()) stretches.emplace_back(first, wavelength.size());
    return stretches;
}

CurveGrid curve_grid(std::span<const double> wavelength) {
    CurveGrid grid;
    const std::size_t subdivisions =
        std::clamp<std::size_t>(fine_points / std::max<std::size_t>(wavelength.size(), 1), 1, most_subdivisions);
    for (const auto& [first, last] : stretches_between_gaps(wavelength)) {
        const std::size_t begin = grid.wavelength.size();
        for (std::size_t i = first; i + 1 < last; ++i) {
            const double step = (wavelength[i + 1] - wavelength[i]) / static_cast<double>(subdivisions);
            for (std::size_t k = 0; k < subdivisions; ++k)
                grid.wavelength.push_back(wavelength[i] + static_cast<double>(k) * step);
        }
        grid.wavelength.push_back(wavelength[last - 1]);
        grid.stretches.emplace_back(begin, grid.wavelength.size());
    }
    return grid;
}

Points envelope(std::span<const double> x, std::span<const double> y, std::span<const Stretch> stretches, std::size_t columns) {
    Points out;
    const std::size_t per_column = x.size() <= 2 * columns ? 1 : (x.size() + columns - 1) / columns;
    for (const auto& [first, last] : stretches) {
        lift_pen(out);
        for (std::size_t begin = first; begin < last; begin += per_column) {
            const auto column = y.subspan(begin, std::min(per_column, last - begin));
            const auto [low, high] = std::minmax_element(column.begin(), column.end());
            const auto draw = [&](std::size_t i) {
                out.x.push_back(x[i]);
                out.y.push_back(y[i]);
            };
            const auto at_low = begin + static_cast<std::size_t>(low - column.begin());
            const auto at_high = begin + static_cast<std::size_t>(high - column.begin());
            draw(std::min(at_low, at_high));
            if (at_low != at_high) draw(std::max(at_low, at_high));
        }
    }
    return out;
}

Points simplified(std::span<const double> x, std::span<const double> y, std::span<const Stretch> stretches, double tolerance) {
    Points out;
    std::vector<char> kept(x.size(), 0);
    std::vector<Stretch> open;
    for (const auto& [first, last] : stretches) {
        kept[first] = 1;
        kept[last - 1] = 1;
        open.emplace_back(first, last - 1);
        while (!open.empty()) {
            const auto [a, b] = open.back();
            open.pop_back();
            double worst = tolerance;
            std::size_t bend = a;
            for (std::size_t i = a + 1; i < b; ++i) {
                const double line = y[a] + (y[b] - y[a]) * (x[i] - x[a]) / (x[b] - x[a]);
                if (std::abs(y[i] - line) <= worst) continue;
                worst = std::abs(y[i] - line);
                bend = i;
            }
            if (bend == a) continue;
            kept[bend] = 1;
            open.emplace_back(a, bend);
            open.emplace_back(bend, b);
        }
        lift_pen(out);
        for (std::size_t i = first; i < last; ++i) {
            if (kept[i] == 0) continue;
            out.x.push_back(x[i]);
            out.y.push_back(y[i]);
        }
    }
    return out;
}

std::string axis_name(const std::string& letter, std::size_t i) {
    return i == 0 ? letter : letter + std::to_string(i + 1);
}

std::vector<double> compact(std::vector<double> values, double fraction) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    const double range = high > low ? high - low : std::abs(high);
    if (!(range > 0.0) || !std::isfinite(range)) return values;
    const double exponent = std::floor(std::log10(range * fraction));
    if (std::abs(exponent) > 300.0) return values;
    // A quotient of whole numbers is the double nearest to the decimal, which prints short; a product with 0.001 would not be.
    const double power = std::pow(10.0, std::abs(exponent));
    for (double& value : values)
        value = exponent < 0.0 ? std::round(value * power) / power : std::round(value / power) * power;
    return values;
}

}  // namespace aliquot::spectra::report
