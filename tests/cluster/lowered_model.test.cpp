#include "aliquot/cluster/lowered_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/files.hpp"
#include "support/golden.hpp"
#include "support/relative.hpp"

namespace aliquot::cluster {
namespace {

using test::expect_relative;

constexpr double infinity = std::numeric_limits<double>::infinity();

LoweredSpec spec_of(const nlohmann::json& model) {
    const double ra = model.at("ra").is_null() ? infinity : model.at("ra").get<double>();
    return {model.at("W0"), model.at("g"), {{1.0, 1.0, ra}}};
}

TEST(LoweredModel, MatchesTheIndependentSolver) {
    const auto golden = test::golden("lowered_models.json");
    int finite = 0;
    for (const auto& row : golden.at("models")) {
        const std::string what = row.at("W0").dump() + " " + row.at("g").dump() + " " + row.at("ra").dump();
        if (!row.at("finite").get<bool>()) {
            EXPECT_THROW(LoweredModel{spec_of(row)}, NoFiniteEdge) << what;
            continue;
        }
        ++finite;
        const LoweredModel model(spec_of(row));
        const auto& exact = row.at("exact");
        expect_relative(model.edge(), exact.at("rt"), 1e-9, what + " r_t");
        expect_relative(model.half_mass_radius(), exact.at("rh"), 1e-10, what + " r_h");
        expect_relative(model.virial_radius(), exact.at("rv"), 1e-10, what + " r_v");
        expect_relative(model.total_mass(), exact.at("M"), 1e-10, what + " M");
        expect_relative(model.energies().potential, exact.at("U"), 1e-10, what + " U");
        expect_relative(model.energies().radial, exact.at("Kr"), 1e-10, what + " K_r");
        expect_relative(model.energies().tangential, exact.at("Kt"), 1e-10, what + " K_t");
        expect_relative(model.radial_orbit_ratio(), exact.at("kappa"), 1e-10, what + " kappa");
        for (const auto& point : exact.at("profile")) {
            const double r = point.at("r");
            const Moments moments = model.moments(r);
            expect_relative(model.potential(r), point.at("phihat"), 1e-9, what + " W");
            expect_relative(moments.density, point.at("rhohat"), 1e-9, what + " rho");
            expect_relative(moments.radial, point.at("v2r"), 1e-9, what + " v2r");
            expect_relative(moments.tangential, point.at("v2t"), 1e-9, what + " v2t");
            EXPECT_NEAR(moments.anisotropy(), point.at("beta").get<double>(), 1e-9) << what;
            expect_relative(model.enclosed_mass(r) / model.total_mass(), point.at("mc_over_M"), 1e-9, what + " M(r)");
        }
    }
    EXPECT_EQ(finite, 41);
}

TEST(LoweredModel, VirialTheoremHoldsToRounding) {
    for (const double w0 : {0.1, 1.0, 3.0, 7.0, 12.0, 20.0}) {
        for (const double g : {0.0, 0.35, 1.0, 1.5, 2.0}) {
            const LoweredModel isotropic({w0, g});
            for (const double ra : {infinity, 4.0 * isotropic.half_mass_radius()}) {
                const Energies energies = LoweredModel({w0, g, {{1.0, 1.0, ra}}}).energies();
                EXPECT_NEAR(2.0 * energies.kinetic() / -energies.potential, 1.0, 1e-12) << w0 << " " << g << " " << ra;
            }
        }
    }
}

TEST(LoweredModel, KingConcentrationsMatchKing1966TableII) {
    // c = log10(r_t / r_c), printed to two decimals in the paper; the longer digits are an independent RKF7(8) solution.
    for (const auto& [w0, edge, half] : {std::tuple{1.0, 1.9747281095, 0.65989601},
                                         {2.0, 3.1986422618, 0.97062372},
                                         {2.5, 3.8909982101, 1.11378968},
                                         {3.0, 4.6994074328, 1.25893838},
                                         {4.0, 6.9201948420, 1.57994676},
                                         {5.0, 10.6970495477, 1.99757230},
                                         {6.0, 17.9916097256, 2.64686762},
                                         {7.0, 33.7085702753, 3.92086287},
                                         {8.0, 68.1467724627, 7.13227728},
                                         {9.0, 131.3806956251, 15.41112586},
                                         {10.0, 223.7211128019, 31.06359435},
                                         {12.0, 548.1990661, 86.40885660},
                                         {15.0, 2271.5504203, 330.02036758}}) {
        const LoweredModel model = LoweredModel::king(w0);
        expect_relative(model.edge(), edge, 2e-10, "r_t at W0 " + std::to_string(w0));
        expect_relative(model.half_mass_radius(), half, 1e-8, "r_h at W0 " + std::to_string(w0));
    }
    for (const auto& [w0, printed] : {std::pair{2.5, 0.59},
                                      {3.0, 0.67},
                                      {4.0, 0.84},
                                      {5.0, 1.03},
                                      {6.0, 1.26},
                                      {7.0, 1.53},
                                      {8.0, 1.83},
                                      {9.0, 2.12},
                                      {10.0, 2.35}})
        EXPECT_NEAR(LoweredModel::king(w0).concentration(), printed, 0.0051) << w0;
}

TEST(LoweredModel, GeneralTruncationsMatchPrintedValues) {
    for (const auto& [g, w0, edge] : {std::tuple{0.0, 3.0, 3.2249812780},
                                      {0.0, 6.0, 11.2830008546},
                                      {0.5, 3.0, 3.7959025827},
                                      {0.5, 6.0, 13.6205518396},
                                      {1.5, 3.0, 6.2442382489},
                                      {1.5, 6.0, 27.7856015793},
                                      {2.0, 6.0, 62.5077233603},
                                      {2.0, 9.0, 2131.7449812},
                                      {2.5, 3.0, 17.7951209451},
                                      {2.5, 5.0, 103.2446467238}})
        expect_relative(LoweredModel({w0, g}).edge(), edge, 1e-9, "g " + std::to_string(g) + " W0 " + std::to_string(w0));
    for (const auto& [w0, g, ra, edge, square] : {std::tuple{5.0, 1.0, 4.0, 13.7434177837, 1.62194847},
                                                  {5.0, 1.0, 5.0, 12.4686950674, 1.65836533},
                                                  {6.0, 1.0, 5.0, 27.8912214798, 1.70020557},
                                                  {7.0, 1.0, 10.0, 45.3235805914, 1.76923324},
                                                  {7.0, 1.0, 8.0, 56.0183894534, 1.72496135},
                                                  {7.0, 1.0, 5.0, 545.2181182546, 1.46564034},
                                                  {7.0, 1.5, 8.0, 206.3214166357, 1.61127306}}) {
        const LoweredModel model({w0, g, {{1.0, 1.0, ra}}});
        expect_relative(model.edge(), edge, 1e-9, "r_a " + std::to_string(ra));
        expect_relative(2.0 * model.energies().kinetic() / model.total_mass(), square, 5e-9, "<v^2>");
    }
}

TEST(LoweredModel, AnisotropyProfileMatchesTheDistributionFunction) {
    const std::vector<double> at = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    const auto check = [&](double w0, double ra, const std::vector<double>& beta) {
        const LoweredModel model = LoweredModel::king(w0, ra);
        for (std::size_t i = 0; i < at.size(); ++i)
            EXPECT_NEAR(model.moments(at[i] * model.edge()).anisotropy(), beta[i], 6e-7) << w0 << " " << ra << " " << at[i];
    };
    check(5, 4, {.021608, .070207, .171638, .243599, .285571, .302629, .297543, .270148, .217143, .131336});
    check(7, 10, {.036425, .098737, .206556, .277437, .317537, .332765, .325699, .295646, .238388, .145088});
    check(7, 8, {.077613, .190676, .356185, .449570, .497685, .514863, .506054, .469138, .393730, .255218});
}

TEST(LoweredModel, NamesTheCriticalAnisotropyRadius) {
    const auto golden = test::golden("critical_models.json");
    for (const auto& row : golden.at("models")) {
        if (row.at("ra_crit").is_null()) continue;
        const double w0 = row.at("W0");
        const double g = row.at("g");
        const double critical = row.at("ra_crit");
        // The reference calls a model infinite from an edge of 1e5 King radii on; ours is 1e7, which matters for g < 1/2 only.
        const auto edge = [&](double ra) {
            const LoweredSpec spec{w0, g, {{1.0, 1.0, ra}}};
            return LoweredModel::has_edge(spec) ? LoweredModel(spec).edge() : infinity;
        };
        EXPECT_GT(edge(0.98 * critical), 1e5) << row.dump();
        EXPECT_LT(edge(1.02 * critical), 1e5) << row.dump();
    }
    const std::string message = test::message_of<NoFiniteEdge>([] { LoweredModel::king(7.0, 4.0); });
    EXPECT_NE(
        message.find(
            "r_a = 4 r_0 at W0 = 7, g = 1 (the density of this model never reaches zero): take r_a above its critical value 4.7"),
        std::string::npos)
        << message;
}

TEST(LoweredModel, NamesTheCriticalTruncation) {
    const auto golden = test::golden("critical_models.json");
    for (const auto& [w0, row] : golden.at("finite_models").items()) {
        const double critical = row[0];
        EXPECT_TRUE(LoweredModel::has_edge({std::stod(w0), critical - 0.01})) << w0;
        EXPECT_FALSE(LoweredModel::has_edge({std::stod(w0), critical + 0.01})) << w0;
    }
    EXPECT_EQ(test::message_of<NoFiniteEdge>([] { LoweredModel({7.0, 2.8}); }).substr(0, 90),
              "g = 2.8 at W0 = 7 (the density of this model never reaches zero): take g below its critica");
}

TEST(LoweredModel, RefusesImpossibleParameters) {
    EXPECT_EQ(test::message_of<ConfigError>([] { LoweredModel({0.0, 1.0}); }),
              "W0 = 0 (the central depth of a lowered model lies in (0, 200])");
    EXPECT_EQ(test::message_of<ConfigError>([] { LoweredModel({5.0, 3.5}); }),
              "g = 3.5 (the truncation of a lowered model lies in [0, 3.5): 0 Woolley, 1 King, 2 Wilson)");
    EXPECT_EQ(test::message_of<ConfigError>([] { LoweredModel::king(5.0, -1.0); }),
              "r_a = -1 (the anisotropy radius must be positive; leave it out for isotropic orbits)");
    EXPECT_THROW(LoweredModel({std::nan(""), 1.0}), ConfigError);
    EXPECT_THROW(LoweredModel::king(5.0, 1e-9), NoFiniteEdge);
    EXPECT_THROW(LoweredModel::king(5.0, 1e-300), NoFiniteEdge);
}

TEST(LoweredModel, CoupledComponentsMatchPrintedValues) {
    // Independent RKF7(8) solution: alpha (.5, .5), w (1, .6), W0 7, g 1.
    const LoweredModel isotropic({7.0, 1.0, {{0.5, 1.0}, {0.5, 0.6}}});
    expect_relative(isotropic.edge(), 51.9738324454, 1e-9, "r_t");
    expect_relative(isotropic.lagrangian_radius(0.5, 0), 7.1872347, 1e-7, "r_h of the light");
    expect_relative(isotropic.lagrangian_radius(0.5, 1), 0.9022814, 1e-7, "r_h of the heavy");
    expect_relative(isotropic.mass_fraction(0) / isotropic.mass_fraction(1), 6.000524880 / 0.134869133, 1e-8, "masses");
    const LoweredModel anisotropic({7.0, 1.0, {{0.5, 1.0, 10.0}, {0.5, 0.6, 10.0}}});
    expect_relative(anisotropic.edge(), 126.7320276515, 1e-9, "r_t");
    expect_relative(anisotropic.lagrangian_radius(0.5, 0), 7.8159564, 1e-7, "r_h of the light");
    expect_relative(anisotropic.lagrangian_radius(0.5, 1), 0.8982482, 1e-7, "r_h of the heavy");
    for (const LoweredModel* model : {&isotropic, &anisotropic}) {
        EXPECT_NEAR(model->energies().virial_ratio(), 0.5, 1e-12);
        for (std::size_t j = 0; j < 2; ++j)
            EXPECT_NEAR(model->energies(j).virial_ratio(), 0.5, 1e-12) << j;
        EXPECT_NEAR(model->energies(0).potential + model->energies(1).potential, model->energies().potential,
                    1e-12 * -model->energies().potential);
    }
}

}  // namespace
}  // namespace aliquot::cluster
