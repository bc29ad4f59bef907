#include "aliquot/cluster/tree_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/core/error.hpp"
#include "cluster/star_makers.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using test::binaries;
using test::plummer;

void hold_to_exact(const Stars& stars, double softening, double tolerance) {
    Threads threads(2);
    const PairSums exact = potential_energy(stars, 0.0043, softening, threads);
    const TreeSum tree = tree_potential_energy(stars, 0.0043, softening, tolerance, threads);
    EXPECT_LE(std::abs(tree.energy - exact.energy), tree.bound);
    EXPECT_LE(tree.bound, (tolerance + 2e-13) * std::abs(tree.energy));
    EXPECT_EQ(tree.coincident_pairs, exact.coincident_pairs);
    EXPECT_EQ(tree.pairs, exact.pairs);
}

/// Small clusters of stars around the stars of a larger one.
Stars clustered(std::size_t count) {
    Stars stars = plummer(count);
    const Stars centres = plummer(20, 7);
    for (std::size_t i = 0; i < count; ++i) {
        stars.x[i] = 0.02 * stars.x[i] + 3.0 * centres.x[i % 20];
        stars.y[i] = 0.02 * stars.y[i] + 3.0 * centres.y[i % 20];
        stars.z[i] = 0.02 * stars.z[i] + 3.0 * centres.z[i % 20];
    }
    return stars;
}

TEST(TreeSum, TheTrueErrorStaysWithinTheBound) {
    for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-9}) {
        hold_to_exact(plummer(10000), 0.0, tolerance);
        hold_to_exact(binaries(5000), 0.0, tolerance);
        hold_to_exact(clustered(5000), 0.0, tolerance);
    }
}

TEST(TreeSum, SofteningIsInTheBound) {
    for (const double softening : {1e-4, 1e-2, 0.3})
        hold_to_exact(plummer(4000), softening, 1e-5);
}

TEST(TreeSum, FewFlatAndCoincidentStars) {
    for (const std::size_t count : {2, 3, 64, 65, 129})
        hold_to_exact(plummer(count), 0.0, 1e-6);
    Stars flat = plummer(3000);
    flat.z.assign(3000, 1.0);
    hold_to_exact(flat, 0.0, 1e-6);
    Stars heaps = plummer(1000);
    for (std::size_t i = 0; i < 1000; ++i) {
        heaps.x[i] = static_cast<double>(i % 2);
        heaps.y[i] = heaps.z[i] = 0.0;
    }
    hold_to_exact(heaps, 0.0, 1e-6);
    Stars massless = plummer(1000);
    massless.mass.assign(1000, 0.0);
    massless.mass[3] = massless.mass[900] = 1.0;
    hold_to_exact(massless, 0.0, 1e-6);
    Threads threads(1);
    EXPECT_EQ(tree_potential_energy(Stars{}, 1.0, 0.0, 1e-6, threads).energy, 0.0);
    EXPECT_EQ(tree_potential_energy(plummer(1), 1.0, 0.0, 1e-6, threads).energy, 0.0);
}

TEST(TreeSum, MultipolesDoTheWork) {
    Threads threads(2);
    const TreeSum tree = tree_potential_energy(plummer(30000), 1.0, 0.0, 1e-2, threads);
    EXPECT_GT(tree.group_pairs, 1000U);
    EXPECT_LT(tree.direct_pairs, tree.pairs * 3 / 4);
}

TEST(TreeSum, AnyNumberOfThreadsGivesTheSameBits) {
    const Stars stars = plummer(5000);
    Threads one(1);
    const TreeSum first = tree_potential_energy(stars, 1.0, 0.0, 1e-5, one);
    for (const std::size_t count : {2, 3, 8}) {
        Threads threads(count);
        const TreeSum again = tree_potential_energy(stars, 1.0, 0.0, 1e-5, threads);
        EXPECT_EQ(again.energy, first.energy);
        EXPECT_EQ(again.bound, first.bound);
    }
}

TEST(TreeSum, BadInput) {
    Threads threads(1);
    Stars stars = plummer(100);
    EXPECT_EQ(test::message_of<ConfigError>([&] { (void)tree_potential_energy(stars, 1.0, 0.0, 0.0, threads); }),
              "tolerance = 0 (not between 1e-12 and 0.1): choose one, or sum directly");
    stars.x[70] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(test::message_of<DataError>([&] { (void)tree_potential_energy(stars, 1.0, 0.0, 1e-6, threads); }),
              "star 71: x = nan (not a position): correct or remove the star");
}

}  // namespace
}  // namespace aliquot::cluster
