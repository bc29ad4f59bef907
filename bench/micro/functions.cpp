#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "aliquot/math/array_kernels.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

constexpr std::size_t count = 4096;  // in the first-level cache

void run(benchmark::State& state, void (*kernel)(const double*, std::size_t, double*) noexcept, double low, double high) {
    std::vector<double> in(count);
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i)
        in[i] = low + (high - low) * (static_cast<double>(i * 2654435761U % count) + 0.5) / count;
    while (state.KeepRunningBatch(count)) {
        kernel(in.data(), count, out.data());
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
}

void standard_exp(const double* in, std::size_t n, double* out) noexcept {
    for (std::size_t i = 0; i < n; ++i)
        out[i] = std::exp(in[i]);
}

void add(const std::string& suffix, const math::ArrayKernels& kernels) {
    benchmark::RegisterBenchmark(("exp/f64" + suffix).c_str(), run, kernels.exp, -30.0, 1.0);
    benchmark::RegisterBenchmark(("log/f64" + suffix).c_str(), run, kernels.log, 1e-3, 1e3);
    benchmark::RegisterBenchmark(("erf/f64" + suffix).c_str(), run, kernels.erf, -3.0, 3.0);
    benchmark::RegisterBenchmark(("erfcx/f64" + suffix).c_str(), run, kernels.erfcx, -3.0, 8.0);
    benchmark::RegisterBenchmark(("erfc/f64" + suffix).c_str(), run, kernels.erfc, -3.0, 8.0);
}

}  // namespace

void register_functions() {
    add("", math::array_kernels(math::simd_level()));
    for (const math::SimdLevel level : math::available_simd_levels())
        add("/" + std::string(math::to_string(level)), math::array_kernels(level));
    benchmark::RegisterBenchmark("exp/f64/std", run, standard_exp, -30.0, 1.0);
}

}  // namespace aliquot::bench
