#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aliquot::spectra {

enum class Frame { observed, rest };
enum class Medium { vacuum, air };

/// A one-dimensional spectrum, ready to fit or on its way there. Wavelengths increase strictly.
struct Spectrum {
    std::vector<double> wavelength_angstrom;
    std::vector<double> flux;  ///< flux density, in `flux_unit`
    std::vector<double>
        error;  ///< 1-sigma error in the unit of `flux`; empty where the file has none and no error model was applied yet
    std::string flux_unit;    ///< FITS unit string of `flux` as it is now, "1e-17 erg/s/cm2/A"; "" where the file says nothing
    double flux_scale = 1.0;  ///< factor the file's numbers were multiplied by, which `flux_unit` knows of
    Frame frame = Frame::observed;
    Medium medium = Medium::vacuum;
    double redshift = 0.0;             ///< of the source; the one the wavelengths were divided by where frame is rest
    std::string source;                ///< file it came from
    std::vector<std::string> history;  ///< what was done, one sentence per step, in order

    [[nodiscard]] std::size_t size() const { return wavelength_angstrom.size(); }
};

}  // namespace aliquot::spectra
