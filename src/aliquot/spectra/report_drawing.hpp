#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// From spectra to lines on a screen; used by the report's figures.
namespace aliquot::spectra::report {

/// A line to draw; NaN in y lifts the pen.
struct Points {
    std::vector<double> x;
    std::vector<double> y;
};

/// First and one past the last index of a stretch without a gap.
using Stretch = std::pair<std::size_t, std::size_t>;

/// Stretches between gaps: steps over 2.5 times the median of the eleven steps around them.
[[nodiscard]] std::vector<Stretch> stretches_between_gaps(std::span<const double> wavelength);

/// Where curves are evaluated: the pixels and, where these are few, even steps between them; nothing inside gaps.
struct CurveGrid {
    std::vector<double> wavelength;
    std::vector<Stretch> stretches;
};
[[nodiscard]] CurveGrid curve_grid(std::span<const double> wavelength);

/// The lowest and the highest point of each of `columns` columns in order of x, all points where there are at most two a column.
[[nodiscard]] Points envelope(std::span<const double> x, std::span<const double> y, std::span<const Stretch> stretches,
                              std::size_t columns);

/// Few points, found by halving where the line bends most (Ramer 1972, Douglas and Peucker 1973), from which straight lines miss
/// no y by more than `tolerance`.
[[nodiscard]] Points simplified(std::span<const double> x, std::span<const double> y, std::span<const Stretch> stretches,
                                double tolerance);

/// Name of an axis as plotly counts them: "x" for the first, then "x2", "x3", ...
[[nodiscard]] std::string axis_name(const std::string& letter, std::size_t i);

/// Values rounded to a power of ten at most `fraction` of their range, so that they print short.
[[nodiscard]] std::vector<double> compact(std::vector<double> values, double fraction);

}  // namespace aliquot::spectra::report
