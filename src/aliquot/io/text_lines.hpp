#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aliquot/io/text_table.hpp"

namespace aliquot::io::detail {

/// A line with its number in the file, counted from 1.
struct Line {
    std::string_view text;
    std::size_t number = 0;
};

/// The lines of a text, ends (LF, CRLF) cut off.
[[nodiscard]] std::vector<Line> split_lines(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);
/// Cells parted by blanks and tabs; "quoted cells" may hold blanks.
[[nodiscard]] std::vector<std::string> split_blanks(std::string_view line);
/// Cells parted by `delimiter`; "quoted cells" may hold it, "" is a quote. Nothing where a quote stays open.
[[nodiscard]] std::optional<std::vector<std::string>> split_delimited(std::string_view line, char delimiter);

/// Whether a cell says that there is no value.
[[nodiscard]] bool is_missing(std::string_view cell);
/// The number a cell holds ("1.5", "+2", "1.0D-3", "inf", "true"), or nothing.
[[nodiscard]] std::optional<double> parse_number(std::string_view cell);

/// Collects rows of cells into the columns of a table.
class TableBuilder {
  public:
    TableBuilder(std::string path, TextFormat layout) : path_(std::move(path)) { table_.layout = layout; }

    /// Name the columns; units may be fewer.
    void set_columns(std::vector<std::string> names, std::vector<std::string> units = {}, bool named = true);
    /// A further text that means "missing" in one column.
    void set_null(std::size_t column, std::string null);
    [[nodiscard]] bool has_columns() const { return !table_.names.empty(); }
    /// Add a row; DataError where the number of cells is wrong.
    void add_row(const std::vector<std::string>& cells, std::size_t line);
    /// Throw a DataError that begins with path and line.
    [[noreturn]] void fail(std::size_t line, const std::string& message) const;
    /// The table; DataError where it has no rows, or a word stands among numbers.
    [[nodiscard]] TextTable finish();

  private:
    /// What finish() needs to know of a column.
    struct Cells {
        std::string null;
        bool has_number = false;
        std::string first_word;
        std::size_t first_word_line = 0;
    };

    std::string path_;
    TextTable table_;
    std::vector<Cells> cells_;
};

[[nodiscard]] TextTable parse_delimited(const std::vector<Line>& lines, const std::string& path, TextFormat layout);
[[nodiscard]] TextTable parse_ecsv(const std::vector<Line>& lines, const std::string& path);
[[nodiscard]] TextTable parse_cds(const std::vector<Line>& lines, const std::string& path);
[[nodiscard]] TextTable parse_ipac(const std::vector<Line>& lines, const std::string& path);

}  // namespace aliquot::io::detail
