#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aliquot::io {

/// How a text table is laid out.
enum class TextFormat {
    automatic,  ///< by content
    columns,    ///< values separated by blanks; # comments; names from a line of words or a comment line right above the data
    csv,        ///< comma-separated, quotes allowed, with or without a line of names
    ecsv,       ///< Astropy's ECSV: a YAML header in comments with names and units, then a line of names
    ipac,       ///< IPAC table: |names|, |types|, |units|, |nulls|
    cds         ///< CDS/MRT: a byte-by-byte description, then fixed columns
};

/// Columns of numbers. Missing cells (empty, nan, null, --, ..., the null a header states) are NaN, and so is a column of words.
struct TextTable {
    TextFormat layout = TextFormat::automatic;  ///< as found
    std::vector<std::string> names;             ///< one per column; "col1", "col2" where the file has none
    std::vector<std::string> units;             ///< one per column, "" where the file says nothing
    std::vector<std::vector<double>> columns;
    bool named = false;  ///< whether the file itself names its columns

    [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
    /// Index of a column named in any case (its exact name first), or numbered from 1 ("2"). Throws DataError naming `path` and
    /// the nearest name.
    [[nodiscard]] std::size_t find(std::string_view column, const std::string& path) const;
};

/// Parse the text of a table; `path` stands in messages. Throws DataError with path and line for a row whose cells do not fit,
/// and for a word in a column that holds numbers too.
[[nodiscard]] TextTable parse_text_table(std::string_view text, const std::string& path,
                                         TextFormat format = TextFormat::automatic);

/// Read and parse a file. Throws DataError (no input where it cannot be opened).
[[nodiscard]] TextTable read_text_table(const std::string& path, TextFormat format = TextFormat::automatic);

}  // namespace aliquot::io
