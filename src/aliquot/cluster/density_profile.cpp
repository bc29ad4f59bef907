#include "aliquot/cluster/density_profile.hpp"

#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/math/special_functions.hpp"

namespace aliquot::cluster {

namespace {

class EffProfile final : public DensityProfile {
  public:
    EffProfile(double core_radius, double gamma, double edge) : core_(core_radius), gamma_(gamma), edge_(edge) {}

    Value operator()(double radius) const override {
        if (radius > edge_) return {0.0, 0.0, 0.0};
        const double x = radius / core_;
        const double s = 1.0 + x * x;
        const double density = std::pow(s, -0.5 * gamma_);
        const double first = -gamma_ * density / s;
        return {density, first * x / core_, (first - (gamma_ + 2.0) * first * x * x / s) / (core_ * core_)};
    }
    double edge() const override { return edge_; }
    double core_radius() const override { return core_; }

  private:
    double core_;
    double gamma_;
    double edge_;
};

class LoweredProfile final : public DensityProfile {
  public:
    LoweredProfile(double central_depth, double truncation, double king_radius)
        : model_(LoweredSpec{central_depth, truncation}), truncation_(truncation), scale_(king_radius) {}

    Value operator()(double radius) const override {
        const double x = radius / scale_;
        if (x >= model_.edge()) return {0.0, 0.0, 0.0};
        const double w = model_.potential(x);
        const double norm = 1.0 / math::lowered_exponential(truncation_ + 1.5, model_.spec().central_depth);
        const double density = norm * math::lowered_exponential(truncation_ + 1.5, w);
        // E_(g + 3/2)' = E_(g + 1/2), E_a' = E_a + x^(a - 1) / Gamma(a); Poisson: W'' = -9 rho - 2 W' / x.
        const double a = truncation_ + 0.5;
        const double by_depth = norm * math::lowered_exponential(a, w);
        const double by_depth_twice = by_depth + norm * std::pow(w, a - 1.0) / std::tgamma(a);
        const double mass = model_.enclosed_mass(x) * model_.gravitational_constant();
        const double force = x > 0.0 ? -mass / (x * x) : 0.0;
        const double bend = x > 0.0 ? -9.0 * density - 2.0 * force / x : -3.0 * density;
        return {density, by_depth * force / scale_, (by_depth_twice * force * force + by_depth * bend) / (scale_ * scale_)};
    }
    double edge() const override { return model_.edge() * scale_; }
    double core_radius() const override { return scale_; }

  private:
    LoweredModel model_;
    double truncation_;
    double scale_;
};

void require_positive(const char* name, double value) {
    if (!(value > 0.0 && std::isfinite(value))) throw ConfigError(format("{} = {} (must be positive)", name, value));
}

}  // namespace

std::shared_ptr<const DensityProfile> eff_profile(double core_radius, double gamma, double edge) {
    require_positive("core radius", core_radius);
    require_positive("gamma", gamma);
    if (!(edge > 0.0)) throw ConfigError(format("edge radius = {} (must be positive)", edge));
    if (gamma <= 3.0 && !std::isfinite(edge))
        throw ConfigError(format(
            "gamma = {} (the mass of an EFF profile without an edge grows without limit for gamma <= 3): give an edge radius",
            gamma));
    return std::make_shared<EffProfile>(core_radius, gamma, edge);
}

std::shared_ptr<const DensityProfile> lowered_profile(double central_depth, double truncation, double king_radius) {
    require_positive("King radius", king_radius);
    return std::make_shared<LoweredProfile>(central_depth, truncation, king_radius);
}

}  // namespace aliquot::cluster
