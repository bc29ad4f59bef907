#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aliquot::io {

enum class TextFormat {
    automatic,   ///< told by the content
    csv,         ///< comma separated, quotes allowed, with or without a line of names
    ecsv,        ///< astropy's Enhanced CSV: YAML header with names and units
    whitespace,  ///< columns parted by blanks or tabs, names in a first or a last commented line if anywhere
    cds,         ///< CDS / AAS machine-readable table with a byte-by-byte description
    ipac         ///< IPAC table with |names|, |types|, |units| and |nulls|
};

/// A column of a text table. Its numbers are NaN where a cell is missing (empty, nan, null, --, ... and the like) or is not a
/// number; in the second case the first such cell is kept, and asking the table for the column's numbers fails with it.
struct TextColumn {
    std::string name;  ///< "col1", "col2", ... where the file names none
    std::string unit;  ///< "" where the file gives none
    std::vector<double> values;
    std::string first_text;
    std::size_t first_text_line = 0;  ///< 0: every cell is a number or missing
};

/// A table of numbers read from a text file, whatever its format.
class TextTable {
  public:
    TextTable(std::string source, TextFormat format, bool named, std::vector<TextColumn> columns);

    [[nodiscard]] const std::string& source() const { return source_; }
    [[nodiscard]] TextFormat format() const { return format_; }
    /// Whether the file itself names its columns.
    [[nodiscard]] bool named() const { return named_; }
    [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().values.size(); }
    [[nodiscard]] const std::vector<TextColumn>& columns() const { return columns_; }
    [[nodiscard]] std::vector<std::string> names() const;
    /// Index of a column given by name (case ignored where that leaves no doubt) or by number counted from 1. DataError naming
    /// the nearest name where there is none.
    [[nodiscard]] std::size_t index(std::string_view column) const;
    /// A column's numbers. DataError with file and line where a cell is neither a number nor missing.
    [[nodiscard]] const std::vector<double>& numbers(std::string_view column) const;
    [[nodiscard]] const std::vector<double>& numbers(std::size_t index) const;

  private:
    std::string source_;
    TextFormat format_;
    bool named_;
    std::vector<TextColumn> columns_;
};

/// Read a table. DataError: no_input where the file is missing; file and line where a line does not fit the table.
[[nodiscard]] TextTable read_text_table(const std::filesystem::path& path, TextFormat format = TextFormat::automatic);
/// The same from a text; `source` stands for the file in messages.
[[nodiscard]] TextTable parse_text_table(std::string_view text, const std::string& source,
                                         TextFormat format = TextFormat::automatic);

/// A column to write to a text file.
struct TextOutput {
    std::string name;
    std::string unit;
    std::vector<double> values;
};

/// The columns as CSV (names only) or ECSV (astropy reads units back); numbers are the shortest that come back bit for bit.
[[nodiscard]] std::string to_csv(const std::vector<TextOutput>& columns);
[[nodiscard]] std::string to_ecsv(const std::vector<TextOutput>& columns);

}  // namespace aliquot::io
