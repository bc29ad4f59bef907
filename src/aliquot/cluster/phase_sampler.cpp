#include "aliquot/cluster/phase_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "aliquot/cluster/inverse_transform.hpp"
#include "aliquot/cluster/shells.hpp"
#include "aliquot/cluster/speed_law.hpp"
#include "aliquot/core/contract.hpp"

namespace aliquot::cluster {

namespace {

constexpr std::size_t cells_per_strip = 24;
constexpr double strip_ratio = 1.06;  ///< outer over inner radius of a shell
constexpr double depth_ratio = 0.85;  ///< inner over outer depth, towards the edge
constexpr std::size_t phase_samples = 4096;
/// Where f grows with energy (lowered models: everything is analytic) interpolation decides whether a trial is accepted, outside
/// this many times the error seen between its nodes; else bounds do. The law itself decides the rest.
constexpr double error_margin = 3.0;
constexpr double rounding = 1e-6;  ///< of interpolation in float
constexpr float all = 2.0F;        ///< an error that leaves every decision to the law

/// cos of the angle between velocity and radius under density exp(b q^2) on [-1, 1], by rejection: uniform for small b, else
/// 1 - |q| from a truncated exponential (acceptance above one half).
double draw_cosine(double b, RandomStream& random) {
    if (b == 0.0) return 2.0 * random.uniform() - 1.0;
    if (b < 1.0) {
        for (;;) {
            const double q = 2.0 * random.uniform() - 1.0;
            const double x = b * (1.0 - q * q);
            const double u = random.uniform();
            // 1 - x <= exp(-x) <= 1 - x + x^2 / 2 decides nearly always.
            if (u <= 1.0 - x) return q;
            if (u <= 1.0 - x * (1.0 - 0.5 * x) && u <= std::exp(-x)) return q;
        }
    }
    const double share = -std::expm1(-b);
    double y = 0.0;
    do
        y = std::min(-std::log1p(-random.uniform() * share) / b, 1.0);
    while (random.uniform() > std::exp(-b * y * (1.0 - y)));
    return random.bits() >> 63U != 0 ? y - 1.0 : 1.0 - y;
}

/// Largest and smallest sqrt(E) f(E) over intervals of energy: at the ends where f grows, else from samples.
class PhaseBounds {
  public:
    PhaseBounds(const Equilibrium& model, std::size_t component, double highest)
        : model_(model), component_(component), highest_(highest) {
        if (model.phase_density_increases()) return;
        for (std::size_t i = 0; i <= phase_samples; ++i)
            samples_.push_back(value(highest * share(i)));
    }
    [[nodiscard]] double largest(double low, double high) const {
        if (samples_.empty()) return value(high);
        return 1.001 * over(low, high, [](double a, double b) { return std::max(a, b); });
    }
    [[nodiscard]] double smallest(double low, double high) const {
        if (samples_.empty()) return value(low);
        return 0.999 * over(low, high, [](double a, double b) { return std::min(a, b); });
    }

  private:
    static double share(std::size_t i) { return static_cast<double>(i) / static_cast<double>(phase_samples); }
    [[nodiscard]] double value(double energy) const { return std::sqrt(energy) * model_.phase_density(energy, component_); }
    template <typename Choose>
    [[nodiscard]] double over(double low, double high, const Choose& choose) const {
        const auto scale = static_cast<double>(phase_samples) / highest_;
        const auto first = static_cast<std::size_t>(std::max(std::floor(low * scale), 0.0));
        const auto last = std::min(static_cast<std::size_t>(std::ceil(high * scale)), phase_samples);
        double result = choose(value(low), value(high));
        for (std::size_t i = first; i <= last; ++i)
            result = choose(result, samples_[i]);
        return result;
    }

    const Equilibrium& model_;
    std::size_t component_;
    double highest_;
    std::vector<double> samples_;
};

/// Ends of the cells in c, descending: in even steps of w = sqrt(1 - c^2), so that slow and fast stars have theirs.
double cell_edge(std::size_t index) {
    static const std::array<double, cells_per_strip + 1> edges = [] {
        std::array<double, cells_per_strip + 1> c{};
        for (std::size_t i = 0; i <= cells_per_strip; ++i) {
            const double w = static_cast<double>(i) / static_cast<double>(cells_per_strip);
            c[i] = std::sqrt((1.0 - w) * (1.0 + w));
        }
        return c;
    }();
    return edges[index];
}

double cubic(const std::array<double, 4>& c, double t) {
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

}  // namespace

/// A shell of the model: its share of the envelope in radius, and its depth as a quintic, over t = (r - low) / (high - low).
struct PhaseSampler::Strip {
    double low = 0.0;
    double high = 0.0;
    bool tail = false;              ///< from `low` to infinity; radii are low / u
    double bound = 0.0;             ///< of r^2 rho, in the tail of r^4 rho
    std::array<double, 4> share{};  ///< r^2 rho / bound as a cubic
    double error = all;             ///< of `share`
    std::array<double, 6> depth{};  ///< W
};

/// A step of the speed's envelope in one strip.
struct PhaseSampler::Cell {
    double bound = 0.0;
    /// Of the bound that the law reaches: at the ends (low c, high c) where the strip begins, and where it ends.
    std::array<float, 4> share{};
    float error = all;  ///< of bilinear interpolation in `share`

    /// The law lies between these shares of the bound.
    void set_between(double least, double most) {
        share.fill(static_cast<float>(0.5 * (least + most)));
        error = static_cast<float>(0.5 * (most - least) + rounding);
    }
};

PhaseSampler::PhaseSampler(const Equilibrium& model, std::size_t component, DrawMethod method)
    : model_(&model), component_(component), stretched_(model.anisotropy_law() == AnisotropyLaw::stretched) {
    ALIQUOT_EXPECT(component < model.components());
    const double somewhere = model.lagrangian_radius(0.5, component);
    const LocalVelocities local = model.local_velocities(somewhere, component);
    velocity_unit_ = local.velocity_unit;
    inverse_anisotropy_radius_ = local.p / somewhere;
    if (method != DrawMethod::exact && !model.cold()) {
        inverse_ = std::make_unique<InverseTransform>(model, component, method == DrawMethod::table);
        return;
    }
    lay_strips();
    bound_radii();
    if (!model.cold()) bound_speeds();
}

PhaseSampler::~PhaseSampler() = default;
PhaseSampler::PhaseSampler(PhaseSampler&&) noexcept = default;

void PhaseSampler::lay_strips() {
    const double edge = model_->edge();
    const std::vector<double> breaks = shell_radii(*model_, component_, strip_ratio, depth_ratio);
    const auto force_and_bend = [this](double r) {
        const double g = model_->gravitational_constant();
        const double mass = model_->enclosed_mass(r);
        double density = 0.0;
        for (std::size_t j = 0; j < model_->components(); ++j)
            density += model_->density(r, j);
        if (r == 0.0) return std::pair{0.0, -4.0 * std::numbers::pi / 3.0 * g * density};
        return std::pair{-g * mass / (r * r), -4.0 * std::numbers::pi * g * density + 2.0 * g * mass / (r * r * r)};
    };
    const double unit = velocity_unit_ * velocity_unit_;
    for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
        Strip strip;
        strip.low = breaks[k];
        strip.high = breaks[k + 1];
        const double h = strip.high - strip.low;
        const auto [slope0, bend0] = force_and_bend(strip.low);
        const auto [slope1, bend1] = force_and_bend(strip.high);
        const double w0 = model_->potential(strip.low) / unit;
        const double w1 = strip.high == edge ? 0.0 : model_->potential(strip.high) / unit;
        const double d0 = slope0 * h / unit;
        const double d1 = slope1 * h / unit;
        const double s0 = 0.5 * bend0 * h * h / unit;
        const double s1 = 0.5 * bend1 * h * h / unit;
        const double gap = w1 - w0;
        strip.depth = {w0,
                       d0,
                       s0,
                       10.0 * gap - 6.0 * d0 - 4.0 * d1 - 3.0 * s0 + s1,
                       -15.0 * gap + 8.0 * d0 + 7.0 * d1 + 3.0 * s0 - 2.0 * s1,
                       6.0 * gap - 3.0 * (d0 + d1) - s0 + s1};
        strips_.push_back(strip);
    }
    if (!std::isfinite(edge)) {
        Strip strip;
        strip.low = breaks.back();
        strip.high = edge;
        strip.tail = true;
        strips_.push_back(strip);
    }
}

void PhaseSampler::bound_radii() {
    std::vector<double> areas;
    for (Strip& strip : strips_) {
        const double inner = model_->density(strip.low, component_);
        if (strip.tail) {
            strip.bound = std::pow(strip.low, 4) * inner;
            areas.push_back(strip.bound / strip.low);
            continue;
        }
        // The density falls outwards.
        strip.bound = strip.high * strip.high * inner;
        areas.push_back(strip.bound * (strip.high - strip.low));
        if (strip.bound == 0.0) continue;
        if (!model_->phase_density_increases()) {
            const double outer = strip.high < model_->edge() ? model_->density(strip.high, component_) : 0.0;
            const double least = strip.low * strip.low * outer / strip.bound;
            strip.share = {0.5 * (1.0 + least), 0.0, 0.0, 0.0};
            strip.error = 0.5 * (1.0 - least);
            continue;
        }
        std::array<double, 7> seen{};  // at sixths of the strip
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const double r = i == 6 ? strip.high : strip.low + static_cast<double>(i) / 6.0 * (strip.high - strip.low);
            if (r < model_->edge()) seen[i] = r * r * model_->density(r, component_) / strip.bound;
        }
        const double d1 = seen[2] - seen[0];
        const double d2 = seen[4] - 2.0 * seen[2] + seen[0];
        const double d3 = seen[6] - 3.0 * seen[4] + 3.0 * seen[2] - seen[0];
        // Newton's differences at thirds, as powers of t.
        strip.share = {seen[0], 3.0 * d1 - 1.5 * d2 + d3, 4.5 * (d2 - d3), 4.5 * d3};
        double error = 0.0;
        for (const std::size_t i : {1, 3, 5})
            error = std::max(error, std::abs(cubic(strip.share, static_cast<double>(i) / 6.0) - seen[i]));
        strip.error = error_margin * error + rounding;
    }
    strip_choice_ = AliasTable(areas);
}

void PhaseSampler::bound_speeds() {
    const double unit = velocity_unit_ * velocity_unit_;
    const PhaseBounds phase(*model_, component_, model_->potential(0.0) / unit);
    std::vector<double> areas(cells_per_strip);
    const bool smooth = model_->phase_density_increases();
    // The law, up to 1 / sqrt(W), at the ends of cells and half-way between.
    constexpr std::size_t points = 2 * cells_per_strip + 1;
    std::array<double, points> before{};
    std::array<double, points> after{};
    const auto tabulate = [this](const LocalVelocities& here, std::array<double, points>& law) {
        for (std::size_t i = 0; i < points; ++i)
            law[i] = this->law(here, i % 2 == 0 ? cell_edge(i / 2) : 0.5 * (cell_edge(i / 2) + cell_edge(i / 2 + 1)));
    };
    if (smooth) tabulate(local(strips_.front(), strips_.front().low), after);
    for (const Strip& strip : strips_) {
        const double deep = strip.tail ? model_->potential(strip.low) / unit : strip.depth[0];
        const double flat = strip.tail ? 0.0 : local(strip, strip.high).depth;
        const double square = stretched_ ? 0.0 : inverse_anisotropy_radius_ * inverse_anisotropy_radius_;
        const double b_low = square * strip.low * strip.low * flat;
        const double b_high = square == 0.0 ? 0.0 : square * strip.high * strip.high * deep;
        LocalVelocities middle;
        if (smooth) {
            std::swap(before, after);
            tabulate(local(strip, strip.high), after);
            middle = local(strip, 0.5 * (strip.low + strip.high));
        }
        for (std::size_t i = 0; i < cells_per_strip; ++i) {
            const double c_low = cell_edge(i + 1);
            const double c_high = cell_edge(i);
            const double w_low = std::sqrt((1.0 - c_high) * (1.0 + c_high));
            const double w_high = std::sqrt((1.0 - c_low) * (1.0 + c_low));
            // c f(W c^2) = [sqrt(E) f(E)] / sqrt(W) with E = W c^2; the factor 1 / sqrt(W) is left out of bound and value.
            Cell cell;
            cell.bound =
                w_high * phase.largest(flat * c_low * c_low, deep * c_high * c_high) * angle_share(b_low * w_low * w_low);
            areas[i] = cell.bound * (c_high - c_low);
            if (cell.bound > 0.0 && !smooth) {
                const double least =
                    w_low * phase.smallest(flat * c_low * c_low, deep * c_high * c_high) * angle_share(b_high * w_high * w_high);
                cell.set_between(least / cell.bound, 1.0);
            } else if (cell.bound > 0.0) {
                const std::array<double, 4> corner{before[2 * i + 2], before[2 * i], after[2 * i + 2], after[2 * i]};
                const double sides = std::max(std::abs(before[2 * i + 1] - 0.5 * (corner[0] + corner[1])),
                                              std::abs(after[2 * i + 1] - 0.5 * (corner[2] + corner[3])));
                const double across = std::max(std::abs(law(middle, c_low) - 0.5 * (corner[0] + corner[2])),
                                               std::abs(law(middle, c_high) - 0.5 * (corner[1] + corner[3])));
                const double error = error_margin * (sides + across) / cell.bound + rounding;
                if (error < all) cell.error = static_cast<float>(error);
                for (std::size_t k = 0; k < corner.size(); ++k)
                    cell.share[k] = static_cast<float>(corner[k] / cell.bound);
            }
            cells_.push_back(cell);
        }
        const AliasTable choice(areas);
        cell_choice_.insert(cell_choice_.end(), choice.slots().begin(), choice.slots().end());
    }
}

const PhaseSampler::Strip& PhaseSampler::strip_of(double radius) const {
    const auto found =
        std::lower_bound(strips_.begin(), strips_.end(), radius, [](const Strip& strip, double r) { return strip.high < r; });
    ALIQUOT_EXPECT(found != strips_.end());
    return *found;
}

LocalVelocities PhaseSampler::local(const Strip& strip, double radius) const {
    const double p = radius * inverse_anisotropy_radius_;
    if (strip.tail) return {model_->potential(radius) / (velocity_unit_ * velocity_unit_), velocity_unit_, p};
    const double t = (radius - strip.low) / (strip.high - strip.low);
    const auto& c = strip.depth;
    const double w = c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
    return {std::max(w, 0.0), velocity_unit_, p};
}

double PhaseSampler::law(const LocalVelocities& here, double c) const {
    const double w2 = (1.0 - c) * (1.0 + c);
    const double energy = here.depth * c * c;
    const double isotropic = std::sqrt(w2 * energy) * model_->phase_density(energy, component_);
    const double b = stretched_ ? 0.0 : here.p * here.p * here.depth;
    return b > 0.0 ? isotropic * angle_share(b * w2) : isotropic;
}

PhasePoint PhaseSampler::draw_velocity(const Strip& strip, double radius, RandomStream& random) const {
    if (cells_.empty()) return {radius, 0.0, 0.0};
    const LocalVelocities here = local(strip, radius);
    const auto index = static_cast<std::size_t>(&strip - strips_.data());
    const Cell* cells = cells_.data() + index * cells_per_strip;
    const std::span<const AliasTable::Slot> choice{cell_choice_.data() + index * cells_per_strip, cells_per_strip};
    const double t = strip.tail ? 0.0 : (radius - strip.low) / (strip.high - strip.low);
    double w2 = 0.0;
    for (;;) {
        const AliasTable::Pick pick = AliasTable::pick(choice, random.uniform());
        const Cell& cell = cells[pick.index];
        const double c = cell_edge(pick.index + 1) + pick.rest * (cell_edge(pick.index) - cell_edge(pick.index + 1));
        w2 = (1.0 - c) * (1.0 + c);
        const double u = random.uniform();
        const double inner = cell.share[0] + pick.rest * (cell.share[1] - cell.share[0]);
        const double outer = cell.share[2] + pick.rest * (cell.share[3] - cell.share[2]);
        const double excess = u - (inner + t * (outer - inner));
        if (excess < -cell.error) break;
        if (excess > cell.error) continue;
        if (u * cell.bound < law(here, c)) break;
    }
    const double speed = here.velocity_unit * std::sqrt(2.0 * here.depth * w2);
    const double b = stretched_ ? 0.0 : here.p * here.p * here.depth;
    const double q = draw_cosine(b * w2, random);
    const double across = std::sqrt((1.0 - q) * (1.0 + q));
    return {radius, speed * q, speed * (stretched_ ? across / std::sqrt(1.0 + here.p * here.p) : across)};
}

PhasePoint PhaseSampler::draw(RandomStream& random) const {
    if (inverse_) return inverse_->draw(random);
    for (;;) {
        const AliasTable::Pick pick = strip_choice_(random.uniform());
        const Strip& strip = strips_[pick.index];
        const double u = random.uniform();
        if (strip.tail) {
            const double radius = strip.low / (1.0 - pick.rest);
            const double r2 = radius * radius;
            if (u * strip.bound < r2 * r2 * model_->density(radius, component_)) return draw_velocity(strip, radius, random);
            continue;
        }
        const double radius = strip.low + pick.rest * (strip.high - strip.low);
        const double excess = u - cubic(strip.share, pick.rest);
        if (excess > strip.error) continue;
        if (excess < -strip.error || u * strip.bound < radius * radius * model_->density(radius, component_))
            return draw_velocity(strip, radius, random);
    }
}

PhasePoint PhaseSampler::draw_at(double radius, RandomStream& random) const {
    if (inverse_) return inverse_->draw_at(radius, random);
    return draw_velocity(strip_of(radius), radius, random);
}

std::size_t PhaseSampler::table_bytes() const {
    if (inverse_) return inverse_->table_bytes();
    return strips_.size() * (sizeof(Strip) + sizeof(AliasTable::Slot)) +
           cells_.size() * (sizeof(Cell) + sizeof(AliasTable::Slot));
}

}  // namespace aliquot::cluster
