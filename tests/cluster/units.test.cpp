#include "aliquot/cluster/units.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

TEST(Units, GravityFollowsFromTheSolarMassParameterAndTheParsec) {
    // 1.3271244e20 m^3 s^-2 / (648000/pi * 149597870700 m) = 4300917.2700... m^2 s^-2 (IAU 2015 resolutions B2 and B3).
    EXPECT_NEAR(pc_msun_km_s().gravitational_constant, 0.00430091727003628, 1e-17);
    EXPECT_NEAR(pc_msun_myr().gravitational_constant, 0.00449850215146955, 1e-17);
    EXPECT_EQ(henon_units().gravitational_constant, 1.0);
}

TEST(Units, AnUnknownNameOffersTheNearest) {
    EXPECT_EQ(test::message_of<ConfigError>([] { (void)units_by_name("pc-msun-km"); }),
              "units = \"pc-msun-km\" (no such system); did you mean \"pc-msun-kms\"?");
}

}  // namespace
}  // namespace aliquot::cluster
