#pragma once

#include <cstdint>
#include <vector>

#include "aliquot/cluster/kernels/pair.hpp"
#include "aliquot/cluster/stars.hpp"

namespace aliquot::cluster {

/// Stars as the pair kernels want them: lengths and masses multiplied by powers of two (which is exact) so that the largest
/// coordinate and the largest mass are about 1, columns padded.
class ScaledStars {
  public:
    /// Checks positions, masses and softening as potential_energy() says. `order` gives the star of each row; empty = as they
    /// are.
    ScaledStars(const Stars& stars, double softening, const std::vector<std::uint32_t>& order = {});

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Stars and padding up to whole pair_lanes.
    [[nodiscard]] std::size_t padded() const { return (size_ + pair_lanes - 1) / pair_lanes * pair_lanes; }
    [[nodiscard]] PairColumns columns() const { return {x_.data(), y_.data(), z_.data(), mass_.data(), softening_ * softening_}; }
    [[nodiscard]] double softening() const { return softening_; }  ///< scaled
    /// value * 2^(mass * mass exponent + length * length exponent): from scaled units to the stars'.
    [[nodiscard]] double unscale(double value, int mass, int length) const;

  private:
    std::size_t size_;
    std::vector<double> x_, y_, z_, mass_;
    double softening_ = 0.0;
    int length_exponent_ = 0;  // lengths are given lengths times 2^-length_exponent
    int mass_exponent_ = 0;
};

}  // namespace aliquot::cluster
