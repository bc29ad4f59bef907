#pragma once

#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"

namespace aliquot::infer {

/// A smooth monotone map of each coordinate of the unit cube to the real line that makes weighted points standard normal, one by
/// one: logit(u) as a monotone cubic (Fritsch & Butland 1984) of the normal score at quantiles, straight beyond the outermost.
/// Skew and edges of marginal posteriors are gone after it; what is left are their correlations. Where modes stand apart in a
/// coordinate, that would pull them together and out of shape: such coordinates are only shifted and stretched.
class MarginalMap {
  public:
    /// Points (n, d) in the unit cube with their weights as logarithms; `straight` says which coordinates are only shifted and
    /// stretched, none where it is empty.
    MarginalMap(const Matrix<double>& unit, std::span<const double> log_weight, const std::vector<bool>& straight = {});

    [[nodiscard]] std::size_t dimension() const { return coordinates_.size(); }
    /// Scores of a point of the cube.
    void forward(std::span<const double> unit, std::span<double> score) const;
    /// The point of the cube, strictly inside, and ln |du/dz|.
    [[nodiscard]] double backward(std::span<const double> score, std::span<double> unit) const;

  private:
    struct Coordinate {
        std::vector<double> value;  ///< logit(u) at the knots
        std::vector<double> slope;
    };
    /// logit(u) at a score, and its derivative.
    static void evaluate(const Coordinate& c, double score, double& value, double& slope);

    std::vector<Coordinate> coordinates_;
};

}  // namespace aliquot::infer
