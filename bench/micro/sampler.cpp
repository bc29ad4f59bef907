#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "aliquot/infer/nested_sampler.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t dimension = 20;
constexpr double width = 0.02;

double gaussian(std::span<const double> u) {
    double sum = 0.0;
    for (const double x : u)
        sum += (x - 0.5) * (x - 0.5);
    return -0.5 * sum / (width * width);
}

/// A 20-d Gaussian whose likelihood takes at least so many seconds.
class Slow final : public infer::Problem {
  public:
    explicit Slow(double seconds) : seconds_(seconds) {}
    [[nodiscard]] std::size_t dimension() const override { return bench::dimension; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        std::copy_n(unit.data(), unit.rows() * bench::dimension, parameters.data());
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto start = Clock::now();
            values[i] = gaussian(parameters.row(i));
            while (seconds_ > 0.0 && std::chrono::duration<double>(Clock::now() - start).count() < seconds_) {
            }
        }
    }

  private:
    double seconds_;
};

/// Time per likelihood call of a run past its start, in which chains of 60 slices do all the work.
void chains(benchmark::State& state, double seconds, std::size_t thread_count) {
    const Slow problem(seconds);
    Threads threads(thread_count);
    const infer::NestedSampler sampler(problem, {.live_points = 400}, threads);
    infer::NestedState run = sampler.init();
    while (run.from_prior)
        sampler.step(run);
    const std::uint64_t before = run.calls;
    for (auto _ : state)
        sampler.step(run);
    const auto calls = static_cast<double>(run.calls - before);
    state.counters["per_call"] = benchmark::Counter(calls, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// The likelihood of the same points alone.
void likelihood(benchmark::State& state) {
    std::vector<double> u(dimension, 0.4);
    for (auto _ : state) {
        benchmark::DoNotOptimize(u.data());
        benchmark::DoNotOptimize(gaussian(u));
    }
}

}  // namespace

void register_samplers() {
    benchmark::RegisterBenchmark("sampler/likelihood_20d", likelihood);
    benchmark::RegisterBenchmark("sampler/chains_20d", chains, 0.0, std::size_t{1})->UseRealTime();
    for (const std::size_t threads : {1, 2})
        benchmark::RegisterBenchmark(("sampler/chains_30us/threads:" + std::to_string(threads)).c_str(), chains, 30e-6, threads)
            ->UseRealTime();
}

}  // namespace aliquot::bench
