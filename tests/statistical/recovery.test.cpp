#include <gtest/gtest.h>

#include <cmath>

#include "aliquot/infer/posterior.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/fit.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/mock.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

/// Twenty mock spectra fitted by examples/mock.toml. With 12 parameters and 20 seeds the truth lies inside the central 99.7 % of
/// every parameter unless 240 draws of a 3-sigma event produce one (0.48 for independent parameters): the seeds are fixed, and
/// these are the first twenty. Coverage of the 68 % intervals is binomial with correlated parameters; each spectrum is one trial
/// of mean coverage, five standard errors wide.
TEST(Recovery, TheTruthOfTwentyMocksIsFound) {
    Threads threads;
    test::ScratchDirectory scratch;
    double covered = 0.0;
    std::size_t outside = 0;
    std::size_t total = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Mock mock = mock_agn(seed);
        write_mock(mock, seed, (scratch / "mock.fits").string());
        const io::Config config = io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / "mock.toml");
        FitConfig fit_config = read_fit_config(config, scratch / "");
        infer::NestedOptions options = fit_config.sampler;
        options.seed = seed;
        const Fit fit = run_fit(fit_config.model, std::move(fit_config.spectrum), options, threads, {}, {});
        ASSERT_EQ(fit.parameters.size(), mock.truth.size());
        for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
            ASSERT_EQ(fit.parameters[p].name, mock.truth[p].first);
            const double truth = mock.truth[p].second;
            const auto wide = infer::weighted_quantiles(infer::column(fit.run.samples, p), fit.run.log_weight,
                                                        std::vector<double>{0.0015, 0.9985});
            if (truth < wide[0] || truth > wide[1]) {
                ++outside;
                std::printf("seed %llu: %s = %g lies outside [%g, %g]\n", static_cast<unsigned long long>(seed),
                            fit.parameters[p].name.c_str(), truth, wide[0], wide[1]);
            }
            covered += truth >= fit.parameters[p].p16 && truth <= fit.parameters[p].p84 ? 1.0 : 0.0;
            ++total;
        }
    }
    EXPECT_EQ(outside, 0U);
    // Were all twelve parameters of a spectrum one, a seed's coverage would scatter by sqrt(0.68 0.32) = 0.47; 5 standard errors
    // of 20 seeds is the widest bound.
    const double coverage = covered / static_cast<double>(total);
    std::printf("68 %% intervals cover %.1f %% of %zu true values\n", 100.0 * coverage, total);
    EXPECT_NEAR(coverage, 0.68, 5.0 * 0.47 / std::sqrt(20.0 * 3.0));
}

}  // namespace
}  // namespace aliquot::spectra
