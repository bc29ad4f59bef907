#include "aliquot/cluster/projection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

using math::ChebyshevElement;

Projection::Projection(const Equilibrium& model, std::optional<std::size_t> component)
    : model_(model),
      component_(component),
      core_(component ? model.lagrangian_radius(0.005, *component) : model.lagrangian_radius(0.005)) {}

ProjectedMoments Projection::operator()(double projected_radius) const {
    const double edge = model_.edge();
    ProjectedMoments sum;
    if (projected_radius >= edge) return sum;
    const ChebyshevElement& element = ChebyshevElement::instance();
    const double square = projected_radius * projected_radius;
    const double farthest = std::isfinite(edge) ? std::sqrt(edge * edge - square) : edge;
    const auto add = [&](double z, double weight) {
        const double r2 = square + z * z;
        const double r = std::min(std::sqrt(r2), edge);
        const Moments m = component_ ? model_.moments(r, *component_) : model_.moments(r);
        const double sine2 = r2 > 0.0 ? square / r2 : 0.0;
        const double beta = m.anisotropy();
        const double mass = 2.0 * weight * m.density;
        sum.surface_density += mass;
        sum.line_of_sight += mass * m.radial * (1.0 - beta * sine2);
        sum.radial += mass * m.radial * (1.0 - beta * (1.0 - sine2));
        sum.tangential += mass * 0.5 * m.tangential;
        return mass;
    };
    double low = 0.0;
    double high = std::max(core_, 0.4 * projected_radius);
    for (bool last = false; !last; high *= 1.5) {
        last = high >= 0.75 * farthest;
        const double end = last ? farthest : high;
        const double half = 0.5 * (end - low);
        double gained = 0.0;
        for (std::size_t i = 0; i < ChebyshevElement::count; ++i) {
            // t in [0, 1]; towards the edge, where the density vanishes like a power, nodes crowd.
            const double t = 0.5 * (element.nodes()[i] + 1.0);
            const double z = last ? end - (end - low) * (1.0 - t) * (1.0 - t) : low + (end - low) * t;
            const double slope = last ? 2.0 * (1.0 - t) : 1.0;
            gained += add(z, element.weights()[i] * half * slope);
        }
        low = end;
        if (!std::isfinite(farthest) && gained < 1e-13 * sum.surface_density) break;
    }
    sum.line_of_sight /= sum.surface_density;
    sum.radial /= sum.surface_density;
    sum.tangential /= sum.surface_density;
    return sum;
}

double Projection::half_mass_radius() const {
    // Mass in the cylinder R = mass in the sphere R plus what of the shells outside lies within it.
    const ChebyshevElement& element = ChebyshevElement::instance();
    const auto outside = [&](double projected_radius) {
        const double edge = model_.edge();
        double mass = 0.0;
        double low = projected_radius;
        for (double high = low + std::max(core_, 0.4 * low);; high = low + 0.5 * low) {
            const bool last = high >= edge;
            const double end = last ? edge : high;
            double gained = 0.0;
            for (std::size_t i = 0; i < ChebyshevElement::count; ++i) {
                const double t = 0.5 * (element.nodes()[i] + 1.0);
                // r = low + (end - low) t^2: the root singularity at r = R is gone.
                const double r = low + (end - low) * t * t;
                const double density = component_ ? model_.density(r, *component_) : model_.moments(r).density;
                const double cosine = std::sqrt(std::max(0.0, 1.0 - projected_radius * projected_radius / (r * r)));
                gained += element.weights()[i] * (end - low) * t * 4.0 * std::numbers::pi * r * r * density * cosine;
            }
            mass += gained;
            low = end;
            if (last || gained < 1e-12 * mass) break;
        }
        return mass;
    };
    const double whole = model_.total_mass() * (component_ ? model_.mass_fraction(*component_) : 1.0);
    double low = 0.0;
    double high = component_ ? model_.lagrangian_radius(0.5, *component_) : model_.half_mass_radius();
    while (high - low > 1e-10 * high) {
        const double middle = 0.5 * (low + high);
        (outside(middle) > 0.5 * whole ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace aliquot::cluster
