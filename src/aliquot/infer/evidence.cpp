#include "aliquot/infer/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/streams.hpp"

namespace aliquot::infer {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// exp of a volume relative to the one where the posterior lies, kept finite: 700 nats above it a volume has no weight.
double scaled_volume(double log_volume, double pivot) {
    return std::exp(std::min(log_volume - pivot, 700.0));
}

/// ln of the trapezoid sum of L / L_max over one path of volumes.
double log_sum(const std::vector<double>& log_likelihood, const std::vector<double>& log_volume, double log_start, double log_max,
               double pivot) {
    const std::size_t n = log_likelihood.size();
    double sum = 0.0;
    double before = scaled_volume(log_start, pivot);
    double here = scaled_volume(log_volume[0], pivot);
    for (std::size_t i = 0; i < n; ++i) {
        const double after = i + 1 < n ? scaled_volume(log_volume[i + 1], pivot) : 0.0;
        // The first point also stands for the shell above it, the last one for all that is left below it.
        double width = 0.5 * (before - after);
        if (i == 0) width += 0.5 * (before - here);
        if (i + 1 == n) width += 0.5 * here;
        sum += std::exp(log_likelihood[i] - log_max) * width;
        before = here;
        here = after;
    }
    return std::log(sum) + pivot;
}

/// The same terms one by one, as logarithms that do not underflow.
std::vector<double> log_terms(const std::vector<double>& log_likelihood, const std::vector<double>& log_volume,
                              double log_start) {
    const std::size_t n = log_likelihood.size();
    std::vector<double> terms(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double before = i == 0 ? log_start : log_volume[i - 1];
        const double here = std::exp(log_volume[i] - before);
        const double after = i + 1 < n ? std::exp(log_volume[i + 1] - before) : 0.0;
        double width = 0.5 * (1.0 - after);
        if (i == 0) width += 0.5 * (1.0 - here);
        if (i + 1 == n) width += 0.5 * here;
        terms[i] = log_likelihood[i] + before + std::log(width);
    }
    return terms;
}

}  // namespace

double log_add(double a, double b) {
    const double high = std::max(a, b);
    if (high == minus_infinity) return high;
    return high + std::log1p(std::exp(std::min(a, b) - high));
}

Evidence estimate_evidence(const DeathOrder& deaths, std::uint64_t seed, Threads& threads, std::size_t simulations) {
    const std::size_t n = deaths.log_likelihood.size();
    ALIQUOT_EXPECT(n > 0 && deaths.live_count.size() == n && simulations > 1);
    const double log_max = deaths.log_likelihood.back();

    Evidence evidence;
    evidence.log_volume.resize(n);
    double log_volume = deaths.log_start_volume;
    for (std::size_t i = 0; i < n; ++i) {
        log_volume -= 1.0 / deaths.live_count[i];
        evidence.log_volume[i] = log_volume;
    }
    evidence.log_weight = log_terms(deaths.log_likelihood, evidence.log_volume, deaths.log_start_volume);
    const auto heaviest = std::max_element(evidence.log_weight.begin(), evidence.log_weight.end());
    const double pivot = evidence.log_volume[static_cast<std::size_t>(heaviest - evidence.log_weight.begin())];
    const double log_expected =
        log_sum(deaths.log_likelihood, evidence.log_volume, deaths.log_start_volume, log_max, pivot) + log_max;
    double mean_log_likelihood = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        evidence.log_weight[i] -= log_expected;
        const double weight = std::exp(evidence.log_weight[i]);
        if (weight > 0.0) mean_log_likelihood += weight * deaths.log_likelihood[i];
    }
    evidence.information = mean_log_likelihood - log_expected;

    std::vector<double> log_evidence(simulations);
    constexpr std::size_t per_block = 8;
    threads.for_each_block((simulations + per_block - 1) / per_block, [&](std::size_t block) {
        std::vector<double> path(n);
        for (std::size_t s = block * per_block; s < std::min(simulations, (block + 1) * per_block); ++s) {
            RandomStream random(seed, streams::volumes, s);
            const double radius = std::sqrt(-2.0 * std::log(random.uniform()));
            const double normal = radius * std::cos(2.0 * std::numbers::pi * random.uniform());
            const double start = std::min(0.0, deaths.log_start_volume + deaths.log_start_volume_sd * normal);
            double at = start;
            for (std::size_t i = 0; i < n; ++i) {
                at += std::log(random.uniform()) / deaths.live_count[i];
                path[i] = at;
            }
            log_evidence[s] = log_max + log_sum(deaths.log_likelihood, path, start, log_max, pivot);
        }
    });
    double mean = 0.0;
    for (const double z : log_evidence)
        mean += z / static_cast<double>(simulations);
    double variance = 0.0;
    for (const double z : log_evidence)
        variance += (z - mean) * (z - mean) / static_cast<double>(simulations - 1);
    evidence.log_evidence = mean;
    evidence.log_evidence_error = std::sqrt(variance);
    return evidence;
}

}  // namespace aliquot::infer
