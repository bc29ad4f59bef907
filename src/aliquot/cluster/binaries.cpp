#include "aliquot/cluster/binaries.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"

namespace aliquot::cluster {

namespace {

using std::numbers::pi;

/// Mean orbital speed of a body of one solar mass at 1 AU: sqrt(G Msun / AU), km/s.
constexpr double orbital_speed_km_s = 29.784691829676934;
/// Period of that orbit in days: 2 pi / Gauss's constant.
constexpr double orbital_period_days = 365.2568983840419;

double draw_log_period(const BinaryLaw& law, double primary_mass, RandomStream& random) {
    PeriodLaw kind = law.period;
    double low = law.low_log_period;
    double high = law.high_log_period;
    if (primary_mass > law.massive_above) {
        kind = PeriodLaw::sana;
        low = 0.15;
        high = 3.5;
    }
    const double u = random.uniform();
    switch (kind) {
        case PeriodLaw::log_uniform:
            return low + u * (high - low);
        case PeriodLaw::sana: {
            const double a = std::pow(low, 0.45);
            return std::pow(a + u * (std::pow(high, 0.45) - a), 1.0 / 0.45);
        }
        case PeriodLaw::duquennoy_mayor:
            break;
    }
    for (double first = u;; first = random.uniform()) {
        // Box & Muller.
        const double x = 4.8 + 2.3 * std::sqrt(-2.0 * std::log(first)) * std::cos(2.0 * pi * random.uniform());
        if (x >= low && x <= high) return x;
    }
}

double draw_eccentricity(EccentricityLaw law, RandomStream& random) {
    switch (law) {
        case EccentricityLaw::thermal:
            return std::sqrt(random.uniform());
        case EccentricityLaw::uniform:
            return random.uniform();
        case EccentricityLaw::circular:
            break;
    }
    return 0.0;
}

/// The value of that name, or a ConfigError that offers the nearest.
template <typename Value>
Value named(const std::string& what, const std::string& name, const std::vector<std::pair<std::string, Value>>& values) {
    std::vector<std::string> known;
    for (const auto& [each, value] : values) {
        if (each == name) return value;
        known.push_back(each);
    }
    throw ConfigError(format("{} \"{}\" (no such {}){}", what, name, what, suggest(name, known)));
}

}  // namespace

void check(const BinaryLaw& law) {
    if (!(law.fraction >= 0.0 && law.fraction <= 1.0))
        throw ConfigError(format("binary fraction = {} (binaries over systems, in [0, 1])", law.fraction));
    if (!(law.low_log_period < law.high_log_period && std::isfinite(law.high_log_period)))
        throw ConfigError(
            format("binary periods from 10^{} to 10^{} days (limits must ascend)", law.low_log_period, law.high_log_period));
    if (law.period == PeriodLaw::sana && !(law.low_log_period > 0.0))
        throw ConfigError(
            format("binary periods from 10^{} days (Sana's law diverges at one day): take log10 P above 0, such as 0.15",
                   law.low_log_period));
    if (law.period == PeriodLaw::duquennoy_mayor && (law.low_log_period > 4.8 + 10.0 || law.high_log_period < 4.8 - 10.0))
        throw ConfigError(format("binary periods from 10^{} to 10^{} days (the law of Duquennoy & Mayor holds none there)",
                                 law.low_log_period, law.high_log_period));
}

PeriodLaw period_law(const std::string& name) {
    return named<PeriodLaw>(
        "period law", name,
        {{"log-uniform", PeriodLaw::log_uniform}, {"duquennoy-mayor", PeriodLaw::duquennoy_mayor}, {"sana", PeriodLaw::sana}});
}

EccentricityLaw eccentricity_law(const std::string& name) {
    return named<EccentricityLaw>(
        "eccentricity law", name,
        {{"thermal", EccentricityLaw::thermal}, {"uniform", EccentricityLaw::uniform}, {"circular", EccentricityLaw::circular}});
}

Pairing pairing(const std::string& name) {
    return named<Pairing>("pairing", name, {{"uniform-ratio", Pairing::uniform_ratio}, {"random", Pairing::random}});
}

Orbit draw_orbit(const BinaryLaw& law, double primary_mass, double total_mass, RandomStream& random) {
    Orbit orbit;
    orbit.period_days = std::pow(10.0, draw_log_period(law, primary_mass, random));
    // Kepler's third law in solar masses, AU and the period of 1 Msun at 1 AU.
    const double years = orbit.period_days / orbital_period_days;
    orbit.semi_major_axis = std::cbrt(total_mass * years * years);
    orbit.eccentricity = draw_eccentricity(law.eccentricity, random);
    orbit.inclination = std::acos(2.0 * random.uniform() - 1.0);
    orbit.node = 2.0 * pi * random.uniform();
    orbit.periastron = 2.0 * pi * random.uniform();
    orbit.mean_anomaly = 2.0 * pi * random.uniform();
    return orbit;
}

double eccentric_anomaly(double mean_anomaly, double eccentricity) {
    const double m = std::remainder(mean_anomaly, 2.0 * pi);
    double low = m < 0.0 ? -pi : 0.0;
    double high = m < 0.0 ? 0.0 : pi;
    double e = m + eccentricity * std::sin(m);
    for (int i = 0; i < 100; ++i) {
        const double gap = e - eccentricity * std::sin(e) - m;
        (gap > 0.0 ? high : low) = e;
        double next = e - gap / (1.0 - eccentricity * std::cos(e));
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        if (std::abs(next - e) <= 1e-16 * std::abs(e)) break;
        e = next;
    }
    return e;
}

RelativeOrbit relative_orbit(const Orbit& orbit, double total_mass) {
    const double anomaly = eccentric_anomaly(orbit.mean_anomaly, orbit.eccentricity);
    const double c = std::cos(anomaly);
    const double s = std::sin(anomaly);
    const double root = std::sqrt((1.0 - orbit.eccentricity) * (1.0 + orbit.eccentricity));
    const double a = orbit.semi_major_axis;
    const double speed = orbital_speed_km_s * std::sqrt(total_mass / a) / (1.0 - orbit.eccentricity * c);
    const double x = a * (c - orbit.eccentricity);
    const double y = a * root * s;
    const double vx = -speed * s;
    const double vy = speed * root * c;
    const double co = std::cos(orbit.periastron);
    const double so = std::sin(orbit.periastron);
    const double ci = std::cos(orbit.inclination);
    const double si = std::sin(orbit.inclination);
    const double cn = std::cos(orbit.node);
    const double sn = std::sin(orbit.node);
    const std::array<double, 3> p{co * cn - so * sn * ci, co * sn + so * cn * ci, so * si};
    const std::array<double, 3> q{-so * cn - co * sn * ci, -so * sn + co * cn * ci, co * si};
    RelativeOrbit result;
    for (std::size_t k = 0; k < 3; ++k) {
        result.position[k] = x * p[k] + y * q[k];
        result.velocity[k] = vx * p[k] + vy * q[k];
    }
    return result;
}

}  // namespace aliquot::cluster
