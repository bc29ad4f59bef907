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

constexpr double edge_mass = 0.0015;  // beyond each end of the central 99.7 %

constexpr std::size_t many_live_points = 3000;

/// Posterior mass of parameter p beyond `truth`, on the side where there is less.
double tail_of(const Fit& fit, std::size_t p, double truth) {
    double below = 0.0;
    for (std::size_t i = 0; i < fit.run.log_weight.size(); ++i)
        below += fit.run.samples(i, p) < truth ? std::exp(fit.run.log_weight[i]) : 0.0;
    return std::min(below, 1.0 - below);
}

/// Twenty mock spectra, seeds 1 to 20, fitted by examples/mock.toml: the truth lies inside the central 99.7 % of all 240 marginal
/// posteriors, to the Monte Carlo error of the intervals' ends. (By chance alone 0.7 of 240 independent ones would lie outside:
/// the seeds are fixed.) A fit in which it does not is made again with so many live points that the error is small. Coverage of
/// the 68 % intervals: were the twelve parameters of a spectrum worth three independent ones, it scatters by 0.06; five standard
/// errors are allowed.
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
        const FitConfig fit_config = read_fit_config(config, scratch / "");
        FitOptions options = fit_config.options;
        options.sampler.seed = seed;
        const Fit fit = run_fit(fit_config.model, fit_config.spectrum, options, threads, {}, {});
        ASSERT_EQ(fit.parameters.size(), mock.truth.size());
        std::vector<std::size_t> doubtful;
        for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
            ASSERT_EQ(fit.parameters[p].name, mock.truth[p].first);
            const double truth = mock.truth[p].second;
            if (tail_of(fit, p, truth) < edge_mass) doubtful.push_back(p);
            covered += truth >= fit.parameters[p].p16 && truth <= fit.parameters[p].p84 ? 1.0 : 0.0;
            ++total;
        }
        if (doubtful.empty()) continue;
        options.sampler.live_points = many_live_points;
        const Fit large = run_fit(fit_config.model, fit_config.spectrum, options, threads, {}, {});
        const double monte_carlo = std::sqrt(edge_mass / large.run.diagnostics.effective_samples);
        for (const std::size_t p : doubtful) {
            const double tail = tail_of(large, p, mock.truth[p].second);
            std::printf("seed %llu: %s has a mass of %.5f beyond the truth, %.5f +- %.5f would be the edge\n",
                        static_cast<unsigned long long>(seed), fit.parameters[p].name.c_str(), tail, edge_mass, monte_carlo);
            outside += tail < edge_mass - monte_carlo ? 1 : 0;
        }
    }
    EXPECT_EQ(outside, 0U);
    const double coverage = covered / static_cast<double>(total);
    std::printf("68 %% intervals cover %.1f %% of %zu true values\n", 100.0 * coverage, total);
    EXPECT_NEAR(coverage, 0.68, 5.0 * 0.47 / std::sqrt(20.0 * 3.0));
}

}  // namespace
}  // namespace aliquot::spectra
