#include "aliquot/io/text_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::io::detail {

namespace {

bool blank(char c) {
    return c == ' ' || c == '\t';
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return result;
}

}  // namespace

std::vector<Line> split_lines(std::string_view text) {
    std::vector<Line> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back({line, number});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string> split_blanks(std::string_view line) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < line.size();) {
        if (blank(line[i])) {
            ++i;
            continue;
        }
        const bool quoted = line[i] == '"';
        if (quoted) ++i;
        const std::size_t start = i;
        while (i < line.size() && (quoted ? line[i] != '"' : !blank(line[i])))
            ++i;
        cells.emplace_back(line.substr(start, i - start));
        if (quoted && i < line.size()) ++i;
    }
    return cells;
}

std::optional<std::vector<std::string>> split_delimited(std::string_view line, char delimiter) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    bool was_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += c;
            ++i;
        } else if (c == '"' && (quoted || trim(cells.back()).empty())) {
            quoted = !quoted;
            was_quoted = true;
        } else if (c == delimiter && !quoted) {
            if (!was_quoted) cells.back() = trim(cells.back());
            was_quoted = false;
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    if (quoted) return std::nullopt;
    if (!was_quoted) cells.back() = trim(cells.back());
    return cells;
}

bool is_missing(std::string_view cell) {
    static constexpr std::array<std::string_view, 10> names{"",   "nan", "null", "n/a",   "na",
                                                            "--", "---", "...",  "indef", "masked"};
    return std::ranges::find(names, lower(trim(cell))) != names.end();
}

std::optional<double> parse_number(std::string_view cell) {
    std::string text = lower(trim(cell));
    if (text == "true") return 1.0;
    if (text == "false") return 0.0;
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-' && text[1] != '+') text.erase(0, 1);
    if (text == "nan" || text == "-nan") return std::numeric_limits<double>::quiet_NaN();
    std::ranges::replace(text, 'd', 'e');  // Fortran's exponent letter
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc()) return value;
    const std::size_t exponent = text.find('e');
    if (error == std::errc::result_out_of_range && exponent != std::string::npos && text.find('-', exponent) != std::string::npos)
        return text.front() == '-' ? -0.0 : 0.0;
    return std::nullopt;
}

void TableBuilder::set_columns(std::vector<std::string> names, std::vector<std::string> units, bool named) {
    table_.columns.resize(names.size());
    table_.names = std::move(names);
    table_.units = std::move(units);
    table_.units.resize(table_.names.size());
    table_.named = named;
    cells_.resize(table_.names.size());
}

void TableBuilder::set_null(std::size_t column, std::string null) {
    cells_.at(column).null = std::move(null);
}

void TableBuilder::add_row(const std::vector<std::string>& cells, std::size_t line) {
    if (cells.size() != cells_.size())
        fail(line, format("{} cells (the table has {} columns): correct the line", cells.size(), cells_.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Cells& column = cells_[i];
        double value = std::numeric_limits<double>::quiet_NaN();
        const bool null = is_missing(cells[i]) || (!column.null.empty() && trim(cells[i]) == column.null);
        if (!null) {
            if (const auto number = parse_number(cells[i])) {
                value = *number;
                column.has_number = true;
            } else if (column.first_word_line == 0) {
                column.first_word = trim(cells[i]);
                column.first_word_line = line;
            }
        }
        table_.columns[i].push_back(value);
    }
}

void TableBuilder::fail(std::size_t line, const std::string& message) const {
    throw DataError(format("{}:{}: {}", path_, line, message));
}

TextTable TableBuilder::finish() {
    if (table_.rows() == 0)
        throw DataError(
            format("{}: the table has no rows (nothing but header and comments was found): name another file", path_));
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        if (cells_[i].has_number && cells_[i].first_word_line != 0)
            fail(cells_[i].first_word_line, format("\"{}\" in column {} (not a number, as the others are): correct the cell",
                                                   cells_[i].first_word.substr(0, 40), table_.names[i]));
    }
    return std::move(table_);
}

}  // namespace aliquot::io::detail
