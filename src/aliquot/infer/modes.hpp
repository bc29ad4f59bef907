#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"

namespace aliquot::infer {

/// Separate groups of points, as a chain needs them to leap from one mode of a posterior to another. Empty where there is one
/// group only.
struct Modes {
    std::vector<double> centres;     ///< (count, dimension), row-major
    std::vector<double> log_radius;  ///< of each, in units of `scale`
    std::vector<double> scale;       ///< of each coordinate: standard deviation of points around their own centre

    [[nodiscard]] std::size_t count() const { return log_radius.size(); }
    [[nodiscard]] std::span<const double> centre(std::size_t mode) const {
        return std::span(centres).subspan(mode * scale.size(), scale.size());
    }
    /// The mode whose centre is nearest to a point.
    [[nodiscard]] std::size_t nearest(std::span<const double> unit, std::span<const char> periodic) const;
    /// Where a point of mode `from` comes to stand in mode `to`: moved from centre to centre and stretched by their radii. The
    /// leap back undoes it. Returns the logarithm of the volume of the image over that of the original, -inf where it leads out
    /// of the cube or half way round a periodic coordinate.
    [[nodiscard]] double leap(std::size_t from, std::size_t to, std::span<const double> unit, std::span<const char> periodic,
                              std::span<double> moved) const;
};

/// Cut `rows` of points (n, dimension) into groups: where links of their minimal spanning tree are long, and then in two
/// wherever, along a coordinate or a principal axis, a gap is wider than the standard deviation of both sides. Cutting too much
/// is harmless: leaps are exact between any groups.
[[nodiscard]] std::vector<std::vector<std::size_t>> separate_groups(MatrixView<const double> points,
                                                                    std::span<const std::size_t> rows,
                                                                    std::span<const char> periodic);

/// Rows by the mode that they are nearest to; one group where there are no modes.
[[nodiscard]] std::vector<std::vector<std::size_t>> group_by_mode(MatrixView<const double> points,
                                                                  std::span<const std::size_t> rows, const Modes& modes,
                                                                  std::span<const char> periodic);

/// The modes of groups of points.
[[nodiscard]] Modes modes_of(MatrixView<const double> points, std::span<const std::vector<std::size_t>> groups,
                             std::span<const char> periodic);

}  // namespace aliquot::infer
