#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aliquot/cluster/stars.hpp"
#include "aliquot/cluster/units.hpp"

namespace aliquot::cluster {

/// What a file of stars says about itself.
struct SnapshotHeader {
    Units units;                  ///< of the numbers, with their constant of gravity
    std::size_t stars = 0;        ///< rows; the two components of a binary count as two
    std::size_t binaries = 0;     ///< the first 2 * binaries stars are components, side by side
    double length_unit_pc = 0.0;  ///< r_v in pc, the length of Henon units (RBAR of NBODY6); 0 where it is not known
    double mean_mass_msun = 0.0;  ///< total mass / stars in solar masses (ZMBAR of NBODY6); 0 where it is not known
    double virial_ratio = 0.5;    ///< T / |U| that control files ask for
    std::string description;      ///< one line: model, seed, program
};

/// Takes stars block by block, whatever the file's format, in memory that does not grow with their number. The file appears whole
/// or not at all: finish() puts it in its place, and without it nothing is left behind.
class StarSink {
  public:
    virtual ~StarSink() = default;
    /// Append stars, in the units of the header that the sink was opened with.
    virtual void write(const Stars& block) = 0;
    /// Write what is left and put the file in its place. As many stars as the header said must have come.
    virtual void finish() = 0;
};

/// Gives stars block by block. DataError, with file and line or row, for wrong column counts, what is not a number, NaN, infinity
/// and negative masses.
class StarSource {
  public:
    virtual ~StarSource() = default;
    /// `stars` is 0 where only reading tells their number.
    [[nodiscard]] virtual const SnapshotHeader& header() const = 0;
    /// Replace `block` by the next stars; false, and an empty block, after the last.
    virtual bool read(Stars& block) = 0;
};

/// Stars that sources give and sinks ask for at a time.
inline constexpr std::size_t snapshot_block = 8192;

/// "csv", "ecsv", "amuse", "nbody6", "nbody6++", "petar", "petar-snapshot", "gadget".
[[nodiscard]] std::vector<std::string> snapshot_formats();

/// The format that a file's name stands for: .csv, .ecsv, .hdf5 or .h5 (gadget), .petar, fort.10 (nbody6), dat.10 (nbody6++).
/// ConfigError for any other name: the format has to be said.
[[nodiscard]] std::string snapshot_format_of(const std::string& path);

/// Open a file for writing; `format` "" = by the name. What a format needs beyond the seven columns it writes into a companion
/// beside the file: PATH.inp (nbody6, nbody6++), PATH.txt (petar). Formats with units of their own (nbody6 and nbody6++ Henon's,
/// petar Msun, pc, pc/Myr with its own G) convert: lengths and masses by units, velocities so that the virial ratio stays what it
/// was, and the companion says so. ConfigError where the header lacks what that needs.
[[nodiscard]] std::unique_ptr<StarSink> open_star_sink(const std::string& path, const std::string& format,
                                                       const SnapshotHeader& header);

/// Open a file for reading; `format` "" = by the name. `units` says what the numbers are in where the file does not, and wins
/// over what it says; a file that says nothing needs it (ConfigError).
[[nodiscard]] std::unique_ptr<StarSource> open_star_source(const std::string& path, const std::string& format,
                                                           const std::optional<Units>& units = std::nullopt);

/// All that is left of a source in memory.
[[nodiscard]] Stars read_stars(StarSource& source);

/// Factors from one header's units to other units: numbers there = factor * numbers here. Velocities are scaled so that v^2 / (G
/// m / r) and with it the virial ratio is kept whatever the two constants of gravity are. Henon units need the header's length
/// unit and mean mass: ConfigError where they are missing.
struct UnitChange {
    double length = 1.0;
    double mass = 1.0;
    double velocity = 1.0;
};
[[nodiscard]] UnitChange unit_change(const SnapshotHeader& from, const Units& to);

/// pc, Msun, pc/Myr with the constant of gravity that PeTar has built in (0.00449830997959438).
[[nodiscard]] Units petar_units();

}  // namespace aliquot::cluster
