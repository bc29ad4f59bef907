#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/core/parallel.hpp"

namespace aliquot::infer {

/// The order in which a run's points died, as far as volumes need it.
struct DeathOrder {
    std::vector<double> log_likelihood;  ///< increasing
    std::vector<double> live_count;      ///< points alive when this one died, itself included
    double log_start_volume = 0.0;       ///< ln of the share of the prior in which ln L is finite
    double log_start_volume_sd = 0.0;    ///< its standard deviation
};

struct Evidence {
    double log_evidence =
        0.0;  ///< mean of ln Z over simulated volumes (not ln of the mean of Z, which is larger by half the variance)
    double log_evidence_error = 0.0;  ///< standard deviation of ln Z over them
    double information = 0.0;         ///< H = integral of posterior ln(posterior / prior), nats
    std::vector<double> log_volume;   ///< E[ln X] at each death
    std::vector<double> log_weight;   ///< normalised posterior weights
};

/// Evidence from simulated volumes (Skilling 2006): at each death the volume shrinks by a factor Beta(n, 1), n the number of
/// points alive. Z is the trapezoid sum of L over X, the last live points included as deaths with n falling to 1. `simulations`
/// paths, seeded; the same for any threads.
[[nodiscard]] Evidence estimate_evidence(const DeathOrder& deaths, std::uint64_t seed, Threads& threads,
                                         std::size_t simulations = 200);

/// ln(exp(a) + exp(b)) without overflow.
[[nodiscard]] double log_add(double a, double b);

}  // namespace aliquot::infer
