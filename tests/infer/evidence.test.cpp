#include "aliquot/infer/evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace aliquot::infer {
namespace {

/// Deaths of a run on a constant likelihood: ln Z is known whatever the volumes are.
DeathOrder constant_likelihood(std::size_t live, std::size_t dead) {
    DeathOrder deaths;
    for (std::size_t i = 0; i < dead; ++i) {
        deaths.log_likelihood.push_back(-3.0);
        deaths.live_count.push_back(static_cast<double>(live));
    }
    for (std::size_t i = live; i > 0; --i) {
        deaths.log_likelihood.push_back(-3.0);
        deaths.live_count.push_back(static_cast<double>(i));
    }
    return deaths;
}

TEST(Evidence, AConstantLikelihoodIsItsOwnEvidence) {
    Threads threads(1);
    for (const std::size_t dead : {0, 1, 500}) {
        const Evidence evidence = estimate_evidence(constant_likelihood(50, dead), 1, threads);
        EXPECT_NEAR(evidence.log_evidence, -3.0, 1e-12);
        EXPECT_NEAR(evidence.log_evidence_error, 0.0, 1e-12);
        EXPECT_NEAR(evidence.information, 0.0, 1e-12);
        double sum = 0.0;
        for (const double w : evidence.log_weight)
            sum += std::exp(w);
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
}

/// A two-dimensional Gaussian whose deaths stand at their expected volumes.
TEST(Evidence, AGaussianHasItsEvidenceAndInformation) {
    // d = 2, L = exp(-r^2 / 2 s^2), X = r^2: Z = integral exp(-X / 2 s^2) dX = 2 s^2 (1 - exp(-1 / 2 s^2)), H = ln(1 / 2 s^2) - 1
    // for small s.
    constexpr double s2 = 1e-6;
    constexpr std::size_t live = 2000;
    DeathOrder deaths;
    double log_volume = 0.0;
    for (std::size_t i = 0; i < 20 * live; ++i) {
        log_volume -= 1.0 / live;
        deaths.log_likelihood.push_back(-std::exp(log_volume) / (2.0 * s2));
        deaths.live_count.push_back(live);
    }
    Threads threads(2);
    const Evidence evidence = estimate_evidence(deaths, 3, threads);
    EXPECT_NEAR(evidence.log_evidence, std::log(2.0 * s2), 5.0 * evidence.log_evidence_error / std::sqrt(200.0) + 1e-3);
    EXPECT_NEAR(evidence.information, -std::log(2.0 * s2) - 1.0, 2e-3);
    // The quoted error is that of ln X at the bulk, sqrt(H / N), to the precision of 200 simulations (5 standard errors of a
    // standard deviation).
    const double expected = std::sqrt(evidence.information / live);
    EXPECT_NEAR(evidence.log_evidence_error, expected, 5.0 * expected / std::sqrt(2.0 * 200.0) + 0.02 * expected);
}

TEST(Evidence, VolumesFarBelowTheSmallestDoubleAreFine) {
    DeathOrder deaths;
    double log_volume = 0.0;
    for (std::size_t i = 0; i < 30000; ++i) {
        log_volume -= 0.1;  // down to ln X = -3000
        deaths.log_likelihood.push_back(-std::exp(log_volume + 2000.0));
        deaths.live_count.push_back(10.0);
    }
    Threads threads(1);
    const Evidence evidence = estimate_evidence(deaths, 1, threads);
    EXPECT_NEAR(evidence.log_evidence, -2000.0, 5.0 * std::sqrt(2000.0 / 10.0));
    EXPECT_TRUE(std::isfinite(evidence.log_evidence_error));
    EXPECT_NEAR(evidence.information, 1999.0, 1.0);
}

TEST(Evidence, TheSameForAnyThreads) {
    const DeathOrder deaths = [] {
        DeathOrder d;
        for (std::size_t i = 0; i < 3000; ++i) {
            d.log_likelihood.push_back(0.01 * static_cast<double>(i));
            d.live_count.push_back(100.0);
        }
        return d;
    }();
    Threads one(1);
    Threads three(3);
    EXPECT_EQ(estimate_evidence(deaths, 5, one).log_evidence, estimate_evidence(deaths, 5, three).log_evidence);
}

TEST(LogAdd, KnowsZeroAndLargeNumbers) {
    const double minus_infinity = -std::numeric_limits<double>::infinity();
    EXPECT_EQ(log_add(minus_infinity, minus_infinity), minus_infinity);
    EXPECT_EQ(log_add(minus_infinity, 3.0), 3.0);
    EXPECT_DOUBLE_EQ(log_add(1e5, 1e5), 1e5 + std::log(2.0));
}

}  // namespace
}  // namespace aliquot::infer
