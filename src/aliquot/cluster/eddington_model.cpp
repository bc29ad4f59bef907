#include "aliquot/cluster/eddington_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

namespace {

using math::ChebyshevElement;
using Values = ChebyshevElement::Values;
using std::numbers::pi;

constexpr std::size_t nodes = ChebyshevElement::count;

/// Breaks of intervals that grow with the radius, from `from` to `to`.
std::vector<double> radial_breaks(double from, double to, double core) {
    std::vector<double> breaks{from};
    while (breaks.back() < to) {
        const double next = breaks.back() + std::max(0.4 * core, 0.5 * breaks.back());
        breaks.push_back(next > to - 0.2 * (next - breaks.back()) ? to : next);
    }
    return breaks;
}

double node(double low, double high, std::size_t i) {
    if (i == 0) return low;
    if (i == nodes - 1) return high;
    return low + 0.5 * (high - low) * (ChebyshevElement::instance().nodes()[i] + 1.0);
}

}  // namespace

EddingtonModel::EddingtonModel(std::vector<DensityComponent> components, double edge) : components_(std::move(components)) {
    if (components_.empty()) throw ConfigError("a model needs a component");
    double sum = 0.0;
    core_ = std::numeric_limits<double>::infinity();
    for (const DensityComponent& component : components_) {
        if (!(component.mass_fraction > 0.0))
            throw ConfigError(
                format("component {}: mass fraction = {} (must be positive)", component.name, component.mass_fraction));
        if (!(component.anisotropy_radius > 0.0))
            throw ConfigError(format("component {}: r_a = {} (must be positive)", component.name, component.anisotropy_radius));
        sum += component.mass_fraction;
        core_ = std::min({core_, component.profile->core_radius(), component.anisotropy_radius});
    }
    if (std::abs(sum - 1.0) > 1e-8)
        throw ConfigError(format("mass fractions sum to {:.9g} (they share the whole mass): make them sum to 1", sum));
    for (DensityComponent& component : components_)
        component.mass_fraction /= sum;
    find_edge(edge);
    integrate();
    for (std::size_t j = 0; j < components_.size(); ++j)
        invert(j);
    sum_energies();
}

void EddingtonModel::find_edge(double wanted) {
    double largest = 0.0;
    for (const DensityComponent& component : components_) {
        const double own = component.profile->edge();
        if (!std::isfinite(own)) continue;
        largest = std::max(largest, own);
        if (own > wanted && (*component.profile)(0.999 * own).density < 1e-3 * (*component.profile)(0.5 * own).density)
            throw ConfigError(
                format("edge radius = {:.6g} (component {} ends at {:.6g} by itself): leave the edge out, or take at least "
                       "that",
                       wanted, component.name, own));
    }
    edge_ = std::isfinite(wanted) ? wanted : largest;
    if (edge_ > 0.0) return;
    // No profile ends: the radius within which 99.5 % of the mass lie, the profiles integrated until nothing is added.
    std::vector<double> radii;
    std::vector<double> total;
    for (const DensityComponent& component : components_) {
        const auto& element = ChebyshevElement::instance();
        double mass = 0.0;
        double low = 0.0;
        std::vector<std::pair<double, double>> grown{{0.0, 0.0}};
        for (double gained = 1.0; gained > 1e-7 * mass && low < 1e9 * core_;) {
            const double high = low + std::max(0.4 * core_, 0.5 * low);
            gained = 0.0;
            for (std::size_t i = 0; i < nodes; ++i) {
                const double r = node(low, high, i);
                gained += 0.5 * (high - low) * element.weights()[i] * 4.0 * pi * r * r * (*component.profile)(r).density;
            }
            mass += gained;
            low = high;
            grown.emplace_back(low, mass);
        }
        for (std::size_t k = 1; k < grown.size(); ++k) {
            if (grown[k].second < 0.995 * mass) continue;
            const double t = (0.995 * mass - grown[k - 1].second) / (grown[k].second - grown[k - 1].second);
            edge_ = std::max(edge_, grown[k - 1].first + t * (grown[k].first - grown[k - 1].first));
            break;
        }
    }
}

DensityProfile::Value EddingtonModel::augmented(double radius, std::size_t component) const {
    const DensityProfile::Value v = (*components_[component].profile)(radius);
    const double ra = components_[component].anisotropy_radius;
    const double c = 1.0 / (ra * ra);
    const double q = 1.0 + c * radius * radius;
    const double norm = norm_[component];
    return {norm * q * v.density, norm * (q * v.slope + 2.0 * c * radius * v.density),
            norm * (q * v.curvature + 4.0 * c * radius * v.slope + 2.0 * c * v.density)};
}

void EddingtonModel::integrate() {
    const ChebyshevElement& element = ChebyshevElement::instance();
    // A component's own edge inside the common one is a break too: its density is not smooth there.
    std::vector<double> breaks = radial_breaks(0.0, edge_, core_);
    for (const DensityComponent& component : components_)
        if (component.profile->edge() < edge_) breaks.push_back(component.profile->edge());
    std::sort(breaks.begin(), breaks.end());
    const std::size_t count = components_.size();
    std::vector<double> mass(count, 0.0);
    std::vector<std::vector<Values>> masses;
    for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
        Piece piece{breaks[k], breaks[k + 1], {}, {}, {}};
        const double half = 0.5 * (piece.high - piece.low);
        std::vector<Values> cumulative(count);
        for (std::size_t j = 0; j < count; ++j) {
            Values shell;
            for (std::size_t i = 0; i < nodes; ++i) {
                // The density just inside: a node on a component's own edge belongs to the piece that ends there.
                const double r = node(piece.low, piece.high, i);
                const double at = i == 0 ? r * (1.0 + 1e-15) : r * (1.0 - 1e-15);
                shell[i] = 4.0 * pi * r * r * (*components_[j].profile)(at).density;
            }
            cumulative[j] = element.integrate(shell);
            for (double& value : cumulative[j])
                value = mass[j] + half * value;
            mass[j] = cumulative[j][nodes - 1];
        }
        masses.push_back(cumulative);
        pieces_.push_back(std::move(piece));
    }
    for (std::size_t j = 0; j < count; ++j)
        norm_.push_back(components_[j].mass_fraction / mass[j]);

    std::vector<double> edge_density;
    for (std::size_t j = 0; j < count; ++j)
        edge_density.push_back(augmented(edge_ * (1.0 - 1e-15), j).density);
    double potential = 0.0;
    std::vector<double> pressure(count, 0.0);
    for (std::size_t k = pieces_.size(); k-- > 0;) {
        Piece& piece = pieces_[k];
        const double half = 0.5 * (piece.high - piece.low);
        Values force{};
        for (std::size_t j = 0; j < count; ++j) {
            for (std::size_t i = 0; i < nodes; ++i) {
                masses[k][j][i] *= norm_[j];
                const double r = node(piece.low, piece.high, i);
                if (r > 0.0) force[i] += masses[k][j][i] / (r * r);
            }
            piece.mass_series.push_back(element.coefficients(masses[k][j]));
        }
        Values integral = element.integrate(force);
        const double whole = integral[nodes - 1];
        for (double& value : integral)
            value = potential + half * (whole - value);
        piece.potential_series = element.coefficients(integral);
        potential = integral[0];
        for (std::size_t j = 0; j < count; ++j) {
            Values source;
            for (std::size_t i = 0; i < nodes; ++i) {
                const double r = node(piece.low, piece.high, i);
                const double at = i == 0 ? r * (1.0 + 1e-15) : r * (1.0 - 1e-15);
                source[i] = std::max(augmented(at, j).density - edge_density[j], 0.0) * force[i];
            }
            Values push = element.integrate(source);
            const double all = push[nodes - 1];
            for (double& value : push)
                value = pressure[j] + half * (all - value);
            pressure[j] = push[0];
            piece.pressure_series.push_back(element.coefficients(push));
        }
    }
    central_potential_ = potential;
}

/// f(E) = [int_0^E (d^2 rho / dPsi^2) / sqrt(E - Psi) dPsi + (d rho / dPsi)(0) / sqrt E] / (sqrt 8 pi^2), the integral taken over
/// radius from where Psi = E outwards, the root singularity there removed by a square.
void EddingtonModel::invert(std::size_t component) {
    const ChebyshevElement& element = ChebyshevElement::instance();
    struct Slope {
        double potential;  ///< dPsi/dr, negative
        double second;     ///< d^2 rho / dPsi^2
    };
    const double own_edge = std::min(components_[component].profile->edge(), edge_);
    const auto slopes = [&](double r) {
        const DensityProfile::Value rho = augmented(std::min(r, own_edge * (1.0 - 1e-15)), component);
        double total = 0.0;
        for (std::size_t j = 0; j < components_.size(); ++j)
            total += norm_[j] * (*components_[j].profile)(r).density;
        const double mass = enclosed_mass(r);
        const double first = -mass / (r * r);
        const double bend = -4.0 * pi * total + 2.0 * mass / (r * r * r);
        return Slope{first, r > own_edge ? 0.0 : (rho.curvature - rho.slope * bend / first) / (first * first)};
    };
    const DensityProfile::Value at_edge = augmented(own_edge * (1.0 - 1e-15), component);
    const double edge_potential = potential(own_edge);
    const double boundary = at_edge.slope / (-enclosed_mass(own_edge) / (own_edge * own_edge));
    const auto phase = [&](double energy) {
        if (energy <= edge_potential) return 0.0;
        const double from = radius_of(energy);
        double sum = boundary / std::sqrt(energy - edge_potential);
        std::vector<double> breaks = radial_breaks(from, own_edge, core_);
        if (breaks.size() == 2) breaks.insert(breaks.begin() + 1, 0.5 * (from + own_edge));
        for (const DensityComponent& other : components_)
            if (other.profile->edge() > from && other.profile->edge() < own_edge) breaks.push_back(other.profile->edge());
        std::sort(breaks.begin(), breaks.end());
        for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
            const double low = breaks[k];
            const double high = breaks[k + 1];
            double part = 0.0;
            for (std::size_t i = 0; i < nodes; ++i) {
                const double t = 0.5 * (element.nodes()[i] + 1.0);
                const double weight = 0.5 * (high - low) * element.weights()[i];
                if (k == 0) {
                    const double r = low + (high - low) * t * t;
                    const Slope slope = slopes(r);
                    const double gap = t == 0.0 ? 0.0 : energy - potential(r);
                    // At t = 0 the gap is -Psi' (high - low) t^2.
                    const double ratio = gap > 0.0 ? t / std::sqrt(gap) : 1.0 / std::sqrt(-slope.potential * (high - low));
                    part += 2.0 * weight * slope.second * -slope.potential * ratio;
                    continue;
                }
                // Lowered densities vanish like a power at their edge: nodes crowd there.
                const bool last = k + 2 == breaks.size();
                const double r = last ? high - (high - low) * (1.0 - t) * (1.0 - t) : low + (high - low) * t;
                const Slope slope = slopes(r <= low ? low * (1.0 + 1e-15) : r * (1.0 - 1e-15));
                part +=
                    weight * (last ? 2.0 * (1.0 - t) : 1.0) * slope.second * -slope.potential / std::sqrt(energy - potential(r));
            }
            sum += part;
        }
        return sum / (std::sqrt(8.0) * pi * pi);
    };
    // The centre itself is 0/0; f is smooth there and the last interval ends just short of it.
    const double start = edge_potential / central_potential_;
    std::vector<double> breaks;
    for (const double t : {0.0, 0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0})
        breaks.push_back(start + (1.0 - start) * t);
    const auto scaled = [&](double x) {
        const double energy = std::min(x, 1.0 - 1e-7) * central_potential_;
        return phase(energy) * std::sqrt(std::max(x - start, 0.0));
    };
    math::PiecewiseChebyshev table(scaled, breaks, 20);
    double lowest = 0.0;
    double highest = 0.0;
    for (int i = 1; i <= 2000; ++i) {
        const double x = start + (1.0 - start) * i / 2000.0;
        const double value = table(x) / std::sqrt(x - start);
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
    }
    if (!(lowest >= -1e-6 * highest))
        throw NotRealizable(
            format("component {} (its distribution function reaches {:.3g} of its maximum, and stars cannot be "
                   "negative): make it less concentrated or less different from the others, or r_a larger",
                   components_[component].name, lowest / highest));
    phase_.push_back(std::move(table));
    phase_start_.push_back(start);
}

void EddingtonModel::sum_energies() {
    const ChebyshevElement& element = ChebyshevElement::instance();
    energies_.assign(components_.size(), {});
    for (const Piece& piece : pieces_) {
        const double half = 0.5 * (piece.high - piece.low);
        for (std::size_t i = 0; i < nodes; ++i) {
            const double r = node(piece.low, piece.high, i);
            const double at = i == 0 ? r * (1.0 + 1e-15) : r * (1.0 - 1e-15);
            const double weight = half * element.weights()[i] * 4.0 * pi * r * r;
            for (std::size_t j = 0; j < components_.size(); ++j) {
                const Moments m = moments(at, j);
                energies_[j].radial += 0.5 * weight * m.density * m.radial;
                energies_[j].tangential += 0.5 * weight * m.density * m.tangential;
                if (r > 0.0) energies_[j].potential -= weight * m.density * enclosed_mass(r) / r;
            }
        }
    }
}

Energies EddingtonModel::energies() const {
    Energies sum;
    for (const Energies& part : energies_) {
        sum.radial += part.radial;
        sum.tangential += part.tangential;
        sum.potential += part.potential;
    }
    return sum;
}

const EddingtonModel::Piece& EddingtonModel::piece_at(double radius) const {
    const auto found =
        std::lower_bound(pieces_.begin(), pieces_.end(), radius, [](const Piece& piece, double r) { return piece.high < r; });
    return found == pieces_.end() ? pieces_.back() : *found;
}

double EddingtonModel::on(const Piece& piece, const Values& series, double radius) const {
    return math::chebyshev_sum(series, (2.0 * radius - piece.low - piece.high) / (piece.high - piece.low));
}

double EddingtonModel::potential(double radius) const {
    if (radius >= edge_) return 1.0 / radius - 1.0 / edge_;
    const Piece& piece = piece_at(radius);
    return on(piece, piece.potential_series, radius);
}

double EddingtonModel::enclosed_mass(double radius) const {
    if (radius >= edge_) return 1.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < components_.size(); ++j)
        sum += enclosed_mass(radius, j);
    return sum;
}

double EddingtonModel::enclosed_mass(double radius, std::size_t component) const {
    ALIQUOT_EXPECT(component < components_.size());
    if (radius <= 0.0) return 0.0;
    if (radius >= edge_) return components_[component].mass_fraction;
    const Piece& piece = piece_at(radius);
    return on(piece, piece.mass_series[component], radius);
}

double EddingtonModel::radius_of(double wanted) const {
    double low = 0.0;
    double high = edge_;
    double r = 0.5 * edge_;
    for (int i = 0; i < 200; ++i) {
        const double gap = potential(r) - wanted;
        (gap > 0.0 ? low : high) = r;
        const double mass = enclosed_mass(r);
        double next = mass > 0.0 ? r + gap * r * r / mass : 0.5 * (low + high);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - r) <= 1e-15 * r) return next;
        r = next;
    }
    return r;
}

double EddingtonModel::density(double radius, std::size_t component) const {
    return radius >= edge_ ? 0.0 : norm_[component] * (*components_[component].profile)(radius).density;
}

Moments EddingtonModel::moments(double radius, std::size_t component) const {
    ALIQUOT_EXPECT(component < components_.size());
    const double ra = components_[component].anisotropy_radius;
    const double q = 1.0 + radius * radius / (ra * ra);
    const double rho = density(radius, component);
    if (rho <= 0.0) return {};
    const Piece& piece = piece_at(radius);
    const double of_energy = q * rho - augmented(edge_ * (1.0 - 1e-15), component).density;
    const double radial = of_energy > 0.0 ? std::max(on(piece, piece.pressure_series[component], radius) / of_energy, 0.0) : 0.0;
    return {rho, radial, 2.0 * radial / q};
}

LocalVelocities EddingtonModel::local_velocities(double radius, std::size_t component) const {
    return {std::max(potential(radius), 0.0), 1.0, radius / components_[component].anisotropy_radius};
}

double EddingtonModel::phase_density(double energy, std::size_t component) const {
    const double x = energy / central_potential_;
    const double start = phase_start_[component];
    if (x <= start) return 0.0;
    return std::max(phase_[component](std::min(x, 1.0)) / std::sqrt(x - start), 0.0);
}

}  // namespace aliquot::cluster
