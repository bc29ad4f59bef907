#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "aliquot/cluster/eddington_model.hpp"
#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/phase_sampler.hpp"
#include "aliquot/cluster/plummer.hpp"
#include "aliquot/core/parallel.hpp"

// One-sample Kolmogorov-Smirnov tests of exact draws against analytic distribution functions: radius, speed and angle of 20
// models at a million stars each. A test raises a false alarm with probability 1e-7; there are 60 of them.

namespace aliquot::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t stars = 1000000;

/// sqrt(n) times the largest distance between the empirical distribution of `values` and the uniform one.
double kolmogorov(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double distance = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto below = static_cast<double>(i);
        distance = std::max({distance, values[i] - below / n, (below + 1.0) / n - values[i]});
    }
    return distance * std::sqrt(n);
}

/// P(sqrt(n) D > 2.9) = 2 exp(-2 2.9^2) = 1e-7.
constexpr double limit = 2.9;

struct Case {
    std::string name;
    std::shared_ptr<const Equilibrium> model;
};

std::shared_ptr<const Equilibrium> lowered(double w0, double g, double ra = infinity) {
    return std::make_shared<LoweredModel>(LoweredSpec{w0, g, {{1.0, 1.0, ra}}});
}

std::vector<Case> cases() {
    const double a = 2.0 * std::sqrt(std::cbrt(4.0) - 1.0);
    std::vector<Case> list{
        {"King 1", lowered(1.0, 1.0)},
        {"King 3", lowered(3.0, 1.0)},
        {"King 5", lowered(5.0, 1.0)},
        {"King 7", lowered(7.0, 1.0)},
        {"King 12", lowered(12.0, 1.0)},
        {"Woolley 5", lowered(5.0, 0.0)},
        {"Wilson 5", lowered(5.0, 2.0)},
        {"Wilson 9", lowered(9.0, 2.0)},
        {"LIMEPY 5, 0.5", lowered(5.0, 0.5)},
        {"LIMEPY 3, 2.5", lowered(3.0, 2.5)},
        {"Michie 5, 4", lowered(5.0, 1.0, 4.0)},
        {"Michie 7, 10", lowered(7.0, 1.0, 10.0)},
        {"Michie 7, 8", lowered(7.0, 1.0, 8.0)},
        {"Michie 7, 5 (b up to 102)", lowered(7.0, 1.0, 5.0)},
        {"LIMEPY 7, 1.5, 8", lowered(7.0, 1.5, 8.0)},
        {"Woolley 7, 4", lowered(7.0, 0.0, 4.0)},
        {"Wilson 5, 4", lowered(5.0, 2.0, 4.0)},
        {"Plummer", std::make_shared<Plummer>()},
        {"Plummer, r_a 0.8", std::make_shared<Plummer>(0.8)},
        {"halo of halo and core", std::make_shared<EddingtonModel>(std::vector<DensityComponent>{
                                      {"halo", eff_profile(a, 5.0), 0.6, 8.0}, {"core", eff_profile(0.8, 5.0, 9.0), 0.4}})}};
    return list;
}

TEST(ClusterDraws, RadiiSpeedsAndAnglesFollowTheModel) {
    Threads threads;
    std::uint64_t seed = 1;
    for (const Case& one : cases()) {
        const Equilibrium& model = *one.model;
        const PhaseSampler sampler(model, 0);
        const double whole = model.total_mass() * model.mass_fraction(0);
        std::vector<double> radii(stars);
        std::vector<double> angles(stars);
        std::vector<double> speeds(stars);
        // Speeds are drawn at ten radii, so that each is compared with the law of its own radius.
        std::vector<double> places;
        for (const double fraction : {0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999})
            places.push_back(model.lagrangian_radius(fraction, 0));
        constexpr std::size_t blocks = 1000;
        threads.for_each_block(blocks, [&](std::size_t block) {
            for (std::size_t i = block * (stars / blocks); i < (block + 1) * (stars / blocks); ++i) {
                RandomStream random(seed, 0, i);
                const PhasePoint star = sampler.draw(random);
                radii[i] = model.enclosed_mass(star.radius, 0) / whole;
                // In the stretched velocities of Osipkov & Merritt directions are isotropic.
                double across = star.tangential;
                if (model.anisotropy_law() == AnisotropyLaw::stretched) {
                    const double p = model.local_velocities(star.radius, 0).p;
                    across *= std::sqrt(1.0 + p * p);
                }
                const double speed = std::hypot(star.radial, across);
                angles[i] = angle_cdf(model, 0, star.radius, speed, star.radial / speed);
            }
        });
        constexpr std::size_t grid = 4000;
        for (std::size_t k = 0; k < places.size(); ++k) {
            // The law on a fine grid in asin(v / v_esc), interpolated linearly: good to 1e-7.
            std::vector<double> law(grid + 1);
            threads.for_each_block(grid + 1, [&](std::size_t i) {
                law[i] = speed_cdf(model, 0, places[k],
                                   std::sin(0.5 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(grid)));
            });
            const std::size_t each = stars / places.size();
            threads.for_each_block(blocks, [&](std::size_t block) {
                for (std::size_t i = k * each + block * (each / blocks); i < k * each + (block + 1) * (each / blocks); ++i) {
                    RandomStream random(seed, 1, i);
                    const PhasePoint star = sampler.draw_at(places[k], random);
                    const LocalVelocities local = model.local_velocities(places[k], 0);
                    double across = star.tangential;
                    if (model.anisotropy_law() == AnisotropyLaw::stretched) across *= std::sqrt(1.0 + local.p * local.p);
                    const double escape = local.velocity_unit * std::sqrt(2.0 * local.depth);
                    const double angle = std::asin(std::min(std::hypot(star.radial, across) / escape, 1.0));
                    const double t = angle / (0.5 * std::numbers::pi) * static_cast<double>(grid);
                    const std::size_t at = std::min(static_cast<std::size_t>(t), grid - 1);
                    const double x = t - static_cast<double>(at);
                    speeds[i] = law[at] + x * (law[at + 1] - law[at]);
                }
            });
        }
        EXPECT_LT(kolmogorov(radii), limit) << one.name << ": radius";
        EXPECT_LT(kolmogorov(speeds), limit) << one.name << ": speed";
        EXPECT_LT(kolmogorov(angles), limit) << one.name << ": angle";
        ++seed;
    }
}

TEST(ClusterDraws, MomentsAgreeWithinFourStandardErrors) {
    // Kinetic energy by direction, <r> and <1/r> of 1e6 stars: 80 comparisons at 4 sigma raise a false alarm once in 200 runs of
    // random seeds; these are fixed.
    Threads threads;
    std::uint64_t seed = 100;
    for (const Case& one : cases()) {
        const Equilibrium& model = *one.model;
        const PhaseSampler sampler(model, 0);
        std::vector<double> radial(stars);
        std::vector<double> tangential(stars);
        constexpr std::size_t blocks = 1000;
        threads.for_each_block(blocks, [&](std::size_t block) {
            for (std::size_t i = block * (stars / blocks); i < (block + 1) * (stars / blocks); ++i) {
                RandomStream random(seed, 0, i);
                const PhasePoint star = sampler.draw(random);
                radial[i] = star.radial * star.radial;
                tangential[i] = star.tangential * star.tangential;
            }
        });
        const double whole = model.total_mass() * model.mass_fraction(0);
        const auto compare = [&](const std::vector<double>& values, double truth, const char* what) {
            double mean = 0.0;
            for (const double value : values)
                mean += value / static_cast<double>(stars);
            double variance = 0.0;
            for (const double value : values)
                variance += (value - mean) * (value - mean) / static_cast<double>(stars);
            EXPECT_LT(std::abs(mean - truth), 4.0 * std::sqrt(variance / static_cast<double>(stars))) << one.name << ": " << what;
        };
        compare(radial, 2.0 * model.energies(0).radial / whole, "<v_r^2>");
        compare(tangential, 2.0 * model.energies(0).tangential / whole, "<v_t^2>");
        ++seed;
    }
}

}  // namespace
}  // namespace aliquot::cluster
