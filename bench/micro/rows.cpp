#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/summary/row_summariser.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

constexpr std::size_t rows = 256;  // a megabyte at 1000 draws

std::vector<float> make_rows(double zero_share, std::size_t draws) {
    std::vector<float> values(rows * draws);
    RandomStream random(1, 9, 0);
    for (float& value : values) {
        const double normal = std::sqrt(-2.0 * std::log(random.uniform())) * std::cos(6.283185307179586 * random.uniform());
        value = random.uniform() < zero_share ? 0.0F : static_cast<float>(std::exp(normal));
    }
    return values;
}

void run(benchmark::State& state, double zero_share, std::size_t draws, const std::string& preset, math::SimdLevel level) {
    const std::vector<float> values = make_rows(zero_share, draws);
    const auto layers = summary::parse_layers(summary::preset_layers(preset));
    summary::RowSummariser summariser(layers, {}, draws, summary::row_kernels(level));
    std::vector<float> out(layers.size() * rows);
    while (state.KeepRunningBatch(rows)) {
        summariser.begin(out.data(), rows, {});
        summariser.add(values.data(), rows, 0);
        summariser.flush();
        benchmark::DoNotOptimize(out.data());
    }
}

void standard_sort(benchmark::State& state, std::size_t draws) {
    const std::vector<float> values = make_rows(0.0, draws);
    std::vector<float> row(draws);
    std::size_t next = 0;
    for (auto _ : state) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(next * draws), draws, row.begin());
        std::sort(row.begin(), row.end());
        benchmark::DoNotOptimize(row.data());
        next = (next + 1) % rows;
    }
}

}  // namespace

void register_rows() {
    for (const math::SimdLevel level : math::available_simd_levels()) {
        const std::string suffix = "/" + std::string(math::to_string(level));
        for (const std::size_t draws : {128, 1000}) {
            const std::string size = "/S" + std::to_string(draws);
            benchmark::RegisterBenchmark(("rows/dense" + size + suffix).c_str(), run, 0.0, draws, "report", level);
            benchmark::RegisterBenchmark(("rows/zeros60" + size + suffix).c_str(), run, 0.6, draws, "report", level);
            benchmark::RegisterBenchmark(("rows/quiet" + size + suffix).c_str(), run, 0.9995, draws, "report", level);
        }
        benchmark::RegisterBenchmark(("rows/delivery/S1000" + suffix).c_str(), run, 0.6, 1000, "delivery", level);
    }
    benchmark::RegisterBenchmark("rows/std_sort/S1000", standard_sort, 1000);
}

}  // namespace aliquot::bench
