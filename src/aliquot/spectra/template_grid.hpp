#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aliquot/spectra/broadening_table.hpp"

namespace aliquot::spectra {

/// A template as it is broadened and projected: values on a grid of channels, normalised.
class TemplateGrid {
  public:
    TemplateGrid(std::vector<double> wavelength_angstrom, std::vector<double> value, double channel_km_s);

    [[nodiscard]] std::span<const double> wavelength() const { return wavelength_; }
    [[nodiscard]] std::span<const double> value() const { return value_; }
    /// Width of a channel, km/s.
    [[nodiscard]] double channel_km_s() const { return channel_km_s_; }
    /// The template broadened, at any width.
    [[nodiscard]] const BroadeningTable& broadening() const { return *broadening_; }

  private:
    std::vector<double> wavelength_;
    std::vector<double> value_;
    double channel_km_s_;
    std::shared_ptr<const BroadeningTable> broadening_;
};

/// A template spectrum as read from a file.
struct TemplateSpectrum {
    std::string name;
    std::vector<double> wavelength_angstrom;  ///< increasing
    std::vector<double> flux;
    std::vector<std::string> notes;  ///< what had to be said about the file
};

/// Read a template: CDS/MRT, IPAC, CSV/ECSV or two-column text; the first two columns are wavelength (Angstrom) and flux density.
/// Negative flux is set to zero and noted. Throws DataError (missing, malformed, fewer than 8 rows, wavelengths that do not
/// increase).
[[nodiscard]] TemplateSpectrum read_template(const std::string& path);

/// The template on its own grid, divided by its maximum in (4500, 5500) Angstrom (anywhere, where it has no value there). The
/// channel width is that of the first channel, as in the published IronTemplate: on an even wavelength grid 29 % too wide at the
/// red end.
[[nodiscard]] TemplateGrid tabulated_grid(const TemplateSpectrum& spectrum);

/// The template rebinned to even steps of ln(wavelength), flux density conserved (pixel borders half-way, the end ones
/// extrapolated by half a pixel; as many channels as pixels), extended by zeros over 100 000 km/s on each side and normalised as
/// above.
[[nodiscard]] TemplateGrid logarithmic_grid(const TemplateSpectrum& spectrum);

/// A star rebinned as above to channels of `channel_km_s` (0: as many as pixels), without padding and divided by its maximum.
/// Throws ConfigError for channels wider than half of it.
[[nodiscard]] TemplateGrid star_grid(const TemplateSpectrum& spectrum, double channel_km_s);

/// `value` correlated with a Gaussian of `sigma` channels; beyond the ends the array is mirrored (d c b a | a b c d | d c b a).
[[nodiscard]] std::vector<double> gaussian_filter(std::span<const double> value, double sigma);

/// amplitude times the straight lines through (grid wavelength * stretch, value) at `wavelength`; `value` is held beyond its
/// ends.
void project(const TemplateGrid& grid, std::span<const double> value, double amplitude, double stretch,
             std::span<const double> wavelength, std::span<double> flux);

}  // namespace aliquot::spectra
