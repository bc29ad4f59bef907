#pragma once

#include <vector>

#include "aliquot/cluster/phase_sampler.hpp"

namespace aliquot::cluster {

/// Stars by inverting distribution functions: radius, speed and angle from one uniform number each, so that two models, or two
/// methods, can be drawn from the same numbers. The angle's law is inverted exactly; the speed's either through a table (rows at
/// radii, columns by the cube root of the probability below or above) or by quadrature for each star.
class InverseTransform {
  public:
    InverseTransform(const Equilibrium& model, std::size_t component, bool table);

    [[nodiscard]] PhasePoint draw(RandomStream& random) const;
    [[nodiscard]] PhasePoint draw_at(double radius, RandomStream& random) const;
    [[nodiscard]] std::size_t table_bytes() const { return sizeof(double) * (radii_.size() + mass_.size() + speeds_.size()); }

  private:
    [[nodiscard]] double radius_of(double fraction) const;
    [[nodiscard]] double speed_of(double radius, double fraction) const;
    void tabulate();

    const Equilibrium* model_;
    std::size_t component_;
    bool stretched_;
    std::vector<double> radii_;   ///< ascending, from 0
    std::vector<double> mass_;    ///< the share of mass within
    std::vector<double> speeds_;  ///< v / v_esc; empty for the method by quadrature
};

}  // namespace aliquot::cluster
