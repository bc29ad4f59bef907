#pragma once

#include <cstddef>

/// Plain data of the orientation kernel. Kernel files include this header, so it includes nothing of the standard library's
/// templates.
namespace aliquot::cluster {

inline constexpr std::size_t orient_batch = 128;  ///< stars that are turned together

/// Stars as the model gives them, and a uniform number for each of three angles.
struct UnturnedStars {
    double radius[orient_batch];
    double radial[orient_batch];      ///< velocity along the radius
    double tangential[orient_batch];  ///< velocity across it, not negative
    double height[orient_batch];      ///< (1 + cos of the polar angle) / 2
    double azimuth[orient_batch];     ///< in turns
    double turn[orient_batch];        ///< of the tangential velocity about the radius, from the meridian, in turns
};

/// Positions and velocities in space.
struct TurnedStars {
    double x[orient_batch], y[orient_batch], z[orient_batch];
    double vx[orient_batch], vy[orient_batch], vz[orient_batch];
};

}  // namespace aliquot::cluster
