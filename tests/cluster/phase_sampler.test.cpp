#include "aliquot/cluster/phase_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "aliquot/cluster/inverse_transform.hpp"
#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/plummer.hpp"
#include "support/golden.hpp"

namespace aliquot::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A model of one lowered component whose velocity law at a radius of choice has given W and p.
class OneDepth final : public Equilibrium {
  public:
    OneDepth(double g, double depth, double p) : law_(g, true), depth_(depth), p_(p) {}
    double gravitational_constant() const override { return 1.0; }
    double total_mass() const override { return 1.0; }
    double edge() const override { return 1.0; }
    double potential(double /*radius*/) const override { return depth_; }
    double enclosed_mass(double radius) const override { return radius; }
    double enclosed_mass(double radius, std::size_t /*component*/) const override { return radius; }
    double density(double /*radius*/, std::size_t /*component*/) const override { return 1.0; }
    Moments moments(double /*radius*/, std::size_t /*component*/) const override { return {}; }
    Energies energies() const override { return {}; }
    Energies energies(std::size_t /*component*/) const override { return {}; }
    AnisotropyLaw anisotropy_law() const override { return AnisotropyLaw::lowered; }
    LocalVelocities local_velocities(double /*radius*/, std::size_t /*component*/) const override { return {depth_, 1.0, p_}; }
    double phase_density(double energy, std::size_t /*component*/) const override { return law_.phase_density(energy); }

  private:
    LoweredLaw law_;
    double depth_;
    double p_;
};

TEST(SpeedLaw, CumulativeSpeedsMatchMpmath) {
    const auto golden = test::golden("special_functions.json");
    for (const auto& row : golden.at("speed_cdf")) {
        const OneDepth model(row[0], row[1], row[2]);
        for (const auto& point : row[3])
            EXPECT_NEAR(speed_cdf(model, 0, 0.5, point[0]), std::stod(point[1].get<std::string>()), 1e-12) << row.dump();
    }
}

TEST(SpeedLaw, CumulativeAnglesMatchMpmath) {
    const auto golden = test::golden("special_functions.json");
    for (const auto& row : golden.at("angle_cdf")) {
        const double a = row[0];
        const OneDepth model(1.0, 10.0, a);
        const double truth = 0.5 * (1.0 + std::stod(row[2].get<std::string>()));
        EXPECT_NEAR(angle_cdf(model, 0, 0.5, std::sqrt(2.0), row[1]), truth, 1e-14) << row.dump();
    }
}

TEST(PhaseSampler, DrawsDependOnTheirAddressOnly) {
    const LoweredModel model = LoweredModel::king(7.0, 10.0);
    for (const DrawMethod method : {DrawMethod::exact, DrawMethod::table, DrawMethod::quadrature}) {
        const PhaseSampler sampler(model, 0, method);
        RandomStream a(3, 1, 7);
        RandomStream b(3, 1, 7);
        const PhasePoint first = sampler.draw(a);
        const PhasePoint second = sampler.draw(b);
        EXPECT_EQ(first.radius, second.radius);
        EXPECT_EQ(first.radial, second.radial);
        EXPECT_EQ(first.tangential, second.tangential);
    }
}

TEST(PhaseSampler, TableAndQuadratureArePaired) {
    for (const double ra : {infinity, 5.0}) {
        const LoweredModel model = LoweredModel::king(7.0, ra);
        const PhaseSampler table(model, 0, DrawMethod::table);
        const PhaseSampler oracle(model, 0, DrawMethod::quadrature);
        double worst = 0.0;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            RandomStream a(1, 0, i);
            RandomStream b(1, 0, i);
            const PhasePoint fast = table.draw(a);
            const PhasePoint slow = oracle.draw(b);
            EXPECT_EQ(fast.radius, slow.radius);
            const double share = std::hypot(fast.radial, fast.tangential) / model.escape_speed(fast.radius);
            const double truth = std::hypot(slow.radial, slow.tangential) / model.escape_speed(fast.radius);
            worst = std::max(worst, std::abs(speed_cdf(model, 0, fast.radius, share) - speed_cdf(model, 0, fast.radius, truth)));
        }
        EXPECT_LT(worst, 1e-4) << ra;
        EXPECT_LT(table.table_bytes(), std::size_t{1} << 20U);
    }
}

TEST(PhaseSampler, StarsStayWithinTheModel) {
    const LoweredModel model = LoweredModel::king(5.0, 4.0);
    const PhaseSampler sampler(model, 0);
    for (std::uint64_t i = 0; i < 100000; ++i) {
        RandomStream random(11, 0, i);
        const PhasePoint star = sampler.draw(random);
        ASSERT_LE(star.radius, model.edge());
        ASSERT_GE(star.tangential, 0.0);
        ASSERT_LE(std::hypot(star.radial, star.tangential), model.escape_speed(star.radius) * (1.0 + 1e-9));
    }
    EXPECT_LT(sampler.table_bytes(), std::size_t{1} << 20U);
}

}  // namespace
}  // namespace aliquot::cluster
