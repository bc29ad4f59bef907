#include "aliquot/spectra/mock.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "aliquot/core/format.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/power_law.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::uint32_t noise_stream = 0x6d6f636bU;
constexpr double relative_error = 0.015;

/// Standard normal by Box and Muller.
double normal(RandomStream& random) {
    const double radius = std::sqrt(-2.0 * std::log(random.uniform()));
    return radius * std::cos(6.283185307179586 * random.uniform());
}

}  // namespace

Mock mock_agn(std::uint64_t seed) {
    Mock mock;
    Spectrum& s = mock.spectrum;
    for (double log_wavelength = std::log10(4600.0); log_wavelength < std::log10(5200.0); log_wavelength += 1e-4)
        s.wavelength_angstrom.push_back(std::pow(10.0, log_wavelength));
    s.flux_unit = "1e-15 erg / (s cm2 Angstrom)";
    s.frame = Frame::rest;
    s.medium = Medium::vacuum;
    s.source = format("mock agn, seed {}", seed);

    const std::vector<double> continuum{1.0, 5000.0, 1.2};
    const std::vector<double> broad{0.8, 120.0, 1800.0, 4862.683};
    const std::vector<double> narrow{0.35, -20.0, 180.0, 4862.683};
    const std::vector<double> oiii{3.0, 3.0 / 2.98, -20.0, 180.0, 5008.240, 4960.295, 0.25, -250.0, 450.0};
    mock.truth = {{"Continuum.amplitude", continuum[0]},
                  {"Continuum.alpha", continuum[2]},
                  {"bHb.amplitude", broad[0]},
                  {"bHb.dv", broad[1]},
                  {"bHb.sigma", broad[2]},
                  {"nHb.amplitude", narrow[0]},
                  {"OIII.amp_c0", oiii[0]},
                  {"OIII.dv_c", oiii[2]},
                  {"OIII.sigma_c", oiii[3]},
                  {"OIII.amp_w0", oiii[6]},
                  {"OIII.dv_w0", oiii[7]},
                  {"OIII.sigma_w0", oiii[8]}};

    s.flux.assign(s.size(), 0.0);
    std::vector<double> part(s.size());
    const auto add = [&](const Component& component, const std::vector<double>& values) {
        component.evaluate(s.wavelength_angstrom, values, part);
        for (std::size_t i = 0; i < part.size(); ++i)
            s.flux[i] += part[i];
    };
    add(PowerLaw(), continuum);
    add(LineGaussian(), broad);
    add(LineGaussian(), narrow);
    add(LineMultiGaussDoublet(2), oiii);
    for (std::size_t i = 0; i < s.size(); ++i) {
        RandomStream random(seed, noise_stream, i);
        s.error.push_back(relative_error * (1.0 + std::sqrt(s.flux[i])));
        s.flux[i] += s.error[i] * normal(random);
    }
    return mock;
}

void write_mock(const Mock& mock, std::uint64_t seed, const std::string& path) {
    io::FitsWriter file(path);
    file.card("ALIQUOT", std::string(version), "version of aliquot that made this file");
    file.card("OBJECT", std::string("mock AGN"));
    file.card("SEED", format("{}", seed), "of the noise");
    file.card("FRAME", std::string("rest"));
    file.card("MEDIUM", std::string("vacuum"));
    file.table("SPECTRUM", std::vector<io::FitsColumn>{{"wavelength", mock.spectrum.wavelength_angstrom, "Angstrom"},
                                                       {"flux", mock.spectrum.flux, "1e-15 erg/(s cm2 Angstrom)"},
                                                       {"error", mock.spectrum.error, "1e-15 erg/(s cm2 Angstrom)"}});
    file.close();
    nlohmann::ordered_json truth = {
        {"version", version}, {"kind", "agn"}, {"seed", seed}, {"parameters", nlohmann::ordered_json::object()}};
    for (const auto& [name, value] : mock.truth)
        truth["parameters"][name] = value;
    io::write_file(std::filesystem::path(path).replace_extension(".truth.json"), truth.dump(2) + "\n");
}

}  // namespace aliquot::spectra
