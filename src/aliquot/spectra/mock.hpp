#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

/// A synthetic spectrum with the values it was made from.
struct Mock {
    Spectrum spectrum;
    std::vector<std::pair<std::string, double>> truth;  ///< "OIII.amp_c0" and so on: every parameter that is not tied or fixed
};

/// A Seyfert 1 around H beta and [O III] as SDSS would sample it: rest wavelength 4600-5200 Angstrom in steps of 1e-4 dex,
/// vacuum, a power law, broad and narrow H beta and the [O III] doublet with a blue wing; Gaussian errors of 0.015 (1 +
/// sqrt(flux)). The noise depends on the seed, the truth does not. It is the model of examples/mock.toml.
[[nodiscard]] Mock mock_agn(std::uint64_t seed);

/// Write the spectrum as a FITS table (columns wavelength, flux, error) and the truth beside it as JSON, `path` with
/// ".truth.json" for its extension. Throws ResourceError.
void write_mock(const Mock& mock, std::uint64_t seed, const std::string& path);

}  // namespace aliquot::spectra
