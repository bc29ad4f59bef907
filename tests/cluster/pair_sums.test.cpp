#include "aliquot/cluster/pair_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/math/dispatch.hpp"
#include "cluster/star_makers.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using test::binaries;
using test::log_uniform;
using test::plummer;

/// The sums as they are written, in long double; coincident unsoftened pairs left out.
struct Truth {
    long double energy = 0.0L;
    std::vector<long double> ax, ay, az, potential;
};

Truth double_loop(const Stars& s, double gravity, double softening) {
    Truth truth;
    const std::size_t n = s.size();
    for (auto* v : {&truth.ax, &truth.ay, &truth.az, &truth.potential})
        v->assign(n, 0.0L);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const long double dx = static_cast<long double>(s.x[j]) - s.x[i];
            const long double dy = static_cast<long double>(s.y[j]) - s.y[i];
            const long double dz = static_cast<long double>(s.z[j]) - s.z[i];
            const long double squared = dx * dx + dy * dy + dz * dz + static_cast<long double>(softening) * softening;
            if (squared == 0.0L) continue;
            const long double inverse = gravity / std::sqrt(squared);
            truth.energy -= inverse * s.mass[i] * s.mass[j];
            truth.potential[i] -= inverse * s.mass[j];
            truth.potential[j] -= inverse * s.mass[i];
            const long double cube = inverse / squared;
            truth.ax[i] += s.mass[j] * cube * dx;
            truth.ay[i] += s.mass[j] * cube * dy;
            truth.az[i] += s.mass[j] * cube * dz;
            truth.ax[j] -= s.mass[i] * cube * dx;
            truth.ay[j] -= s.mass[i] * cube * dy;
            truth.az[j] -= s.mass[i] * cube * dz;
        }
    }
    return truth;
}

/// Sets ALIQUOT_SIMD for its lifetime.
class ForcedLevel {
  public:
    explicit ForcedLevel(math::SimdLevel level) {
        if (const char* set = std::getenv("ALIQUOT_SIMD")) before_ = set;
        ::setenv("ALIQUOT_SIMD", std::string(math::to_string(level)).c_str(), 1);
    }
    ~ForcedLevel() { before_.empty() ? ::unsetenv("ALIQUOT_SIMD") : ::setenv("ALIQUOT_SIMD", before_.c_str(), 1); }
    ForcedLevel(const ForcedLevel&) = delete;
    ForcedLevel& operator=(const ForcedLevel&) = delete;

  private:
    std::string before_;
};

class PairSumsAtEveryLevel : public testing::TestWithParam<math::SimdLevel> {
  protected:
    static void hold_to_double_loop(const Stars& stars, double gravity, double softening) {
        Threads threads(2);
        const Truth truth = double_loop(stars, gravity, softening);
        const double energy = static_cast<double>(truth.energy);
        EXPECT_NEAR(potential_energy(stars, gravity, softening, threads).energy, energy, 1e-13 * std::abs(energy));
        const PairForces forces = pair_forces(stars, gravity, softening, threads);
        EXPECT_NEAR(forces.sums.energy, energy, 1e-13 * std::abs(energy));
        for (std::size_t i = 0; i < stars.size(); ++i) {
            const double scale = static_cast<double>(std::hypot(truth.ax[i], truth.ay[i], truth.az[i]));
            EXPECT_NEAR(forces.ax[i], static_cast<double>(truth.ax[i]), 1e-12 * scale) << i;
            EXPECT_NEAR(forces.ay[i], static_cast<double>(truth.ay[i]), 1e-12 * scale) << i;
            EXPECT_NEAR(forces.az[i], static_cast<double>(truth.az[i]), 1e-12 * scale) << i;
            const double potential = static_cast<double>(truth.potential[i]);
            EXPECT_NEAR(forces.potential[i], potential, 1e-13 * std::abs(potential)) << i;
        }
    }
};

TEST_P(PairSumsAtEveryLevel, AgreeWithALongDoubleDoubleLoop) {
    const ForcedLevel level(GetParam());
    for (const std::size_t count : {2, 3, 5, 8, 9, 37, 100, 257, 1000})
        hold_to_double_loop(plummer(count), 0.0043, 0.0);
    hold_to_double_loop(plummer(500), 1.0, 0.05);
    hold_to_double_loop(binaries(500), 1.0, 0.0);
}

TEST_P(PairSumsAtEveryLevel, DistancesMaySpanManyDecades) {
    const ForcedLevel level(GetParam());
    hold_to_double_loop(log_uniform(400, 1e-12, 1e6), 1.0, 0.0);
    hold_to_double_loop(log_uniform(400, 1e-12, 1e6), 1.0, 1e-10);
    hold_to_double_loop(log_uniform(400, 1e-30, 1e6), 1.0, 0.0);  // beyond single precision's range
    hold_to_double_loop(log_uniform(100, 1e150, 1e160), 1.0, 0.0);
    hold_to_double_loop(log_uniform(100, 1e-160, 1e-150), 1e-290, 0.0);
}

TEST_P(PairSumsAtEveryLevel, AClusterFarFromTheOriginKeepsTheDigitsOfItsPairs) {
    const ForcedLevel level(GetParam());
    Stars stars = binaries(300);
    for (double& x : stars.x)
        x += 8000.0;
    hold_to_double_loop(stars, 1.0, 0.0);
}

TEST_P(PairSumsAtEveryLevel, MasslessStarsFeelForces) {
    const ForcedLevel level(GetParam());
    Stars stars = plummer(100);
    for (std::size_t i = 0; i < 100; i += 3)
        stars.mass[i] = 0.0;
    hold_to_double_loop(stars, 1.0, 0.0);
}

TEST_P(PairSumsAtEveryLevel, CoincidentStarsAreCountedAndLeftOut) {
    const ForcedLevel level(GetParam());
    Stars stars = plummer(300);
    for (const auto& [to, from] : {std::pair{1, 0}, {299, 0}, {150, 149}, {200, 20}}) {
        stars.x[to] = stars.x[from];
        stars.y[to] = stars.y[from];
        stars.z[to] = stars.z[from];
    }
    Threads threads(2);
    EXPECT_EQ(potential_energy(stars, 1.0, 0.0, threads).coincident_pairs, 5U);  // 0, 1 and 299 make three
    EXPECT_EQ(pair_forces(stars, 1.0, 0.0, threads).sums.coincident_pairs, 5U);
    hold_to_double_loop(stars, 1.0, 0.0);
    EXPECT_EQ(potential_energy(stars, 1.0, 0.01, threads).coincident_pairs, 0U);
    hold_to_double_loop(stars, 1.0, 0.01);
    hold_to_double_loop(stars, 1.0, 1e-30);
}

TEST_P(PairSumsAtEveryLevel, AllStarsInOnePlace) {
    const ForcedLevel level(GetParam());
    Stars stars;
    stars.resize(100);
    stars.mass.assign(100, 1.0);
    Threads threads(1);
    for (const double place : {0.0, 3.0}) {
        stars.x.assign(100, place);
        const PairForces forces = pair_forces(stars, 1.0, 0.0, threads);
        EXPECT_EQ(forces.sums.energy, 0.0);
        EXPECT_EQ(forces.sums.coincident_pairs, 4950U);
        EXPECT_EQ(forces.force_sum, 0.0);
        EXPECT_EQ(forces.clausius_error, 0.0);
        EXPECT_EQ(potential_energy(stars, 1.0, 0.0, threads).coincident_pairs, 4950U);
    }
}

TEST_P(PairSumsAtEveryLevel, SelfChecksAreAtRounding) {
    const ForcedLevel level(GetParam());
    Threads threads(2);
    EXPECT_LT(pair_forces(plummer(2000), 1.0, 0.0, threads).clausius_error, 1e-13);
    for (const Stars& stars : {plummer(2000), binaries(2000)}) {
        const PairForces forces = pair_forces(stars, 1.0, 0.0, threads);
        EXPECT_LT(forces.force_sum, 1e-14);
        double rounding = 0.0;
        for (std::size_t i = 0; i < stars.size(); ++i)
            rounding += stars.mass[i] * std::hypot(stars.x[i], stars.y[i], stars.z[i]) *
                        std::hypot(forces.ax[i], forces.ay[i], forces.az[i]);
        EXPECT_LT(forces.clausius_error, 1e-14 + 2e-15 * rounding / std::abs(forces.sums.energy));
    }
}

TEST_P(PairSumsAtEveryLevel, AnyNumberOfThreadsGivesTheSameBits) {
    const ForcedLevel level(GetParam());
    const Stars stars = plummer(3001);
    Threads one(1);
    const PairSums energy = potential_energy(stars, 1.0, 0.0, one);
    const PairForces forces = pair_forces(stars, 1.0, 0.0, one);
    for (const std::size_t count : {2, 3, 8}) {
        Threads threads(count);
        EXPECT_EQ(potential_energy(stars, 1.0, 0.0, threads).energy, energy.energy);
        const PairForces again = pair_forces(stars, 1.0, 0.0, threads);
        EXPECT_EQ(again.sums.energy, forces.sums.energy);
        EXPECT_EQ(again.ax, forces.ax);
        EXPECT_EQ(again.ay, forces.ay);
        EXPECT_EQ(again.az, forces.az);
        EXPECT_EQ(again.potential, forces.potential);
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, PairSumsAtEveryLevel, testing::ValuesIn(math::available_simd_levels()),
                         [](const auto& level) { return std::string(math::to_string(level.param)); });

TEST(PairSums, LevelsAgreeToRounding) {
    const Stars stars = plummer(2000);
    Threads threads(2);
    double first = 0.0;
    for (const math::SimdLevel level : math::available_simd_levels()) {
        const ForcedLevel forced(level);
        const double energy = potential_energy(stars, 1.0, 0.0, threads).energy;
        if (first == 0.0) first = energy;
        EXPECT_NEAR(energy, first, 1e-13 * std::abs(first));
    }
}

TEST(PairSums, NoStarsOneStarTwoStars) {
    Threads threads(2);
    const PairForces none = pair_forces(Stars{}, 1.0, 0.0, threads);
    EXPECT_EQ(none.sums.energy, 0.0);
    EXPECT_EQ(none.sums.pairs, 0U);
    EXPECT_EQ(potential_energy(Stars{}, 1.0, 0.0, threads).energy, 0.0);
    Stars stars;
    stars.resize(1);
    stars.mass[0] = 2.0;
    EXPECT_EQ(potential_energy(stars, 1.0, 0.0, threads).energy, 0.0);
    EXPECT_EQ(pair_forces(stars, 1.0, 0.0, threads).ax[0], 0.0);
    stars.resize(2);
    stars.mass[1] = 3.0;
    stars.x[1] = 4.0;
    stars.y[1] = 3.0;
    const PairForces two = pair_forces(stars, 0.5, 0.0, threads);
    EXPECT_NEAR(two.sums.energy, -0.6, 1e-15);
    EXPECT_EQ(two.sums.pairs, 1U);
    EXPECT_NEAR(two.ax[0], 0.5 * 3.0 / 25.0 * 0.8, 1e-16);
    EXPECT_NEAR(two.ay[1], -0.5 * 2.0 / 25.0 * 0.6, 1e-16);
    EXPECT_NEAR(two.potential[0], -0.3, 1e-16);
    EXPECT_NEAR(two.clausius, 0.6, 1e-15);
}

TEST(PairSums, AccelerationsAreTheGradientOfTheEnergy) {
    Threads threads(1);
    const Stars stars = plummer(40);
    for (const double softening : {0.0, 0.1}) {
        const PairForces forces = pair_forces(stars, 1.0, softening, threads);
        for (const std::size_t i : {0, 7, 39}) {
            for (const auto& [column, acceleration] :
                 {std::pair{&Stars::x, &forces.ax}, {&Stars::y, &forces.ay}, {&Stars::z, &forces.az}}) {
                constexpr double step = 1e-5;
                Stars moved = stars;
                (moved.*column)[i] += step;
                const double up = potential_energy(moved, 1.0, softening, threads).energy;
                (moved.*column)[i] -= 2.0 * step;
                const double down = potential_energy(moved, 1.0, softening, threads).energy;
                const double gradient = -stars.mass[i] * (*acceleration)[i];
                EXPECT_NEAR((up - down) / (2.0 * step), gradient, 1e-6 * std::abs(gradient) + 1e-9);
            }
        }
    }
}

TEST(PairSums, SofteningShowsInClausius) {
    // Two stars of unit mass at distance 1: U = -1 / sqrt(1 + e^2), sum x . dU/dx = 1 / (1 + e^2)^(3/2), so the error is e^2 / (1
    // + e^2).
    Stars stars;
    stars.resize(2);
    stars.mass = {1.0, 1.0};
    stars.x = {0.0, 1.0};
    Threads threads(1);
    const PairForces forces = pair_forces(stars, 1.0, 0.5, threads);
    EXPECT_NEAR(forces.sums.energy, -1.0 / std::sqrt(1.25), 1e-15);
    EXPECT_NEAR(forces.clausius, std::pow(1.25, -1.5), 1e-15);
    EXPECT_NEAR(forces.clausius_error, 0.2, 1e-15);
}

TEST(PairSums, ABadStarIsNamed) {
    Threads threads(1);
    Stars stars = plummer(10);
    stars.y[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(test::message_of<DataError>([&] { (void)potential_energy(stars, 1.0, 0.0, threads); }),
              "star 5: y = nan (not a position): correct or remove the star");
    stars.y[4] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(test::message_of<DataError>([&] { (void)pair_forces(stars, 1.0, 0.0, threads); }),
              "star 5: y = inf (not a position): correct or remove the star");
    stars.y[4] = 0.0;
    stars.mass[9] = -1.0;
    EXPECT_EQ(test::message_of<DataError>([&] { (void)potential_energy(stars, 1.0, 0.0, threads); }),
              "star 10: mass = -1 (negative or not finite): correct or remove the star");
    stars.mass[9] = 1.0;
    EXPECT_EQ(test::message_of<ConfigError>([&] { (void)potential_energy(stars, 1.0, -0.1, threads); }),
              "softening = -0.1 (a length, zero or above): give one");
}

}  // namespace
}  // namespace aliquot::cluster
