#pragma once

#include <string>

namespace aliquot::cluster {

/// A consistent unit system of a star cluster: the names of its units and the constant of gravity in them. The constant is part
/// of every header, because codes disagree about it in the fourth digit.
struct Units {
    std::string name;      ///< "pc-msun-kms", as in configurations and on the command line
    std::string length;    ///< "pc"; empty where dimensionless
    std::string mass;      ///< "Msun"
    std::string velocity;  ///< "km/s"
    double gravitational_constant = 1.0;

    bool operator==(const Units&) const = default;
};

/// 1 pc/Myr in km/s: IAU parsec 648000/pi au, Julian year 365.25 d.
inline constexpr double km_s_per_pc_myr = 0.9777922216807892;

/// pc, Msun, km/s; G from the IAU 2015 nominal solar mass parameter 1.3271244e20 m^3/s^2 and the IAU parsec.
[[nodiscard]] Units pc_msun_km_s();
/// pc, Msun, pc/Myr; the same G. One unit of time is 1 Myr.
[[nodiscard]] Units pc_msun_myr();
/// Henon (N-body) units: G = M = 1, r_v = 1 (Heggie & Mathieu 1986).
[[nodiscard]] Units henon_units();
/// The system of that name ("pc-msun-kms", "pc-msun-myr", "henon"); an unknown name is a ConfigError that offers the nearest.
[[nodiscard]] Units units_by_name(const std::string& name);

}  // namespace aliquot::cluster
