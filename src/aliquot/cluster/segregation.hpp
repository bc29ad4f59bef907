#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/core/random.hpp"

namespace aliquot::cluster {

/// Energy-ordered mass segregation (Baumgardt, De Marchi & Kroupa 2008, ApJ 685, 247): stars from heavy to light take orbits from
/// bound to loose, star i one of those between its cumulative mass shares, so that the density profile stays. Strength S loosens
/// the order of masses: the next star is the heaviest left for S = 1 and any star for S = 0 (the order index is n (1 - X^(1 -
/// S))).
///
/// `masses` of n stars, `energies` of at least n orbits (any number of them); returns the orbit of each star, no orbit twice.
[[nodiscard]] std::vector<std::uint32_t> energy_ordered_orbits(std::span<const double> masses, std::span<const double> energies,
                                                               double strength, RandomStream& random);

}  // namespace aliquot::cluster
