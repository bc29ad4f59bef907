#include "aliquot/cluster/units.hpp"

#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/core/nearest.hpp"

namespace aliquot::cluster {

namespace {

/// 1.3271244e20 m^3/s^2 (IAU 2015 resolution B3) in pc (km/s)^2 per solar mass.
constexpr double gravity_pc_msun_km_s = 0.004300917270036279;

}  // namespace

Units pc_msun_km_s() {
    return {"pc-msun-kms", "pc", "Msun", "km/s", gravity_pc_msun_km_s};
}

Units pc_msun_myr() {
    return {"pc-msun-myr", "pc", "Msun", "pc/Myr", gravity_pc_msun_km_s / (km_s_per_pc_myr * km_s_per_pc_myr)};
}

Units henon_units() {
    return {"henon", "", "", "", 1.0};
}

Units units_by_name(const std::string& name) {
    std::vector<std::string> known;
    for (const Units& units : {pc_msun_km_s(), pc_msun_myr(), henon_units()}) {
        if (units.name == name) return units;
        known.push_back(units.name);
    }
    throw ConfigError("units = \"" + name + "\" (no such system)" + suggest(name, known));
}

}  // namespace aliquot::cluster
