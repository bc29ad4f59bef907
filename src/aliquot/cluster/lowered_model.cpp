#include "aliquot/cluster/lowered_model.hpp"

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
constexpr double farthest_edge = 1e7;  ///< in King radii; a model that goes on counts as having no edge
constexpr double tolerance = 2e-15;
constexpr double gravity = 9.0 / (4.0 * pi);

bool anisotropic(const LoweredSpec& spec) {
    return std::any_of(spec.components.begin(), spec.components.end(),
                       [](const LoweredComponent& c) { return std::isfinite(c.anisotropy_radius); });
}

void check(LoweredSpec& spec) {
    if (!(spec.central_depth > 0.0 && spec.central_depth <= 200.0))
        throw ConfigError(format("W0 = {} (the central depth of a lowered model lies in (0, 200])", spec.central_depth));
    if (!(spec.truncation >= 0.0 && spec.truncation < 3.5))
        throw ConfigError(
            format("g = {} (the truncation of a lowered model lies in [0, 3.5): 0 Woolley, 1 King, 2 Wilson)", spec.truncation));
    if (spec.components.empty()) throw ConfigError("a lowered model needs a component");
    double sum = 0.0;
    for (const LoweredComponent& component : spec.components) {
        if (!(component.central_fraction > 0.0 && std::isfinite(component.central_fraction)))
            throw ConfigError(format("central fraction = {} (must be positive)", component.central_fraction));
        if (!(component.velocity_scale > 0.0 && std::isfinite(component.velocity_scale)))
            throw ConfigError(format("velocity scale = {} (must be positive)", component.velocity_scale));
        if (!(component.anisotropy_radius > 0.0))
            throw ConfigError(format("r_a = {} (the anisotropy radius must be positive; leave it out for isotropic orbits)",
                                     component.anisotropy_radius));
        sum += component.central_fraction;
    }
    for (LoweredComponent& component : spec.components)
        component.central_fraction /= sum;
}

/// The last coefficients of a resolved series are at rounding level.
bool resolved(const Values& series, double scale) {
    return std::abs(series[nodes - 1]) + std::abs(series[nodes - 2]) <= 4e-15 * scale;
}

double largest_change(const Values& a, const Values& b) {
    double change = 0.0;
    for (std::size_t i = 0; i < nodes; ++i)
        change = std::max(change, std::abs(a[i] - b[i]));
    return change;
}

}  // namespace

LoweredModel::LoweredModel(LoweredSpec spec, Unsolved /*tag*/)
    : spec_((check(spec), std::move(spec))), law_(spec_.truncation, anisotropic(spec_)) {
    for (const LoweredComponent& component : spec_.components) {
        const double factor = 1.0 / (component.velocity_scale * component.velocity_scale);
        const double depth = spec_.central_depth * factor;
        depth_factor_.push_back(factor);
        shift_.push_back(depth > 100.0 ? depth : 0.0);
        norm_.push_back(component.central_fraction / law_.density(depth, 0.0, shift_.back()));
    }
}

LoweredModel::LoweredModel(LoweredSpec spec) : LoweredModel(std::move(spec), Unsolved{}) {
    if (!solve()) refuse(spec_);
    integrate();
}

LoweredModel LoweredModel::king(double central_depth, double anisotropy_radius) {
    return LoweredModel(LoweredSpec{central_depth, 1.0, {{1.0, 1.0, anisotropy_radius}}});
}

bool LoweredModel::has_edge(const LoweredSpec& spec) {
    return LoweredModel(spec, Unsolved{}).solve();
}

void LoweredModel::refuse(const LoweredSpec& spec) {
    constexpr const char* why = "the density of this model never reaches zero";
    const auto scaled = [&spec](double factor) {
        LoweredSpec other = spec;
        for (LoweredComponent& component : other.components)
            component.anisotropy_radius *= factor;
        return other;
    };
    if (anisotropic(spec)) {
        if (LoweredSpec isotropic = scaled(std::numeric_limits<double>::infinity()); has_edge(isotropic)) {
            double smallest = std::numeric_limits<double>::infinity();
            for (const LoweredComponent& component : spec.components)
                smallest = std::min(smallest, component.anisotropy_radius);
            double low = 1.0;
            double high = std::max(2.0, 0.1 / smallest);
            while (!has_edge(scaled(high)))
                high *= 2.0;
            while (high > 1.0001 * low) {
                const double middle = std::sqrt(low) * std::sqrt(high);
                (has_edge(scaled(middle)) ? high : low) = middle;
            }
            throw NoFiniteEdge(
                format("r_a = {:.6g} r_0 at W0 = {:.6g}, g = {:.6g} ({}): take r_a above its critical value {:.5g} r_0", smallest,
                       spec.central_depth, spec.truncation, why, smallest * high));
        }
    }
    LoweredSpec other = spec;
    double low = 0.0;
    double high = spec.truncation;
    const auto edge_at = [&other](double g) {
        other.truncation = g;
        return has_edge(other);
    };
    if (!edge_at(low)) throw NoFiniteEdge(format("W0 = {:.6g} ({} at any g)", spec.central_depth, why));
    while (high - low > 1e-4)
        (edge_at(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    throw NoFiniteEdge(format("g = {:.6g} at W0 = {:.6g} ({}): take g below its critical value {:.4g}", spec.truncation,
                              spec.central_depth, why, low));
}

double LoweredModel::density_at(double depth, double radius, std::size_t component) const {
    const double p = radius / spec_.components[component].anisotropy_radius;
    return norm_[component] * law_.density(depth * depth_factor_[component], p, shift_[component]);
}

double LoweredModel::density_at(double depth, double radius) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < spec_.components.size(); ++j)
        sum += density_at(depth, radius, j);
    return sum;
}

/// Picard iteration of W = W_a - int m / r^2, m = m_a + int 9 r^2 rho on one interval of radius.
bool LoweredModel::solve_inner(double from, double to, double depth, double mass, Piece& piece) const {
    const ChebyshevElement& element = ChebyshevElement::instance();
    const double half = 0.5 * (to - from);
    Values radius;
    Values w;
    const double rho = density_at(depth, from);
    for (std::size_t i = 0; i < nodes; ++i) {
        radius[i] = i == 0 ? from : from + half * (element.nodes()[i] + 1.0);
        const double r = radius[i];
        const double inside = mass - 3.0 * rho * from * from * from;
        w[i] = depth - (from > 0.0 ? inside * (1.0 / from - 1.0 / r) : 0.0) - 1.5 * rho * (r * r - from * from);
        w[i] = std::max(w[i], 0.0);
    }
    Values m;
    double previous = std::numeric_limits<double>::infinity();
    bool converged = false;
    for (int iteration = 0; iteration < 40 && !converged; ++iteration) {
        Values source;
        for (std::size_t i = 0; i < nodes; ++i)
            source[i] = 9.0 * radius[i] * radius[i] * density_at(w[i], radius[i]);
        m = element.integrate(source);
        Values force;
        for (std::size_t i = 0; i < nodes; ++i) {
            m[i] = mass + half * m[i];
            force[i] = radius[i] > 0.0 ? m[i] / (radius[i] * radius[i]) : 0.0;
        }
        Values next = element.integrate(force);
        for (double& value : next)
            value = depth - half * value;
        const double change = largest_change(next, w);
        w = next;
        if (*std::min_element(w.begin(), w.end()) < 0.0) {
            if (iteration > 3) return false;
            for (double& value : w)
                value = std::max(value, 0.0);
        }
        converged = change <= tolerance * spec_.central_depth;
        if (iteration > 6 && change > 0.5 * previous && !converged) converged = change <= 8.0 * tolerance * spec_.central_depth;
        if (iteration > 12 && change > previous && !converged) return false;
        previous = change;
    }
    if (!converged || w[nodes - 1] <= 0.0) return false;
    piece.low = piece.inner_radius = from;
    piece.high = piece.outer_radius = to;
    piece.unknown = w;
    piece.mass = m;
    piece.unknown_series = element.coefficients(w);
    piece.mass_series = element.coefficients(m);
    return resolved(piece.unknown_series, depth) && resolved(piece.mass_series, m[nodes - 1]);
}

/// Picard iteration of u = 1/r = u_a - int 2 s / m ds, m = m_a + int 18 s rho / (u^4 m) ds over s = sqrt(W), downwards.
bool LoweredModel::solve_edge(double from, double to, double inverse_radius, double mass, Piece& piece) const {
    const ChebyshevElement& element = ChebyshevElement::instance();
    const double half = 0.5 * (from - to);
    Values s;
    Values u;
    Values m;
    for (std::size_t i = 0; i < nodes; ++i) {
        s[i] = i == 0 ? to : to + half * (element.nodes()[i] + 1.0);
        m[i] = mass;
        u[i] = std::max(inverse_radius - (from * from - s[i] * s[i]) / mass, 0.1 * inverse_radius);
    }
    double previous = std::numeric_limits<double>::infinity();
    bool converged = false;
    for (int iteration = 0; iteration < 60 && !converged; ++iteration) {
        Values source;
        for (std::size_t i = 0; i < nodes; ++i) {
            const double u2 = u[i] * u[i];
            source[i] = s[i] > 0.0 ? 18.0 * s[i] * density_at(s[i] * s[i], 1.0 / u[i]) / (u2 * u2 * m[i]) : 0.0;
        }
        Values integral = element.integrate(source);
        Values slope;
        for (std::size_t i = 0; i < nodes; ++i) {
            m[i] = mass + half * (integral[nodes - 1] - integral[i]);
            slope[i] = 2.0 * s[i] / m[i];
        }
        integral = element.integrate(slope);
        Values next;
        for (std::size_t i = 0; i < nodes; ++i)
            next[i] = inverse_radius - half * (integral[nodes - 1] - integral[i]);
        const double change = largest_change(next, u);
        u = next;
        for (double& value : u) {
            if (value < 0.02 * inverse_radius || !std::isfinite(value)) return false;
        }
        converged = change <= tolerance * inverse_radius;
        if (iteration > 12 && change > 0.5 * previous && !converged) converged = change <= 8.0 * tolerance * inverse_radius;
        if (iteration > 20 && change > previous && !converged) return false;
        previous = change;
    }
    if (!converged) return false;
    piece.low = to;
    piece.high = from;
    piece.inner_radius = 1.0 / u[nodes - 1];
    piece.outer_radius = 1.0 / u[0];
    piece.unknown = u;
    piece.mass = m;
    piece.unknown_series = element.coefficients(u);
    piece.mass_series = element.coefficients(m);
    return resolved(piece.unknown_series, inverse_radius) && resolved(piece.mass_series, m[0]);
}

bool LoweredModel::solve() {
    const double switch_depth = std::min(0.05 * spec_.central_depth, 0.3);
    double radius = 0.0;
    double depth = spec_.central_depth;
    double mass = 0.0;
    double step = 0.5;
    while (depth > switch_depth) {
        Piece piece;
        double width = std::max(step, 0.0);
        while (!solve_inner(radius, radius + width, depth, mass, piece)) {
            width *= 0.6;
            if (width < 1e-13 * std::max(radius, 1.0)) return false;  // an anisotropy radius too small to be resolved
        }
        if (piece.unknown[nodes - 1] < switch_depth) {
            // Newton for the radius where the depth is the switch's, then the interval again up to there.
            double at = piece.high;
            for (int i = 0; i < 60; ++i) {
                const double x = (2.0 * at - piece.low - piece.high) / (piece.high - piece.low);
                const double w = math::chebyshev_sum(piece.unknown_series, x);
                const double m = math::chebyshev_sum(piece.mass_series, x);
                const double change = (w - switch_depth) * at * at / m;
                at = std::clamp(at + change, piece.low + 1e-6 * width, piece.high);
                if (std::abs(change) < 1e-14 * at) break;
            }
            if (!solve_inner(radius, at, depth, mass, piece)) return false;
            depth = switch_depth;
        } else {
            depth = piece.unknown[nodes - 1];
        }
        radius = piece.high;
        mass = piece.mass[nodes - 1];
        pieces_.push_back(std::move(piece));
        if (radius > farthest_edge) return false;
        step = std::max(1.5 * width, 1e-3);
        step = std::min(step, std::max(0.5, 0.75 * radius));
    }
    inner_pieces_ = pieces_.size();
    double s = std::sqrt(pieces_.back().unknown[nodes - 1]);
    double inverse = 1.0 / radius;
    double next = 0.0;
    while (s > 0.0) {
        Piece piece;
        while (!solve_edge(s, next, inverse, mass, piece)) {
            next = 0.5 * (s + next);
            if (s - next < 1e-7 * s) return false;
        }
        s = next;
        inverse = piece.unknown[0];
        mass = piece.mass[0];
        if (inverse * farthest_edge < 1.0) return false;
        pieces_.push_back(std::move(piece));
        next = 0.0;
    }
    edge_ = 1.0 / inverse;
    total_mass_ = mass / gravity;
    return true;
}

void LoweredModel::integrate() {
    const ChebyshevElement& element = ChebyshevElement::instance();
    const std::size_t count = spec_.components.size();
    energies_.assign(count, {});
    std::vector<double> mass(count, 0.0);
    std::vector<double> potential(count, 0.0);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        Piece& piece = pieces_[k];
        const bool inner = k < inner_pieces_;
        const double half = 0.5 * (piece.high - piece.low);
        // dV at each node: 4 pi r^2 dr, with dr = 2 s r^2 / m ds in the edge pieces.
        Values volume;
        Values radius;
        Values depth;
        for (std::size_t i = 0; i < nodes; ++i) {
            const double x = i == 0 ? piece.low : piece.low + half * (element.nodes()[i] + 1.0);
            radius[i] = inner ? x : 1.0 / piece.unknown[i];
            depth[i] = inner ? piece.unknown[i] : x * x;
            const double r2 = radius[i] * radius[i];
            volume[i] = 4.0 * pi * r2 * half * (inner ? 1.0 : 2.0 * x * r2 / piece.mass[i]);
        }
        for (std::size_t j = 0; j < count; ++j) {
            const LoweredComponent& component = spec_.components[j];
            const double square = component.velocity_scale * component.velocity_scale;
            Values shell;
            for (std::size_t i = 0; i < nodes; ++i) {
                const double p = radius[i] / component.anisotropy_radius;
                const double w = depth[i] * depth_factor_[j];
                const double weight = element.weights()[i] * volume[i] * norm_[j];
                const auto pressure = law_.pressures(w, p, shift_[j]);
                const double rho = density_at(depth[i], radius[i], j);
                energies_[j].radial += 0.5 * weight * square * pressure.radial;
                energies_[j].tangential += 0.5 * weight * square * pressure.tangential;
                if (radius[i] > 0.0) energies_[j].potential -= element.weights()[i] * volume[i] * rho * piece.mass[i] / radius[i];
                potential[j] += element.weights()[i] * volume[i] * rho * depth[i];
                shell[i] = volume[i] * rho;
            }
            Values cumulative = element.integrate(shell);
            const double total = cumulative[nodes - 1];
            if (count > 1) {
                for (double& value : cumulative)
                    value = mass[j] + (inner ? value : total - value);
                piece.component_mass_series.push_back(element.coefficients(cumulative));
            }
            mass[j] += total;
        }
    }
    double sum = 0.0;
    for (const double value : mass)
        sum += value;
    for (const double value : mass)
        mass_fraction_.push_back(value / sum);
    double self = 0.0;
    for (const double value : potential)
        self += value;
    self_energy_ = -0.5 * self - 0.5 * gravity * total_mass_ * total_mass_ / edge_;
}

LoweredModel::Point LoweredModel::locate(double radius) const {
    const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), radius,
                                        [](const Piece& piece, double r) { return piece.outer_radius < r; });
    const Piece& piece = found == pieces_.end() ? pieces_.back() : *found;
    const double width = piece.high - piece.low;
    if (static_cast<std::size_t>(&piece - pieces_.data()) < inner_pieces_) {
        const double x = (2.0 * radius - piece.low - piece.high) / width;
        return {&piece, x, math::chebyshev_sum(piece.unknown_series, x)};
    }
    // u(W) is almost a straight line of slope 1 / m: Newton in W.
    const double u = 1.0 / radius;
    const double low = piece.low * piece.low;
    const double high = piece.high * piece.high;
    double w = low + (high - low) * (u - piece.unknown[0]) / (piece.unknown[nodes - 1] - piece.unknown[0]);
    double x = -1.0;
    for (int i = 0; i < 12; ++i) {
        w = std::clamp(w, low, high);
        x = (2.0 * std::sqrt(w) - piece.low - piece.high) / width;
        const double change = (u - math::chebyshev_sum(piece.unknown_series, x)) * math::chebyshev_sum(piece.mass_series, x);
        w += change;
        if (std::abs(change) <= 1e-15 * high) break;
    }
    w = std::clamp(w, low, high);
    return {&piece, (2.0 * std::sqrt(w) - piece.low - piece.high) / width, w};
}

double LoweredModel::concentration() const {
    return std::log10(edge_);
}

double LoweredModel::radial_orbit_ratio() const {
    const Energies all = energies();
    return 2.0 * all.radial / all.tangential;
}

double LoweredModel::gravitational_constant() const {
    return gravity;
}

double LoweredModel::potential(double radius) const {
    if (radius >= edge_) return gravity * total_mass_ * (1.0 / radius - 1.0 / edge_);
    return locate(radius).depth;
}

double LoweredModel::enclosed_mass(double radius) const {
    if (radius <= 0.0) return 0.0;
    if (radius >= edge_) return total_mass_;
    const Point point = locate(radius);
    return math::chebyshev_sum(point.piece->mass_series, point.argument) / gravity;
}

double LoweredModel::enclosed_mass(double radius, std::size_t component) const {
    ALIQUOT_EXPECT(component < components());
    if (components() == 1) return enclosed_mass(radius);
    if (radius <= 0.0) return 0.0;
    if (radius >= edge_) return total_mass_ * mass_fraction_[component];
    const Point point = locate(radius);
    return math::chebyshev_sum(point.piece->component_mass_series[component], point.argument);
}

double LoweredModel::density(double radius, std::size_t component) const {
    return radius >= edge_ ? 0.0 : density_at(locate(radius).depth, radius, component);
}

Moments LoweredModel::moments(double radius, std::size_t component) const {
    ALIQUOT_EXPECT(component < components());
    if (radius >= edge_) return {};
    const double depth = locate(radius).depth;
    const double p = radius / spec_.components[component].anisotropy_radius;
    const double w = depth * depth_factor_[component];
    const double rho = density_at(depth, radius, component);
    if (rho <= 0.0) return {};
    const auto pressure = law_.pressures(w, p, shift_[component]);
    const double scale = norm_[component] / (depth_factor_[component] * rho);
    return {rho, scale * pressure.radial, scale * pressure.tangential};
}

Energies LoweredModel::energies() const {
    Energies sum;
    for (const Energies& part : energies_) {
        sum.radial += part.radial;
        sum.tangential += part.tangential;
    }
    sum.potential = self_energy_;
    return sum;
}

LocalVelocities LoweredModel::local_velocities(double radius, std::size_t component) const {
    const double depth = radius >= edge_ ? 0.0 : locate(radius).depth;
    return {depth * depth_factor_[component], spec_.components[component].velocity_scale,
            radius / spec_.components[component].anisotropy_radius};
}

double LoweredModel::phase_density(double energy, std::size_t component) const {
    return law_.phase_density(energy, shift_[component]);
}

}  // namespace aliquot::cluster
