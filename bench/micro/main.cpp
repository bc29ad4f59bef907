#include <benchmark/benchmark.h>

#include "micro/register.hpp"

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
    aliquot::bench::register_functions();
    aliquot::bench::register_likelihoods();
    aliquot::bench::register_clusters();
    aliquot::bench::register_pairs();
    aliquot::bench::register_rows();
    aliquot::bench::register_samplers();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
