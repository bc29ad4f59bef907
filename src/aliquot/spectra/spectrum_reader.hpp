#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "aliquot/spectra/spectrum.hpp"

namespace aliquot::spectra {

enum class SpectrumFormat {
    automatic,   ///< by content: SDSS, a FITS image, a FITS table, else text
    sdss,        ///< spec-PPPP-MMMMM-FFFF.fits: coadd flux (1e-17), loglam (vacuum, observed), ivar; redshift from HDU 2
    fits_image,  ///< one-dimensional image with a linear or log10 wavelength axis
    fits_table,  ///< columns of a FITS table
    ascii        ///< CSV, ECSV, IPAC, CDS or plain columns
};

/// How to read a spectrum; what is left out follows from the file.
struct ReadOptions {
    SpectrumFormat format = SpectrumFormat::automatic;
    std::optional<std::size_t> hdu;  ///< counted from 0
    std::string wavelength;          ///< column, by name or number from 1; "" = a usual name
    std::string flux;
    std::string error;
    std::string wavelength_unit;         ///< "angstrom", "nm", "micron"; "" = the file's, else angstrom
    std::optional<bool> log_wavelength;  ///< the wavelength is log10
    std::uint32_t mask_bits = 0;         ///< pixels with any of these bits in and_mask are dropped (SDSS)
    std::optional<Medium> medium;        ///< what the wavelengths are; SDSS says vacuum, elsewhere vacuum is assumed and said
    Frame frame = Frame::observed;
};

/// Read a spectrum, sorted by wavelength. Pixels that the file marks as bad keep their place with a NaN error, so that prepare()
/// drops and counts them. Throws DataError (missing file, not FITS, truncated, no such column, wavelengths that repeat) and
/// ConfigError (format unknown here).
[[nodiscard]] Spectrum read_spectrum(const std::string& path, const ReadOptions& options);

/// "auto", "sdss", "fits-image", "fits-table", "ascii"; throws ConfigError offering the nearest.
[[nodiscard]] SpectrumFormat parse_spectrum_format(const std::string& name);

}  // namespace aliquot::spectra
