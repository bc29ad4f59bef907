#pragma once

#include <array>
#include <string>

#include "aliquot/core/random.hpp"

namespace aliquot::cluster {

/// How the periods of binaries are spread.
enum class PeriodLaw {
    log_uniform,      ///< flat in log P (Opik 1924)
    duquennoy_mayor,  ///< log10 P/d normal, mean 4.8, sd 2.3 (Duquennoy & Mayor 1991, A&A 248, 485)
    sana              ///< (log10 P/d)^-0.55 (Sana et al. 2012, Science 337, 444), for O stars
};
enum class EccentricityLaw {
    thermal,  ///< f(e) = 2 e (Jeans 1919)
    uniform,
    circular
};
enum class Pairing {
    uniform_ratio,  ///< m2 / m1 uniform between the least mass over m1 and 1
    random          ///< both from the mass function
};

/// Primordial binaries.
struct BinaryLaw {
    double fraction = 0.0;  ///< binaries over systems
    PeriodLaw period = PeriodLaw::duquennoy_mayor;
    double low_log_period = 0.0;  ///< log10 of days
    double high_log_period = 8.0;
    double massive_above = 1e99;  ///< primaries above this mass, Msun, follow Sana et al. on [0.15, 3.5]
    EccentricityLaw eccentricity = EccentricityLaw::thermal;
    Pairing pairing = Pairing::uniform_ratio;
};
/// Throws ConfigError for a fraction outside [0, 1] and periods that are not ascending (Sana's must be positive too).
void check(const BinaryLaw& law);
/// The law of that name as configurations write it; ConfigError with the nearest for another.
[[nodiscard]] PeriodLaw period_law(const std::string& name);
[[nodiscard]] EccentricityLaw eccentricity_law(const std::string& name);
[[nodiscard]] Pairing pairing(const std::string& name);

/// An orbit: size and shape, then orientation and phase, uniform.
struct Orbit {
    double semi_major_axis = 0.0;  ///< AU
    double eccentricity = 0.0;
    double inclination = 0.0, node = 0.0, periastron = 0.0;  ///< radians
    double mean_anomaly = 0.0;
    double period_days = 0.0;
};
[[nodiscard]] Orbit draw_orbit(const BinaryLaw& law, double primary_mass, double total_mass, RandomStream& random);

/// Position (AU) and velocity (km/s) of the secondary seen from the primary; `total_mass` in Msun.
struct RelativeOrbit {
    std::array<double, 3> position{};
    std::array<double, 3> velocity{};
};
[[nodiscard]] RelativeOrbit relative_orbit(const Orbit& orbit, double total_mass);

/// Kepler's equation E - e sin E = M, 0 <= e < 1, to rounding.
[[nodiscard]] double eccentric_anomaly(double mean_anomaly, double eccentricity);

}  // namespace aliquot::cluster
