#include <cstdlib>
#include <filesystem>

#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/problem.hpp"
#include "evidence/problems.hpp"

namespace aliquot::bench {

namespace {

/// A SpectralProblem that owns what it refers to.
class ExampleProblem final : public infer::Problem {
  public:
    explicit ExampleProblem(spectra::FitConfig fit) : fit_(std::move(fit)), problem_(*fit_.model, fit_.spectrum) {}
    [[nodiscard]] std::size_t dimension() const override { return problem_.dimension(); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        problem_.transform(unit, parameters);
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        problem_.log_likelihood(parameters, values);
    }
    [[nodiscard]] const infer::AmplitudeBlock* amplitudes() const override { return problem_.amplitudes(); }
    [[nodiscard]] std::optional<double> amplitude_form(std::span<const double> parameters,
                                                       std::span<double> form) const override {
        return problem_.amplitude_form(parameters, form);
    }

  private:
    spectra::FitConfig fit_;
    spectra::SpectralProblem problem_;
};

}  // namespace

std::vector<EvidenceProblem> spectral_problems() {
    const char* named = std::getenv("ALIQUOT_TEST_DATA");
    const std::filesystem::path data = named != nullptr ? named : ALIQUOT_DEFAULT_TEST_DATA;
    if (!std::filesystem::exists(data / "ir07546sed.fits")) return {};
    const auto example = [data](const char* file) {
        return [=]() -> std::unique_ptr<infer::Problem> {
            const auto config = io::Config::parse_file(std::filesystem::path(ALIQUOT_EXAMPLES) / file);
            return std::make_unique<ExampleProblem>(spectra::read_fit_config(config, data));
        };
    };
    // Truths by importance sampling with an independent code, spec/spectra.md section 10.4.
    return {{"oiii_1x", 400, 0.01, 8238.836, 0.005, example("oiii.toml")},
            {"oiii_8x", 400, 0.01, 41695.727, 0.007, example("oiii_8x.toml")},
            // No independent code has this one: the mean of our own importance sampling over 10 seeds, for the scatter.
            {"agn_22", 440, 0.01, 123008.131, 0.003, example("agn_22.toml")}};
}

}  // namespace aliquot::bench
