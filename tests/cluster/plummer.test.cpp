#include "aliquot/cluster/plummer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using std::numbers::pi;

TEST(Plummer, IsTheTextbookSphere) {
    const Plummer model;
    EXPECT_NEAR(model.half_mass_radius(), 1.0 / std::sqrt(std::cbrt(4.0) - 1.0), 1e-14);
    EXPECT_NEAR(plummer_half_mass_radius, 1.0 / std::sqrt(std::cbrt(4.0) - 1.0), 1e-15);
    EXPECT_NEAR(model.virial_radius(), 16.0 / (3.0 * pi), 1e-14);
    EXPECT_NEAR(model.energies().virial_ratio(), 0.5, 1e-14);
    for (const double r : {0.0, 0.3, 1.0, 4.0, 100.0}) {
        // sigma_r^2 = G M / 6 sqrt(r^2 + a^2)
        EXPECT_NEAR(model.moments(r, 0).radial, 1.0 / (6.0 * std::sqrt(1.0 + r * r)), 1e-15) << r;
        EXPECT_NEAR(model.moments(r, 0).anisotropy(), 0.0, 1e-15) << r;
    }
}

TEST(Plummer, AnisotropyFollowsOsipkovMerritt) {
    const Plummer model(1.5);
    for (const double r : {0.1, 1.0, 5.0})
        EXPECT_NEAR(model.moments(r, 0).anisotropy(), r * r / (r * r + 2.25), 1e-14) << r;
    // Radial kinetic energy of the isotropic sphere is a third; it grows with anisotropy.
    EXPECT_NEAR(Plummer().energies().radial, pi / 64.0, 1e-9);
    EXPECT_GT(model.energies().radial, pi / 64.0);
}

TEST(Plummer, RefusesAnAnisotropyRadiusBelowItsLimit) {
    EXPECT_EQ(
        test::message_of<ConfigError>([] { Plummer(0.5); }),
        "r_a = 0.5 a for Plummer's sphere (its distribution function is negative below 0.75 a): take r_a of at least 0.75 a, "
        "0.5748 half-mass radii");
}

}  // namespace
}  // namespace aliquot::cluster
