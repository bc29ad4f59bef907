#include <benchmark/benchmark.h>

#include <limits>
#include <memory>

#include "aliquot/cluster/cluster.hpp"
#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/phase_sampler.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double central_depth = 7.0;

void build(benchmark::State& state, double anisotropy_radius) {
    for (auto _ : state) {
        const cluster::LoweredModel model = cluster::LoweredModel::king(central_depth, anisotropy_radius);
        benchmark::DoNotOptimize(model.edge());
    }
    state.SetLabel("progenax's page: 2.6 s");
}

void tables(benchmark::State& state, double anisotropy_radius) {
    const cluster::LoweredModel model = cluster::LoweredModel::king(central_depth, anisotropy_radius);
    for (auto _ : state) {
        const cluster::PhaseSampler sampler(model, 0);
        benchmark::DoNotOptimize(sampler.table_bytes());
    }
}

/// Masses, positions and velocities of stars of one mass in the frame of their centre of mass, tables included.
void draw(benchmark::State& state, std::size_t count, double anisotropy_radius, std::size_t thread_count, const char* page) {
    cluster::ClusterSpec spec;
    spec.model = std::make_shared<cluster::LoweredModel>(cluster::LoweredModel::king(central_depth, anisotropy_radius));
    spec.stars = count;
    spec.masses = cluster::MassFunction::single(1.0);
    Threads threads(thread_count);
    const cluster::Cluster drawn(spec, 1, threads);
    for (auto _ : state) {
        const cluster::Stars stars = drawn.draw();
        benchmark::DoNotOptimize(stars.x.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    state.SetLabel(page);
}

}  // namespace

void register_clusters() {
    const auto milliseconds = [](benchmark::internal::Benchmark* b) { b->Unit(benchmark::kMillisecond)->UseRealTime(); };
    milliseconds(benchmark::RegisterBenchmark("cluster/build/isotropic", build, infinity));
    milliseconds(benchmark::RegisterBenchmark("cluster/build/anisotropic_10", build, 10.0));
    milliseconds(benchmark::RegisterBenchmark("cluster/build/anisotropic_5", build, 5.0));
    milliseconds(benchmark::RegisterBenchmark("cluster/tables/isotropic", tables, infinity));
    milliseconds(benchmark::RegisterBenchmark("cluster/tables/anisotropic_10", tables, 10.0));
    milliseconds(benchmark::RegisterBenchmark("cluster/draw/anisotropic/10000", draw, 10000, 10.0, 0, "progenax's page: 8.6 ms"));
    milliseconds(
        benchmark::RegisterBenchmark("cluster/draw/anisotropic/20000", draw, 20000, 10.0, 0, "progenax's page: 15.7 ms"));
    milliseconds(benchmark::RegisterBenchmark("cluster/draw/anisotropic/1000000", draw, 1000000, 10.0, 0, ""));
    milliseconds(benchmark::RegisterBenchmark("cluster/draw/anisotropic/1000000/1_thread", draw, 1000000, 10.0, 1, ""));
    milliseconds(benchmark::RegisterBenchmark("cluster/draw/isotropic/1000000", draw, 1000000, infinity, 0, ""));
}

}  // namespace aliquot::bench
