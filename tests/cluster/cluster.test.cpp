#include "aliquot/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "aliquot/cluster/energies.hpp"
#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/cluster/plummer.hpp"
#include "aliquot/cluster/segregation.hpp"
#include "aliquot/cluster/uniform_sphere.hpp"
#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

ClusterSpec king(std::size_t stars) {
    ClusterSpec spec;
    spec.name = "King W0 7";
    spec.model = std::make_shared<LoweredModel>(LoweredModel::king(7.0));
    spec.units = pc_msun_km_s();
    spec.length_unit = 3.0 / spec.model->half_mass_radius();
    spec.stars = stars;
    spec.masses = MassFunction::kroupa();
    return spec;
}

void expect_same(const Stars& a, const Stars& b) {
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.z, b.z);
    EXPECT_EQ(a.vx, b.vx);
    EXPECT_EQ(a.vy, b.vy);
    EXPECT_EQ(a.vz, b.vz);
}

/// Collects what is written.
class Collector final : public StarSink {
  public:
    explicit Collector(Stars& stars) : stars_(stars) {}
    void write(const Stars& block) override { stars_.append(block); }
    void finish() override { finished = true; }
    bool finished = false;

  private:
    Stars& stars_;
};

TEST(Cluster, IsInEquilibriumWithoutAnyRescaling) {
    Threads threads(2);
    ClusterSpec spec = king(20000);
    spec.masses = MassFunction::single(0.5);
    const Cluster cluster(spec, 3, threads);
    Stars stars = cluster.draw();
    const PairSums sums = potential_energy(stars, spec.units.gravitational_constant, 0.0, threads);
    // E[U] = (1 - 1/N) U_model, K scatters by 0.6 % for 20 000 stars; five sigma.
    EXPECT_NEAR(kinetic_energy(stars) / -sums.energy, 0.5, 0.015);
    EXPECT_NEAR(half_mass_radius(stars), 3.0, 0.1);
    const Energies model = spec.model->energies();
    const double scale = spec.units.gravitational_constant * std::pow(cluster.total_mass(), 2) / spec.length_unit /
                         (spec.model->gravitational_constant() * std::pow(spec.model->total_mass(), 2));
    EXPECT_NEAR(sums.energy / (model.potential * scale), 1.0, 0.035);  // scatters by 0.7 %; five sigma
    const CentreOfMass centre = centre_of_mass(stars);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(centre.position[k], 0.0, 1e-13);
        EXPECT_NEAR(centre.velocity[k], 0.0, 1e-13);
    }
}

TEST(Cluster, TheSameSeedGivesTheSameBitsForAnyThreadsAndWay) {
    ClusterSpec spec = king(5000);
    spec.binaries.fraction = 0.3;
    Threads one(1);
    Threads three(3);
    const Stars first = Cluster(spec, 7, one).draw();
    expect_same(first, Cluster(spec, 7, three).draw());
    EXPECT_NE(first.x, Cluster(spec, 8, one).draw().x);
}

TEST(Cluster, AStreamOfBlocksIsTheSameCluster) {
    ClusterSpec spec = king(70000);
    spec.binaries.fraction = 0.2;
    Threads threads(2);
    const Cluster cluster(spec, 7, threads);
    Stars streamed;
    Collector sink(streamed);
    cluster.write(sink);
    EXPECT_TRUE(sink.finished);
    const Stars drawn = cluster.draw();
    EXPECT_EQ(streamed.mass, drawn.mass);
    double worst = 0.0;
    for (std::size_t i = 0; i < drawn.size(); ++i)
        worst = std::max(worst, std::abs(streamed.x[i] - drawn.x[i]));
    EXPECT_EQ(worst, 0.0);
    EXPECT_EQ(streamed.vz, drawn.vz);
}

TEST(Cluster, ATotalMassIsMetByWholeStars) {
    Threads threads(2);
    ClusterSpec spec = king(1);
    spec.stars.reset();
    spec.total_mass = 5000.0;
    for (const double fraction : {0.0, 0.4}) {
        spec.binaries.fraction = fraction;
        const Cluster cluster(spec, 1, threads);
        const Stars stars = cluster.draw();
        const double sum = std::accumulate(stars.mass.begin(), stars.mass.end(), 0.0);
        EXPECT_NEAR(sum, cluster.total_mass(), 1e-9);
        EXPECT_NEAR(sum, 5000.0, 75.0);  // half of the heaviest star
        EXPECT_EQ(stars.size(), cluster.stars());
        const double systems = static_cast<double>(cluster.stars() - cluster.binaries());
        EXPECT_NEAR(static_cast<double>(cluster.binaries()) / systems, fraction, 0.02);
    }
}

TEST(Cluster, BinariesStandFirstSideBySide) {
    Threads threads(2);
    ClusterSpec spec = king(2000);
    spec.binaries.fraction = 0.5;
    spec.binaries.high_log_period = 5.0;
    const Cluster cluster(spec, 2, threads);
    EXPECT_EQ(cluster.binaries(), 667U);  // f N / (1 + f)
    const Stars stars = cluster.draw();
    ASSERT_EQ(stars.size(), 2000U);
    for (std::size_t i = 0; i < cluster.binaries(); ++i) {
        const std::size_t a = 2 * i;
        const double mass = stars.mass[a] + stars.mass[a + 1];
        EXPECT_GE(stars.mass[a], stars.mass[a + 1]);
        const double r = std::hypot(stars.x[a] - stars.x[a + 1], stars.y[a] - stars.y[a + 1], stars.z[a] - stars.z[a + 1]);
        const double v2 = std::pow(stars.vx[a] - stars.vx[a + 1], 2) + std::pow(stars.vy[a] - stars.vy[a + 1], 2) +
                          std::pow(stars.vz[a] - stars.vz[a + 1], 2);
        const double energy = 0.5 * v2 - spec.units.gravitational_constant * mass / r;
        ASSERT_LT(energy, 0.0);
        // P <= 10^5 days: a <= (M P^2)^(1/3).
        const double axis = -spec.units.gravitational_constant * mass / (2.0 * energy) * 206264.80624709636;
        ASSERT_LT(axis, 1.001 * std::cbrt(mass * std::pow(1e5 / 365.2568983840419, 2)));
    }
}

TEST(Cluster, EnergyOrderPutsTheHeavyInside) {
    Threads threads(2);
    ClusterSpec spec = king(20000);
    const Stars plain = Cluster(spec, 4, threads).draw();
    spec.segregation = 1.0;
    const Stars ordered = Cluster(spec, 4, threads).draw();
    EXPECT_EQ(plain.mass, ordered.mass);
    const auto median_radius = [](const Stars& stars, double above) {
        std::vector<double> radii;
        for (std::size_t i = 0; i < stars.size(); ++i)
            if (stars.mass[i] > above) radii.push_back(std::hypot(stars.x[i], stars.y[i], stars.z[i]));
        std::nth_element(radii.begin(), radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2), radii.end());
        return radii[radii.size() / 2];
    };
    EXPECT_LT(median_radius(ordered, 5.0), 0.6 * median_radius(plain, 5.0));
    EXPECT_NEAR(half_mass_radius(ordered), 3.0, 0.15);  // the mass profile stays
}

TEST(Segregation, NoOrbitIsUsedTwice) {
    std::vector<double> masses;
    std::vector<double> energies;
    for (std::size_t i = 0; i < 500; ++i)
        masses.push_back(i == 7 ? 300.0 : 0.1 + 1e-3 * static_cast<double>(i));
    for (std::size_t i = 0; i < 600; ++i)
        energies.push_back(std::sin(static_cast<double>(i)));
    for (const double strength : {0.0, 0.6, 1.0}) {
        RandomStream random(1, 0, 0);
        const auto orbits = energy_ordered_orbits(masses, energies, strength, random);
        EXPECT_EQ(std::set<std::uint32_t>(orbits.begin(), orbits.end()).size(), masses.size()) << strength;
    }
}

TEST(Cluster, LyndenBellsDemonTurnsStarsRound) {
    Threads threads(2);
    ClusterSpec spec = king(20000);
    spec.masses = MassFunction::single(1.0);
    spec.centre = false;
    const Stars still = Cluster(spec, 5, threads).draw();
    spec.rotation = 0.6;
    const Stars turning = Cluster(spec, 5, threads).draw();
    double prograde = 0.0;
    for (std::size_t i = 0; i < turning.size(); ++i)
        prograde += turning.x[i] * turning.vy[i] - turning.y[i] * turning.vx[i] > 0.0 ? 1.0 : 0.0;
    EXPECT_NEAR(prograde / 20000.0, 0.8, 0.015);  // (1 + 0.6) / 2; five sigma are 0.014
    EXPECT_NEAR(kinetic_energy(turning), kinetic_energy(still), 1e-9 * kinetic_energy(still));
}

TEST(Cluster, RescalesToAVirialRatioOnRequest) {
    Threads threads(2);
    ClusterSpec spec = king(3000);
    spec.masses = MassFunction::single(1.0);
    spec.virial_ratio = 0.3;
    const Cluster cluster(spec, 5, threads);
    EXPECT_NEAR(cluster.virial_factor(), std::sqrt(0.6), 0.05);
    Stars stars = cluster.draw();
    EXPECT_NEAR(kinetic_energy(stars) / -potential_energy(stars, spec.units.gravitational_constant, 0.0, threads).energy, 0.3,
                1e-10);
    spec.model = std::make_shared<UniformSphere>();
    spec.length_unit = 2.0;
    stars = Cluster(spec, 5, threads).draw();
    EXPECT_NEAR(kinetic_energy(stars) / -potential_energy(stars, spec.units.gravitational_constant, 0.0, threads).energy, 0.3,
                1e-10);
    spec.virial_ratio.reset();
    EXPECT_EQ(kinetic_energy(Cluster(spec, 5, threads).draw()), 0.0);
}

TEST(Cluster, ComponentsFollowTheirNumbersAndBins) {
    Threads threads(2);
    ClusterSpec spec;
    spec.model = std::make_shared<LoweredModel>(LoweredSpec{7.0, 1.0, {{0.5, 1.0}, {0.5, 0.6}}});
    spec.stars = 50000;
    spec.component_mass = {0.5, 1.0};
    const Stars stars = Cluster(spec, 1, threads).draw();
    const double light = static_cast<double>(std::count(stars.mass.begin(), stars.mass.end(), 0.5));
    const double share = spec.model->mass_fraction(0) / 0.5 / (spec.model->mass_fraction(0) / 0.5 + spec.model->mass_fraction(1));
    EXPECT_NEAR(light / 50000.0, share, 0.005);
}

TEST(Cluster, OneStarStandsStillInTheMiddle) {
    Threads threads(1);
    const Stars stars = Cluster(king(1), 1, threads).draw();
    ASSERT_EQ(stars.size(), 1U);
    EXPECT_EQ(stars.x[0], 0.0);
    EXPECT_EQ(stars.vz[0], 0.0);
}

TEST(Cluster, RefusesWhatCannotBe) {
    Threads threads(1);
    const auto message = [&](const ClusterSpec& spec) {
        return test::message_of<ConfigError>([&] { Cluster(spec, 1, threads); });
    };
    EXPECT_EQ(message(king(0)), "stars = 0 (a cluster needs a star)");
    EXPECT_EQ(message(king(std::size_t{1} << 40U)), "stars = 1099511627776 (more than 2^31): ask for fewer");
    ClusterSpec spec = king(10);
    spec.total_mass = 10.0;
    EXPECT_EQ(message(spec), "either the number of stars or their total mass defines a cluster: give one of them");
    spec.stars.reset();
    spec.total_mass = 1e-3;
    EXPECT_NE(message(spec).find("the first star alone has"), std::string::npos) << message(spec);
    spec = king(10);
    spec.masses.reset();
    spec.mass_list = {1.0, 2.0};
    EXPECT_EQ(message(spec), "10 stars from a list of 2 masses: give a longer list or fewer stars");
    spec.stars.reset();
    spec.total_mass = 5.0;
    EXPECT_EQ(message(spec), "total mass = 5 (the list of masses holds 3 in all): ask for less, or give a longer list");
    spec = king(10);
    spec.units = henon_units();
    spec.binaries.fraction = 0.1;
    EXPECT_EQ(message(spec), "binaries in henon units (their orbits are in AU and days): take pc-msun-kms or pc-msun-myr");
    spec = king(10);
    spec.segregation = 1.5;
    EXPECT_EQ(message(spec), "segregation = 1.5 (S lies in [0, 1])");
}

}  // namespace
}  // namespace aliquot::cluster
