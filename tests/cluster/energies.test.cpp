#include "aliquot/cluster/energies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "cluster/star_makers.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using test::plummer;

TEST(Energies, TwoStarsByHand) {
    Stars stars;
    stars.resize(2);
    stars.mass = {1.0, 3.0};
    stars.x = {0.0, 2.0};
    stars.vy = {3.0, -1.0};
    EXPECT_EQ(kinetic_energy(stars), 6.0);
    EXPECT_EQ(virial_ratio(6.0, -1.5), 4.0);
    EXPECT_TRUE(std::isnan(virial_ratio(6.0, 0.0)));
    const CentreOfMass centre = centre_of_mass(stars);
    EXPECT_EQ(centre.position[0], 1.5);
    EXPECT_EQ(centre.velocity[1], 0.0);
    EXPECT_EQ(half_mass_radius(stars), 0.5);
    EXPECT_EQ(lagrangian_radii(stars, std::array{0.75, 0.76, 1.0}), (std::vector{0.5, 1.5, 1.5}));
}

TEST(Energies, ThePlummerSphereIsInEquilibrium) {
    // T / |U| = 0.5 and r_h = 1.305 a for a Plummer sphere of any mass; 20000 stars draw Q to about 1 %.
    const Stars stars = plummer(20000);
    Threads threads(2);
    const double potential = potential_energy(stars, 1.0, 0.0, threads).energy;
    EXPECT_NEAR(virial_ratio(kinetic_energy(stars), potential), 0.5, 0.02);
    EXPECT_NEAR(half_mass_radius(stars), 1.3048 * 0.58905, 0.02);
}

TEST(Energies, TheGradientOfTheVirialRatioIsItsDifferenceQuotient) {
    Threads threads(1);
    Stars stars = plummer(60);
    const auto ratio = [&](const Stars& s) {
        return virial_ratio(kinetic_energy(s), potential_energy(s, 0.5, 0.05, threads).energy);
    };
    const VirialGradient gradient = virial_gradient(stars, pair_forces(stars, 0.5, 0.05, threads));
    for (const auto& [column, derivative] : {std::pair{&Stars::x, &gradient.dx},
                                             {&Stars::y, &gradient.dy},
                                             {&Stars::z, &gradient.dz},
                                             {&Stars::vx, &gradient.dvx},
                                             {&Stars::vy, &gradient.dvy},
                                             {&Stars::vz, &gradient.dvz}}) {
        for (const std::size_t i : {0, 31, 59}) {
            constexpr double step = 1e-4;
            Stars moved = stars;
            (moved.*column)[i] += step;
            const double up = ratio(moved);
            (moved.*column)[i] -= 2.0 * step;
            EXPECT_NEAR((up - ratio(moved)) / (2.0 * step), (*derivative)[i], 1e-6 * std::abs((*derivative)[i]) + 2e-8);
        }
    }
}

TEST(Energies, GroupsAreEqualInNumberAndOrderedByMass) {
    Stars stars = plummer(100);
    const std::vector<std::size_t> group = mass_groups(stars, 3);
    std::array<std::size_t, 3> counts{};
    for (const std::size_t g : group)
        ++counts.at(g);
    EXPECT_EQ(counts, (std::array<std::size_t, 3>{34, 33, 33}));
    for (std::size_t i = 0; i < 100; ++i) {
        for (std::size_t j = 0; j < 100; ++j)
            EXPECT_TRUE(group[i] <= group[j] || stars.mass[i] >= stars.mass[j]);
    }
    EXPECT_EQ(test::message_of<ConfigError>([&] { (void)mass_groups(stars, 101); }),
              "groups = 101 (there are 100 stars): ask for 1 to 100");
    EXPECT_EQ(test::message_of<ConfigError>([&] { (void)mass_groups(stars, 0); }),
              "groups = 0 (there are 100 stars): ask for 1 to 100");
}

TEST(Energies, OneGroupIsTheClusterAndManyAddUpToIt) {
    Threads threads(1);
    Stars stars = plummer(300);
    move_to_centre_of_mass(stars);
    const PairForces forces = pair_forces(stars, 1.0, 0.0, threads);
    const double kinetic = kinetic_energy(stars);
    const std::vector<MassGroup> whole = group_energies(stars, forces, 1);
    EXPECT_NEAR(whole[0].kinetic, kinetic, 1e-14 * kinetic);
    EXPECT_NEAR(whole[0].virial, forces.sums.energy, 1e-12 * kinetic);
    EXPECT_NEAR(whole[0].virial_ratio, virial_ratio(kinetic, forces.sums.energy), 1e-12);
    double virial = 0.0;
    double mass = 0.0;
    for (const MassGroup& g : group_energies(stars, forces, 7)) {
        virial += g.virial;
        mass += g.mass;
        EXPECT_NEAR(g.virial_ratio, 0.5, 0.35);
    }
    EXPECT_NEAR(virial, forces.sums.energy, 1e-12);
    EXPECT_NEAR(mass, whole[0].mass, 1e-14);
}

TEST(Energies, AGroupsMeanMotionIsNotItsKineticEnergy) {
    Threads threads(1);
    Stars stars = plummer(40);
    for (double& v : stars.vx)
        v += 100.0;
    Stars at_rest = stars;
    move_to_centre_of_mass(at_rest);
    const PairForces forces = pair_forces(stars, 1.0, 0.0, threads);
    EXPECT_NEAR(group_energies(stars, forces, 1)[0].kinetic, kinetic_energy(at_rest), 1e-11);
}

TEST(Energies, VelocitiesAreRescaledToATarget) {
    Threads threads(1);
    for (const double target : {0.3, 0.5, 0.7}) {
        Stars stars = plummer(200);
        const double before = stars.vx[3];
        const double potential = potential_energy(stars, 1.0, 0.0, threads).energy;
        const double factor = rescale_to_virial_ratio(stars, potential, target);
        EXPECT_NEAR(virial_ratio(kinetic_energy(stars), potential), target, 1e-14);
        EXPECT_EQ(stars.vx[3], factor * before);
    }
    Stars cold = plummer(10);
    for (auto* v : {&cold.vx, &cold.vy, &cold.vz})
        v->assign(10, 0.0);
    EXPECT_EQ(test::message_of<NumericError>([&] { rescale_to_virial_ratio(cold, -1.0, 0.5); }),
              "no factor brings the virial ratio to 0.5 (all stars are at rest): give velocities");
    EXPECT_THROW(rescale_to_virial_ratio(cold, -1.0, -0.5), ConfigError);
    Stars one = plummer(1);
    EXPECT_THROW(rescale_to_virial_ratio(one, 0.0, 0.5), NumericError);
}

TEST(Energies, TheCentreOfMassComesToRestAtTheOrigin) {
    Stars stars = plummer(500);
    for (double& x : stars.x)
        x += 10.0;
    for (double& v : stars.vz)
        v -= 3.0;
    const CentreOfMass before = move_to_centre_of_mass(stars);
    EXPECT_NEAR(before.position[0], 10.0, 0.3);
    EXPECT_NEAR(before.velocity[2], -3.0, 0.3);
    const CentreOfMass after = centre_of_mass(stars);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(after.position[axis], 0.0, 1e-14);
        EXPECT_NEAR(after.velocity[axis], 0.0, 1e-14);
    }
}

TEST(Energies, BadInput) {
    Stars stars = plummer(5);
    EXPECT_THROW((void)lagrangian_radii(stars, std::array{0.0}), ConfigError);
    EXPECT_THROW((void)lagrangian_radii(stars, std::array{1.1}), ConfigError);
    EXPECT_EQ(half_mass_radius(Stars{}), 0.0);
    EXPECT_EQ(kinetic_energy(Stars{}), 0.0);
    stars.vy[2] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(test::message_of<DataError>([&] { (void)kinetic_energy(stars); }).find("star 3: velocity"), std::string::npos);
    Threads threads(1);
    const Stars one = plummer(1);
    EXPECT_THROW((void)virial_gradient(one, pair_forces(one, 1.0, 0.0, threads)), NumericError);
}

}  // namespace
}  // namespace aliquot::cluster
