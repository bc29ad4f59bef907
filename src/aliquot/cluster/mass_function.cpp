#include "aliquot/cluster/mass_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

namespace {

constexpr double chabrier_centre = 0.079;
constexpr double chabrier_width = 0.69 * std::numbers::ln10;  // in ln m
constexpr double maschberger_alpha = 2.3;
constexpr double maschberger_beta = 1.4;
constexpr double maschberger_mu = 0.2;

/// Maschberger's auxiliary function, eq. 2.
double auxiliary(double m) {
    return std::pow(1.0 + std::pow(m / maschberger_mu, 1.0 - maschberger_alpha), 1.0 - maschberger_beta);
}

/// int m^-a dm
double power_integral(double a, double from, double to) {
    if (std::abs(a - 1.0) < 1e-12) return std::log(to / from);
    return (std::pow(to, 1.0 - a) - std::pow(from, 1.0 - a)) / (1.0 - a);
}

/// int of the lognormal m^(k - 1) exp(-(ln m - ln m_c)^2 / 2 s^2) dm, k = 0 for numbers and 1 for mass.
double lognormal_integral(double k, double from, double to) {
    const double s = chabrier_width;
    const double shift = std::log(chabrier_centre) + k * s * s;
    const auto z = [&](double m) { return (std::log(m) - shift) / (s * std::numbers::sqrt2); };
    return std::exp(k * std::log(chabrier_centre) + 0.5 * k * k * s * s) * s * std::sqrt(0.5 * std::numbers::pi) *
           (std::erf(z(to)) - std::erf(z(from)));
}

void check_limits(double low, double high) {
    if (!(low > 0.0 && low < high && std::isfinite(high)))
        throw ConfigError(format("stellar masses from {} to {} (limits must be positive and ascending)", low, high));
}

}  // namespace

MassFunction MassFunction::power_law(std::vector<double> breaks, std::vector<double> exponents) {
    if (breaks.size() != exponents.size() + 1 || exponents.empty())
        throw ConfigError(format("{} breaks for {} exponents of a mass function (one more break than exponents)", breaks.size(),
                                 exponents.size()));
    MassFunction function;
    double norm = 1.0;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
        check_limits(breaks[i], breaks[i + 1]);
        if (i > 0) norm *= std::pow(breaks[i], exponents[i] - exponents[i - 1]);
        function.pieces_.push_back({Shape::power, breaks[i], breaks[i + 1], exponents[i], norm});
    }
    function.finish();
    return function;
}

MassFunction MassFunction::kroupa(double low, double high) {
    check_limits(low, high);
    std::vector<double> breaks{low};
    std::vector<double> exponents;
    const std::vector<std::pair<double, double>> parts{{0.08, 0.3}, {0.5, 1.3}, {INFINITY, 2.3}};
    for (const auto& [end, alpha] : parts) {
        if (low >= end) continue;
        exponents.push_back(alpha);
        breaks.push_back(std::min(end, high));
        if (high <= end) break;
    }
    return power_law(breaks, exponents);
}

MassFunction MassFunction::salpeter(double low, double high) {
    return power_law({low, high}, {2.35});
}

MassFunction MassFunction::chabrier(double low, double high) {
    check_limits(low, high);
    MassFunction function;
    if (low < 1.0) function.pieces_.push_back({Shape::lognormal, low, std::min(high, 1.0), 0.0, 1.0});
    // Joined at 1 Msun, where the lognormal in m has this height.
    const double z = std::log(chabrier_centre) / chabrier_width;
    if (high > 1.0) function.pieces_.push_back({Shape::power, std::max(low, 1.0), high, 2.3, std::exp(-0.5 * z * z)});
    function.finish();
    return function;
}

MassFunction MassFunction::maschberger(double low, double high) {
    check_limits(low, high);
    MassFunction function;
    function.pieces_.push_back({Shape::maschberger, low, high, 0.0, 1.0});
    function.finish();
    return function;
}

MassFunction MassFunction::single(double mass) {
    if (!(mass > 0.0 && std::isfinite(mass))) throw ConfigError(format("stellar mass = {} (must be positive)", mass));
    MassFunction function;
    function.pieces_.push_back({Shape::single, mass, mass, 0.0, 1.0});
    function.finish();
    return function;
}

MassFunction MassFunction::by_name(const std::string& name, double low, double high) {
    if (name == "kroupa") return kroupa(low, high);
    if (name == "salpeter") return salpeter(low, high);
    if (name == "chabrier") return chabrier(low, high);
    if (name == "maschberger") return maschberger(low, high);
    const std::vector<std::string> known{"kroupa", "salpeter", "chabrier", "maschberger"};
    throw ConfigError("mass function \"" + name + "\" (no such function)" + suggest(name, known));
}

double MassFunction::count(const Piece& piece, double from, double to) {
    switch (piece.shape) {
        case Shape::power:
            return piece.norm * power_integral(piece.alpha, from, to);
        case Shape::lognormal:
            return piece.norm * lognormal_integral(0.0, from, to);
        case Shape::maschberger:
            return auxiliary(to) - auxiliary(from);
        case Shape::single:
            return to >= piece.low ? 1.0 : 0.0;
    }
    return 0.0;
}

double MassFunction::mass(const Piece& piece, double from, double to) {
    switch (piece.shape) {
        case Shape::power:
            return piece.norm * power_integral(piece.alpha - 1.0, from, to);
        case Shape::lognormal:
            return piece.norm * lognormal_integral(1.0, from, to);
        case Shape::single:
            return to >= piece.low ? piece.low : 0.0;
        case Shape::maschberger:
            break;
    }
    // int m dG by parts is m G - int G dm; the density itself in ln m is smoother: Clenshaw-Curtis on intervals of a third of e.
    const auto& element = math::ChebyshevElement::instance();
    const double width = std::log(to / from);
    const int steps = std::max(1, static_cast<int>(std::ceil(3.0 * width)));
    double sum = 0.0;
    for (int k = 0; k < steps; ++k) {
        for (std::size_t i = 0; i < math::ChebyshevElement::count; ++i) {
            const double t = (k + 0.5 * (element.nodes()[i] + 1.0)) / steps;
            const double m = from * std::exp(t * width);
            const double x = std::pow(m / maschberger_mu, 1.0 - maschberger_alpha);
            const double density =
                (1.0 - maschberger_beta) * (1.0 - maschberger_alpha) * x * std::pow(1.0 + x, -maschberger_beta);  // dG / d ln m
            sum += 0.5 * element.weights()[i] / steps * width * m * density;
        }
    }
    return sum;
}

void MassFunction::finish() {
    double total = 0.0;
    for (const Piece& piece : pieces_)
        total += count(piece, piece.low, piece.high);
    double number = 0.0;
    for (Piece& piece : pieces_) {
        if (piece.shape != Shape::maschberger) piece.norm /= piece.shape == Shape::single ? 1.0 : total;
        piece.number_from = number;
        piece.number =
            piece.shape == Shape::maschberger || piece.shape == Shape::single ? 1.0 : count(piece, piece.low, piece.high);
        number += piece.number;
        piece.mass_from = mean_;
        mean_ += mass(piece, piece.low, piece.high) / (piece.shape == Shape::maschberger ? total : 1.0);
    }
}

double MassFunction::quantile(double u) const {
    ALIQUOT_EXPECT(u >= 0.0 && u <= 1.0);
    const Piece* piece = &pieces_.front();
    for (const Piece& next : pieces_)
        if (u >= next.number_from) piece = &next;
    const double share = std::clamp((u - piece->number_from) / piece->number, 0.0, 1.0);
    switch (piece->shape) {
        case Shape::single:
            return piece->low;
        case Shape::maschberger: {
            const double g = auxiliary(piece->low) + share * (auxiliary(piece->high) - auxiliary(piece->low));
            const double m =
                maschberger_mu * std::pow(std::pow(g, 1.0 / (1.0 - maschberger_beta)) - 1.0, 1.0 / (1.0 - maschberger_alpha));
            return std::clamp(m, piece->low, piece->high);
        }
        case Shape::power: {
            const double a = 1.0 - piece->alpha;
            const double m =
                std::abs(a) < 1e-12
                    ? piece->low * std::pow(piece->high / piece->low, share)
                    : std::pow(std::pow(piece->low, a) + share * (std::pow(piece->high, a) - std::pow(piece->low, a)), 1.0 / a);
            return std::clamp(m, piece->low, piece->high);
        }
        case Shape::lognormal:
            break;
    }
    double low = std::log(piece->low);
    double high = std::log(piece->high);
    double x = low + share * (high - low);
    for (int i = 0; i < 100; ++i) {
        const double gap = count(*piece, piece->low, std::exp(x)) / piece->number - share;
        (gap > 0.0 ? high : low) = x;
        const double z = (x - std::log(chabrier_centre)) / chabrier_width;
        double next = x - gap * piece->number / (piece->norm * std::exp(-0.5 * z * z));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - x) < 1e-14) break;
        x = next;
    }
    return std::clamp(std::exp(x), piece->low, piece->high);
}

double MassFunction::number_below(double mass) const {
    double sum = 0.0;
    for (const Piece& piece : pieces_) {
        if (mass >= piece.high) {
            sum += piece.number;
        } else if (mass > piece.low) {
            sum += piece.number * count(piece, piece.low, mass) / count(piece, piece.low, piece.high);
        }
    }
    return sum;
}

double MassFunction::mass_below(double at) const {
    double sum = 0.0;
    for (const Piece& piece : pieces_) {
        const double end = std::min(at, piece.high);
        if (end > piece.low || (piece.shape == Shape::single && at >= piece.low))
            sum += mass(piece, piece.low, end) * piece.number / count(piece, piece.low, piece.high);
    }
    return sum / mean_;
}

}  // namespace aliquot::cluster
