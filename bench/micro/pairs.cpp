#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/math/dispatch.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

/// A Plummer sphere cut at 99.9 % of its mass, with masses between 0.5/N and 1.5/N.
cluster::Stars plummer(std::size_t count) {
    cluster::Stars stars;
    stars.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(1, 1, i);
        const double r = 0.58904862254809 / std::sqrt(std::pow(0.999 * random.uniform(), -2.0 / 3.0) - 1.0);
        const double c = 2.0 * random.uniform() - 1.0;
        const double angle = 6.283185307179586 * random.uniform();
        stars.x[i] = r * std::sqrt(1.0 - c * c) * std::cos(angle);
        stars.y[i] = r * std::sqrt(1.0 - c * c) * std::sin(angle);
        stars.z[i] = r * c;
        stars.mass[i] = (0.5 + random.uniform()) / static_cast<double>(count);
    }
    return stars;
}

/// Products, sums and fused multiply-adds of one vector of pairs that only the two multiplying units of a core can do.
struct Instructions {
    double energy = 0.0;
    double gradient = 0.0;
    double width = 0.0;
};

/// Counted in kernels/pair.kernel.cpp: the squared distance 3, the inverse root 7 (v3) or 6 (v4), the sums 1 or 12. The
/// baseline's square root and division have units of their own and no such count.
Instructions counted() {
    switch (math::simd_level()) {
        case math::SimdLevel::v4:
            return {10.0, 21.0, 8.0};
        case math::SimdLevel::v3:
            return {11.0, 22.0, 4.0};
        case math::SimdLevel::baseline:
            break;
    }
    return {};
}

/// Cycles per second of a core, from a chain of additions that take one cycle each; the best of many short runs, because shared
/// machines are noisy.
double clock_rate() {
    constexpr int steps = 20'000;
    double best = 0.0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        std::uint64_t value = 1;
        for (int i = 0; i < steps; i += 8) {
            for (int k = 0; k < 8; ++k) {
                value += 3;
                asm volatile("" : "+r"(value));
            }
        }
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, steps / time.count());
    }
    return best;
}

/// Pairs per second, and how many times the counted limit of all threads the time was.
void report(benchmark::State& state, std::uint64_t pairs, double instructions, std::size_t threads, double seconds,
            const char* page) {
    state.counters["pairs/s"] = benchmark::Counter(static_cast<double>(pairs), benchmark::Counter::kIsIterationInvariantRate);
    const double width = counted().width;
    if (width > 0.0) {
        static const double rate = clock_rate();
        const double limit = static_cast<double>(pairs) / width * instructions / 2.0 / rate / static_cast<double>(threads);
        state.counters["limit_ms"] = 1e3 * limit;
        state.counters["time/limit"] = seconds / limit;
    }
    state.SetLabel(std::string("progenax's page: ") + page);
}

void energy(benchmark::State& state, std::size_t count, const char* page) {
    const cluster::Stars stars = plummer(count);
    Threads threads;
    cluster::PairSums sums;
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
        sums = cluster::potential_energy(stars, 1.0, 0.0, threads);
        best = std::min(best, sums.seconds);
    }
    report(state, sums.pairs, counted().energy, threads.count(), best, page);
}

void gradient(benchmark::State& state, std::size_t count, const char* page) {
    const cluster::Stars stars = plummer(count);
    Threads threads;
    cluster::PairForces forces;
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
        forces = cluster::pair_forces(stars, 1.0, 0.0, threads);
        best = std::min(best, forces.sums.seconds);
    }
    report(state, forces.sums.pairs, counted().gradient, threads.count(), best, page);
}

}  // namespace

void register_pairs() {
    benchmark::RegisterBenchmark("pairs/energy/8000", energy, 8000, "70 ms")->Unit(benchmark::kMillisecond)->UseRealTime();
    benchmark::RegisterBenchmark("pairs/energy/20000", energy, 20000, "216 ms")->Unit(benchmark::kMillisecond)->UseRealTime();
    benchmark::RegisterBenchmark("pairs/gradient/20000", gradient, 20000, "216 ms for the energy alone")
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
}

}  // namespace aliquot::bench
