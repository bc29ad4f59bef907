#include "aliquot/cluster/inverse_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "aliquot/cluster/shells.hpp"
#include "aliquot/cluster/speed_law.hpp"
#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

namespace {

using math::ChebyshevElement;

constexpr std::size_t columns = 257;
constexpr std::size_t pieces = 8;

/// The cumulative speed law at one radius, over the angle phi with v / v_esc = sin(phi): smooth at the escape speed, where the
/// law ends like a power. Clenshaw-Curtis on pieces.
class SpeedCdf {
  public:
    SpeedCdf(const Equilibrium& model, std::size_t component, const LocalVelocities& local) {
        const ChebyshevElement& element = ChebyshevElement::instance();
        const SpeedLaw law(model, component, local);
        double sum = 0.0;
        for (std::size_t k = 0; k < pieces; ++k) {
            ChebyshevElement::Values values;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double phi = edge(k) + 0.5 * width * (element.nodes()[i] + 1.0);
                const double c = std::max(std::cos(phi), 1e-150);
                values[i] = law(c) * std::sqrt((1.0 - c) * (1.0 + c));
            }
            ChebyshevElement::Values integral = element.integrate(values);
            for (double& value : integral)
                value = sum + 0.5 * width * value;
            sum = integral.back();
            series_[k] = element.coefficients(integral);
            density_[k] = element.coefficients(values);
        }
        total_ = sum;
    }

    /// Share of speeds below w escape speeds.
    [[nodiscard]] double operator()(double w) const { return below(std::asin(std::min(w, 1.0))); }
    /// The w below which the share `fraction` of speeds lies.
    [[nodiscard]] double inverse(double fraction) const {
        double low = 0.0;
        double high = 0.5 * std::numbers::pi;
        double phi = std::cbrt(fraction);
        for (int i = 0; i < 100; ++i) {
            const double gap = below(phi) - fraction;
            (gap > 0.0 ? high : low) = phi;
            const std::size_t k = piece(phi);
            const double density = math::chebyshev_sum(density_[k], argument(k, phi)) / total_;
            double next = density > 0.0 ? phi - gap / density : 0.5 * (low + high);
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (std::abs(next - phi) < 1e-14) break;
            phi = next;
        }
        return std::sin(phi);
    }

  private:
    static constexpr double width = 0.5 * std::numbers::pi / static_cast<double>(pieces);
    static double edge(std::size_t k) { return width * static_cast<double>(k); }
    static std::size_t piece(double phi) { return std::min(static_cast<std::size_t>(phi / width), pieces - 1); }
    static double argument(std::size_t k, double phi) { return 2.0 * (phi - edge(k)) / width - 1.0; }
    [[nodiscard]] double below(double phi) const {
        const std::size_t k = piece(phi);
        return math::chebyshev_sum(series_[k], argument(k, phi)) / total_;
    }

    std::array<ChebyshevElement::Values, pieces> series_{};
    std::array<ChebyshevElement::Values, pieces> density_{};
    double total_ = 0.0;
};

/// Where a probability stands among the columns, in [0, 1]: cube roots at both ends, where speeds are powers of it.
double column_of(double fraction) {
    return fraction < 0.5 ? 0.5 * std::cbrt(2.0 * fraction) : 1.0 - 0.5 * std::cbrt(2.0 * (1.0 - fraction));
}

double fraction_of(double column) {
    const double end = 2.0 * std::min(column, 1.0 - column);
    return column < 0.5 ? 0.5 * end * end * end : 1.0 - 0.5 * end * end * end;
}

/// P(cosine < q) = 1/2 [1 + exp(-b (1 - q^2)) F(a q) / F(a)], a^2 = b.
double angle_share_below(double b, double q) {
    if (b == 0.0) return 0.5 * (1.0 + q);
    const double a = std::sqrt(b);
    return 0.5 * (1.0 + std::exp(-b * (1.0 - q * q)) * math::dawson(a * q) / math::dawson(a));
}

double angle_inverse(double b, double fraction) {
    if (b == 0.0) return 2.0 * fraction - 1.0;
    double low = -1.0;
    double high = 1.0;
    double q = 2.0 * fraction - 1.0;
    const double a = std::sqrt(b);
    for (int i = 0; i < 100; ++i) {
        const double gap = angle_share_below(b, q) - fraction;
        (gap > 0.0 ? high : low) = q;
        const double density = 0.5 * a * std::exp(-b * (1.0 - q * q)) / math::dawson(a);
        double next = density > 0.0 ? q - gap / density : 0.5 * (low + high);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - q) < 1e-15) return next;
        q = next;
    }
    return q;
}

}  // namespace

InverseTransform::InverseTransform(const Equilibrium& model, std::size_t component, bool table)
    : model_(&model),
      component_(component),
      stretched_(model.anisotropy_law() == AnisotropyLaw::stretched),
      radii_(shell_radii(model, component, 1.04, 0.85)) {
    const double whole = model.total_mass() * model.mass_fraction(component);
    const double edge = model.edge();
    if (!std::isfinite(edge))
        for (int i = 0; i < 32; ++i)
            radii_.push_back(radii_.back() * 1.3);
    for (const double r : radii_)
        mass_.push_back(r == edge ? 1.0 : model.enclosed_mass(r, component) / whole);
    if (table) tabulate();
}

void InverseTransform::tabulate() {
    for (const double r : radii_) {
        LocalVelocities local = model_->local_velocities(r, component_);
        // The law has a limit at the edge itself, where the depth is zero.
        local.depth = std::max(local.depth, 1e-9 * model_->local_velocities(0.0, component_).depth);
        const SpeedCdf cdf(*model_, component_, local);
        for (std::size_t i = 0; i < columns; ++i) {
            const double t = static_cast<double>(i) / static_cast<double>(columns - 1);
            speeds_.push_back(i == 0 ? 0.0 : i + 1 == columns ? 1.0 : cdf.inverse(fraction_of(t)));
        }
    }
}

double InverseTransform::radius_of(double fraction) const {
    const double whole = model_->total_mass() * model_->mass_fraction(component_);
    const auto found = std::lower_bound(mass_.begin(), mass_.end(), fraction);
    if (found == mass_.end()) return model_->lagrangian_radius(fraction, component_);
    const auto k = std::max<std::ptrdiff_t>(found - mass_.begin(), 1);
    double low = radii_[static_cast<std::size_t>(k - 1)];
    double high = radii_[static_cast<std::size_t>(k)];
    double r = 0.5 * (low + high);
    for (int i = 0; i < 100; ++i) {
        const double gap = model_->enclosed_mass(r, component_) / whole - fraction;
        (gap > 0.0 ? high : low) = r;
        const double slope = 4.0 * std::numbers::pi * r * r * model_->density(r, component_) / whole;
        double next = slope > 0.0 ? r - gap / slope : 0.5 * (low + high);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - r) <= 1e-14 * r) return next;
        r = next;
    }
    return r;
}

double InverseTransform::speed_of(double radius, double fraction) const {
    if (speeds_.empty()) {
        const LocalVelocities local = model_->local_velocities(radius, component_);
        return local.depth > 0.0 ? SpeedCdf(*model_, component_, local).inverse(fraction) : 0.0;
    }
    const auto found = std::upper_bound(radii_.begin(), radii_.end(), radius);
    const auto k = std::clamp<std::ptrdiff_t>(found - radii_.begin() - 1, 0, static_cast<std::ptrdiff_t>(radii_.size()) - 2);
    const auto row = static_cast<std::size_t>(k);
    const double y = std::min((radius - radii_[row]) / (radii_[row + 1] - radii_[row]), 1.0);
    const double t = column_of(fraction) * static_cast<double>(columns - 1);
    const std::size_t column = std::min(static_cast<std::size_t>(t), columns - 2);
    const double x = t - static_cast<double>(column);
    const double* a = speeds_.data() + row * columns + column;
    const double* b = a + columns;
    return (1.0 - y) * (a[0] + x * (a[1] - a[0])) + y * (b[0] + x * (b[1] - b[0]));
}

PhasePoint InverseTransform::draw(RandomStream& random) const {
    return draw_at(radius_of(random.uniform()), random);
}

PhasePoint InverseTransform::draw_at(double radius, RandomStream& random) const {
    const double share = random.uniform();
    const double angle = random.uniform();
    const LocalVelocities local = model_->local_velocities(radius, component_);
    const double w = speed_of(radius, share);
    const double speed = local.velocity_unit * std::sqrt(2.0 * local.depth) * w;
    const double q = angle_inverse(stretched_ ? 0.0 : local.p * local.p * local.depth * w * w, angle);
    const double across = std::sqrt((1.0 - q) * (1.0 + q));
    return {radius, speed * q, speed * (stretched_ ? across / std::sqrt(1.0 + local.p * local.p) : across)};
}

double speed_cdf(const Equilibrium& model, std::size_t component, double radius, double share) {
    return SpeedCdf(model, component, model.local_velocities(radius, component))(share);
}

double angle_cdf(const Equilibrium& model, std::size_t component, double radius, double speed, double cosine) {
    const LocalVelocities local = model.local_velocities(radius, component);
    const double k = 0.5 * speed * speed / (local.velocity_unit * local.velocity_unit);
    return angle_share_below(model.anisotropy_law() == AnisotropyLaw::lowered ? local.p * local.p * k : 0.0, cosine);
}

}  // namespace aliquot::cluster
