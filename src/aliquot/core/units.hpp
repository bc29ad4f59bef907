#pragma once

namespace aliquot {

/// Speed of light, km/s (exact by definition of the metre).
inline constexpr double speed_of_light_km_s = 299792.458;

/// FWHM of a Gaussian over its dispersion, rounded as the spectral-fitting packages round it; every published width carries this
/// value.
inline constexpr double fwhm_per_sigma = 2.3548;

}  // namespace aliquot
