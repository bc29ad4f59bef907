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

void TableBuilder::set_columns(const std::vector<std::string>& names, const std::vector<std::string>& units, bool named) {
    columns_.clear();
    for (std::size_t i = 0; i < names.size(); ++i) {
        columns_.emplace_back();
        columns_.back().name = names[i];
        if (i < units.size()) columns_.back().unit = units[i];
    }
    nulls_.assign(names.size(), "");
    named_ = named;
}

void TableBuilder::set_null(std::size_t column, std::string null) {
    nulls_.at(column) = std::move(null);
}

void TableBuilder::add_row(const std::vector<std::string>& cells, std::size_t line) {
    if (cells.size() != columns_.size())
        fail(line, format("{} values in this line (the table has {} columns): correct the line", cells.size(), columns_.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        TextColumn& column = columns_[i];
        double value = std::numeric_limits<double>::quiet_NaN();
        const bool null = is_missing(cells[i]) || (!nulls_[i].empty() && trim(cells[i]) == nulls_[i]);
        if (!null) {
            if (const auto number = parse_number(cells[i])) {
                value = *number;
            } else if (column.first_text_line == 0) {
                column.first_text = trim(cells[i]);
                column.first_text_line = line;
            }
        }
        column.values.push_back(value);
    }
}

void TableBuilder::fail(std::size_t line, const std::string& message) const {
    throw DataError(format("{}:{}: {}", source_, line, message));
}

TextTable TableBuilder::finish() {
    if (columns_.empty() || columns_.front().values.empty())
        throw DataError(
            format("{}: the table has no rows (nothing but header and comments was found): name another file", source_));
    return {std::move(source_), format_, named_, std::move(columns_)};
}

}  // namespace aliquot::io::detail
