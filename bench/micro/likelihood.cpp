#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "micro/register.hpp"

namespace aliquot::bench {

namespace {

constexpr std::size_t batch = 16;

/// An example's problem and points of its prior shrunk around the middle: where a run spends most of its calls.
struct Work {
    spectra::FitConfig fit;
    Matrix<double> theta;
    std::unique_ptr<spectra::ChiSquare> chi_square;
};

using Make = std::unique_ptr<spectra::ChiSquare> (*)(const spectra::Model&, const spectra::Spectrum&);

std::unique_ptr<spectra::ChiSquare> dense(const spectra::Model& model, const spectra::Spectrum& s) {
    return spectra::make_dense_chi_square(model, s.wavelength_angstrom, s.flux, s.error);
}
std::unique_ptr<spectra::ChiSquare> chosen(const spectra::Model& model, const spectra::Spectrum& s) {
    return spectra::make_chi_square(model, s.wavelength_angstrom, s.flux, s.error);
}
std::unique_ptr<spectra::ChiSquare> tiles(const spectra::Model& model, const spectra::Spectrum& s) {
    return spectra::make_tile_chi_square(model, s.wavelength_angstrom, s.flux, s.error);
}

void run(benchmark::State& state, const std::string& example, Make make, const char* page) {
    const char* named = std::getenv("ALIQUOT_TEST_DATA");
    const std::filesystem::path data = named != nullptr ? named : ALIQUOT_DEFAULT_TEST_DATA;
    if (!std::filesystem::exists(data / "ir07546sed.fits")) {
        state.SkipWithError("test data not found: set ALIQUOT_TEST_DATA");
        return;
    }
    const spectra::FitConfig fit =
        spectra::read_fit_config(io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / example), data);
    const auto chi_square = make(*fit.model, fit.spectrum);
    Matrix<double> theta(0, fit.model->dimension());
    for (std::size_t p = 0; p < 16 * batch; ++p) {
        RandomStream random(1, 1, p);
        std::vector<double> row;
        for (const std::size_t i : fit.model->free())
            row.push_back(fit.model->parameters()[i].prior->transform(0.5 + 0.1 * (random.uniform() - 0.5)));
        theta.append_row(row);
    }
    std::vector<double> values(batch);
    std::size_t first = 0;
    while (state.KeepRunningBatch(batch)) {
        chi_square->evaluate(std::as_const(theta).view().middle_rows(first, batch), values);
        benchmark::DoNotOptimize(values.data());
        first = (first + batch) % theta.rows();
    }
    state.SetLabel(std::to_string(fit.spectrum.size()) + " px, " + chi_square->describe() + "; GalSpec's page: " + page);
}

}  // namespace

void register_likelihoods() {
    constexpr const char* p1 = "astropy 697 us, JAX on an RTX 4090 30 us (jit) and 13 us (vmap)";
    constexpr const char* p3 = "astropy 7663 us, JAX on an RTX 4090 192 us (jit) and 73 us (vmap)";
    benchmark::RegisterBenchmark("likelihood/P1", run, "oiii_8x.toml", chosen, p1)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("likelihood/P3", run, "full_39.toml", chosen, p3)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("likelihood/P1/tiles", run, "oiii_8x.toml", tiles, p1)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("likelihood/P3/tiles", run, "full_39.toml", tiles, p3)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("likelihood/P1/dense", run, "oiii_8x.toml", dense, p1)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("likelihood/P3/dense", run, "full_39.toml", dense, p3)->Unit(benchmark::kMicrosecond);
}

}  // namespace aliquot::bench
