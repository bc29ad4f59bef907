#pragma once

#include <limits>
#include <vector>

#include "aliquot/cluster/lowered_model.hpp"

namespace aliquot::cluster {

/// Which mean mass the velocity scales refer to; the same W0 means different models.
enum class MeanMass {
    central,  ///< sum_j alpha_j m_j at the centre (Gieles & Zocchi 2015, eq. 26)
    global    ///< sum_j M_j / sum_j (M_j / m_j), the default of limepy
};

/// Mass segregation in equilibrium: s_j = s mu_j^-delta, r_a,j = r_a mu_j^eta, mu_j = m_j / mean mass (Gieles & Zocchi 2015,
/// section 2.2).
struct Segregation {
    double delta = 0.5;  ///< 0 none, 1/2 equipartition at the centre
    double eta = 0.0;
    double anisotropy_radius = std::numeric_limits<double>::infinity();  ///< of a star of mean mass, in King radii
};

/// The spec of a segregated model whose central density fractions are given; `stellar_mass` are the components' mean masses m_j.
[[nodiscard]] LoweredSpec segregated_spec(double central_depth, double truncation, const std::vector<double>& stellar_mass,
                                          const std::vector<double>& central_fraction, const Segregation& segregation,
                                          double mean_mass);

/// The segregated model in which component j holds the share `total_mass[j]` of the mass: the central fractions are solved for to
/// 1e-12 by Anderson acceleration of alpha_j <- alpha_j sqrt(M_j / M_j'). Throws ConfigError for lists that do not fit,
/// NoFiniteEdge, NumericError where no such model is found.
[[nodiscard]] LoweredModel solve_multimass(double central_depth, double truncation, const std::vector<double>& stellar_mass,
                                           const std::vector<double>& total_mass, const Segregation& segregation, MeanMass mean);

}  // namespace aliquot::cluster
