#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/io/number_type.hpp"

namespace aliquot::io {

enum class FitsKind { image, table };

/// Where an array of numbers lies in a FITS file, for readers that fetch parts of it themselves.
struct FitsArray {
    NumberType type;
    std::uint64_t offset = 0;      ///< of the first number
    std::uint64_t row_stride = 0;  ///< bytes from a row to the next
    std::size_t rows = 0;
    std::size_t columns = 0;
};

/// Reads a FITS file (plain or gzip). HDUs are counted from 0, as astropy counts them; names of HDUs, keys and columns are taken
/// in any case. A fault in the file is a DataError that names file and HDU; opening refuses what is missing (no_input), not FITS,
/// or shorter than its headers say.
class FitsReader {
  public:
    explicit FitsReader(const std::filesystem::path& path);
    ~FitsReader();
    FitsReader(FitsReader&&) noexcept;
    FitsReader& operator=(FitsReader&&) noexcept;

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] std::size_t hdu_count() const;
    [[nodiscard]] FitsKind kind(std::size_t hdu) const;
    /// EXTNAME, or "" where the HDU has none.
    [[nodiscard]] std::string name(std::size_t hdu) const;
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
    /// The HDU of that name; DataError naming the nearest one where there is none.
    [[nodiscard]] std::size_t require(std::string_view name) const;

    /// Header keys; nothing where the key is not there, DataError where it holds another type. Integers count as doubles, and the
    /// strings "nan", "inf" and "-inf", which FitsWriter writes for values that FITS cannot hold, do too.
    [[nodiscard]] std::optional<double> key_double(std::size_t hdu, const std::string& key) const;
    [[nodiscard]] std::optional<std::int64_t> key_integer(std::size_t hdu, const std::string& key) const;
    [[nodiscard]] std::optional<bool> key_bool(std::size_t hdu, const std::string& key) const;
    [[nodiscard]] std::optional<std::string> key_string(std::size_t hdu, const std::string& key) const;

    /// Lengths of an image's axes, slowest first (numpy's order); empty for an HDU without data.
    [[nodiscard]] std::vector<std::size_t> shape(std::size_t hdu) const;
    /// All pixels of an image as doubles (BSCALE and BZERO applied), last axis fastest.
    [[nodiscard]] std::vector<double> image(std::size_t hdu) const;
    /// Place of a two-dimensional image (rows, columns), or, where `column` is named, of the table column of that name whose
    /// cells are vectors. DataError where the numbers do not lie in the file as they are (compressed, scaled, variable length).
    [[nodiscard]] FitsArray place(std::size_t hdu, const std::string& column = "") const;
    /// All pixels of an image of unsigned bytes.
    [[nodiscard]] std::vector<std::uint8_t> bytes(std::size_t hdu) const;

    [[nodiscard]] std::size_t rows(std::size_t hdu) const;
    [[nodiscard]] std::vector<std::string> column_names(std::size_t hdu) const;
    /// TUNIT of a column, "" where it has none.
    [[nodiscard]] std::string column_unit(std::size_t hdu, std::string_view column) const;
    /// A column of one number per row as doubles; integers marked as undefined (TNULL) become NaN.
    [[nodiscard]] std::vector<double> column(std::size_t hdu, std::string_view column) const;
    [[nodiscard]] std::vector<std::int64_t> column_integers(std::size_t hdu, std::string_view column) const;
    [[nodiscard]] std::vector<bool> column_bools(std::size_t hdu, std::string_view column) const;
    [[nodiscard]] std::vector<std::string> column_strings(std::size_t hdu, std::string_view column) const;

  private:
    struct File;
    std::unique_ptr<File> file_;
};

/// A column to write: its values' type decides the FITS type (D, K, L, A). Text is cut to ASCII, see FitsWriter.
struct FitsColumn {
    std::string name;
    std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<bool>, std::vector<std::string>> values;
    std::string unit;
};

/// Name and FITS type of a column to be filled in parts: 'E' float32, 'K' int64.
struct FitsColumnType {
    std::string name;
    char type;
};

/// The value of a header card.
using FitsValue = std::variant<bool, std::int64_t, double, std::string>;

/// Writes a FITS file as one AtomicFile: an empty primary HDU with header cards, then named image and table HDUs. FITS text is
/// ASCII: other bytes are written as '?', so text that matters goes into a byte image. ResourceError where writing fails.
class FitsWriter {
  public:
    explicit FitsWriter(const std::filesystem::path& path);
    /// Leaves nothing behind unless close() was called.
    ~FitsWriter();
    FitsWriter(const FitsWriter&) = delete;
    FitsWriter& operator=(const FitsWriter&) = delete;

    /// A card of the primary header. Keys longer than eight characters use HIERARCH; text longer than a card is continued; a
    /// double that is not finite is written as the string "nan", "inf" or "-inf".
    void card(const std::string& key, const FitsValue& value, const std::string& comment = "");
    /// A one-dimensional float64 image.
    void image(const std::string& name, std::span<const double> values);
    /// A two-dimensional float64 image, NAXIS1 = columns.
    void image(const std::string& name, MatrixView<const double> values);
    /// A one-dimensional image of unsigned bytes.
    void bytes(const std::string& name, std::span<const std::uint8_t> values);
    /// A text as a byte image, as it is.
    void text(const std::string& name, std::string_view value);
    /// A binary table; all columns have the same length.
    void table(const std::string& name, std::span<const FitsColumn> columns);
    /// A binary table of `rows` rows, filled in parts by put().
    void begin_table(const std::string& name, std::span<const FitsColumnType> columns, std::size_t rows);
    /// Cells of a column (counted from 0) of the table begun last, from row `first` on.
    void put(std::size_t column, std::size_t first, std::span<const float> values);
    void put(std::size_t column, std::size_t first, std::span<const std::int64_t> values);
    /// Finish the file and put it in its place.
    void close();

  private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace aliquot::io
