#include "aliquot/io/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"

namespace aliquot::io {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Line {
    std::size_t number;
    std::string_view text;
};

std::string_view trim(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())) != 0)
        s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())) != 0)
        s.remove_suffix(1);
    return s;
}

std::vector<Line> split_lines(std::string_view text) {
    std::vector<Line> lines;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back({++number, line});
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

std::vector<std::string_view> split_blanks(std::string_view line) {
    std::vector<std::string_view> cells;
    std::size_t at = 0;
    while (at < line.size()) {
        while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at])) != 0)
            ++at;
        const std::size_t start = at;
        while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at])) == 0)
            ++at;
        if (at > start) cells.push_back(line.substr(start, at - start));
    }
    return cells;
}

/// Cells between separators; "quoted" cells may hold the separator, and lose their quotes.
std::vector<std::string_view> split_cells(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    std::size_t start = 0;
    bool quoted = false;
    for (std::size_t at = 0; at <= line.size(); ++at) {
        if (at < line.size() && line[at] == '"') quoted = !quoted;
        if (at < line.size() && (line[at] != separator || quoted)) continue;
        std::string_view cell = trim(line.substr(start, at - start));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
        cells.push_back(cell);
        start = at + 1;
    }
    return cells;
}

/// A number, or nothing for a cell that is none. Empty cells, "null", "nan" and "--" count as missing numbers.
bool parse_number(std::string_view cell, double& value) {
    cell = trim(cell);
    std::string lower(cell);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    if (lower.empty() || lower == "null" || lower == "nan" || lower == "--" || lower == "n/a") {
        value = missing;
        return true;
    }
    const char* first = lower.data() + (lower.front() == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(first, lower.data() + lower.size(), value);
    if (error == std::errc::result_out_of_range && end == lower.data() + lower.size()) {
        value = std::strtod(lower.c_str(), nullptr);  // an underflow is a very small number, not a fault
        return true;
    }
    return error == std::errc{} && end == lower.data() + lower.size();
}

/// Gathers rows of cells; a column of text becomes NaN throughout.
class Rows {
  public:
    Rows(const std::string& path, TextTable& table) : path_(path), table_(table) {}

    void add(std::size_t line, const std::vector<std::string_view>& cells) {
        if (table_.columns.empty()) {
            table_.columns.resize(table_.names.empty() ? cells.size() : table_.names.size());
            numeric_.assign(table_.columns.size(), false);
            first_text_line_.assign(table_.columns.size(), 0);
        }
        if (cells.size() != table_.columns.size())
            throw DataError(
                format("{}:{}: {} cells where {} columns are expected (the row is cut or has extra cells): repair the line",
                       path_, line, cells.size(), table_.columns.size()));
        for (std::size_t c = 0; c < cells.size(); ++c) {
            double value = missing;
            if (parse_number(cells[c], value)) {
                numeric_[c] = numeric_[c] || !std::isnan(value);
            } else if (first_text_line_[c] == 0) {
                first_text_line_[c] = line;
                first_text_.resize(table_.columns.size());
                first_text_[c] = std::string(cells[c]);
            }
            table_.columns[c].push_back(value);
        }
    }

    void finish() {
        if (table_.columns.empty() || table_.rows() == 0)
            throw DataError(
                format("{}: no row of numbers (an empty or a foreign file): give a table with at least one row", path_));
        for (std::size_t c = 0; c < table_.columns.size(); ++c) {
            if (numeric_[c] && first_text_line_[c] != 0)
                throw DataError(format("{}:{}: \"{}\" in column {} (not a number): repair the cell", path_, first_text_line_[c],
                                       first_text_[c].substr(0, 40), c + 1));
        }
        while (table_.names.size() < table_.columns.size())
            table_.names.push_back(format("col{}", table_.names.size() + 1));
        table_.units.resize(table_.columns.size());
    }

  private:
    const std::string& path_;
    TextTable& table_;
    std::vector<bool> numeric_;
    std::vector<std::size_t> first_text_line_;
    std::vector<std::string> first_text_;
};

void parse_columns(const std::vector<Line>& lines, const std::string& path, TextTable& table) {
    Rows rows(path, table);
    std::vector<std::string_view> last_comment;
    bool begun = false;
    for (const Line& line : lines) {
        const std::string_view text = trim(line.text);
        if (text.empty()) continue;
        if (text.front() == '#') {
            if (!begun) last_comment = split_blanks(trim(text.substr(1)));
            continue;
        }
        std::vector<std::string_view> cells = split_blanks(text);
        double value = 0.0;
        if (!begun && !parse_number(cells.front(), value)) {  // a line of names without a comment sign
            last_comment = cells;
            continue;
        }
        if (!begun && last_comment.size() == cells.size()) table.names.assign(last_comment.begin(), last_comment.end());
        begun = true;
        rows.add(line.number, cells);
    }
    rows.finish();
}

/// The value behind "key:" in a line of ECSV's YAML header, "" where the key is not there.
std::string yaml_value(std::string_view line, std::string_view key) {
    const std::size_t at = line.find(std::string(key) + ":");
    if (at == std::string_view::npos || (at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0)) return "";
    std::string_view rest = trim(line.substr(at + key.size() + 1));
    if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"')) {
        const std::size_t end = rest.find(rest.front(), 1);
        return std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(trim(rest.substr(0, rest.find_first_of(",}"))));
}

void parse_separated(const std::vector<Line>& lines, const std::string& path, TextTable& table) {
    Rows rows(path, table);
    std::vector<std::pair<std::string, std::string>> units;
    char separator = table.layout == TextFormat::ecsv ? ' ' : ',';
    for (const Line& line : lines) {
        const std::string_view text = trim(line.text);
        if (text.empty()) continue;
        if (text.front() == '#') {
            if (const std::string name = yaml_value(text, "name"); !name.empty())
                units.emplace_back(name, yaml_value(text, "unit"));
            if (text.find("delimiter:") != std::string_view::npos) separator = ',';
            continue;
        }
        const std::vector<std::string_view> cells = separator == ' ' ? split_blanks(text) : split_cells(text, separator);
        if (table.names.empty()) {
            double value = 0.0;
            const bool all_numbers =
                std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) { return parse_number(cell, value); });
            if (!all_numbers) {
                table.names.assign(cells.begin(), cells.end());
                continue;
            }
        }
        rows.add(line.number, cells);
    }
    rows.finish();
    for (std::size_t c = 0; c < table.names.size(); ++c) {
        for (const auto& [name, unit] : units) {
            if (name == table.names[c]) table.units[c] = unit;
        }
    }
}

void parse_ipac(const std::vector<Line>& lines, const std::string& path, TextTable& table) {
    Rows rows(path, table);
    std::vector<std::vector<std::string>> header;
    for (const Line& line : lines) {
        const std::string_view text = trim(line.text);
        if (text.empty() || text.front() == '\\') continue;
        if (text.front() == '|') {
            std::vector<std::string> cells;
            for (const std::string_view cell : split_cells(text.substr(1, text.size() - (text.back() == '|' ? 2 : 1)), '|'))
                cells.emplace_back(cell);
            header.push_back(std::move(cells));
            continue;
        }
        if (table.names.empty() && !header.empty()) {
            table.names = header[0];
            if (header.size() > 2) table.units = header[2];
        }
        rows.add(line.number, split_blanks(text));
    }
    rows.finish();
}

/// A column of a CDS byte-by-byte description: bytes [first, last], counted from 1.
struct CdsColumn {
    std::size_t first;
    std::size_t last;
};

void parse_cds(const std::vector<Line>& lines, const std::string& path, TextTable& table) {
    std::vector<CdsColumn> columns;
    std::size_t row = 0;
    while (row < lines.size() && lines[row].text.find("Byte-by-byte") == std::string_view::npos)
        ++row;
    std::size_t rules = 0;
    for (; row < lines.size() && rules < 3; ++row) {
        const std::string_view text = lines[row].text;
        if (text.starts_with("-----") || text.starts_with("=====")) {
            ++rules;
            continue;
        }
        if (rules != 2) continue;
        // "  6- 12 F7.5   unit   Label  explanation", or "  4  A1 ..." for a single byte
        std::string spaced(text);
        const std::size_t dash = spaced.find('-');
        if (dash != std::string::npos && dash < 12) spaced[dash] = ' ';
        const std::vector<std::string_view> cells = split_blanks(spaced);
        double first = 0.0;
        double last = 0.0;
        if (cells.size() < 4 || !parse_number(cells[0], first) || std::isnan(first)) continue;
        const bool range = dash != std::string::npos && dash < 12 && parse_number(cells[1], last) && !std::isnan(last);
        if (cells.size() < (range ? 5U : 4U)) continue;
        columns.push_back({static_cast<std::size_t>(first), static_cast<std::size_t>(range ? last : first)});
        table.names.emplace_back(cells[range ? 4 : 3]);
        table.units.emplace_back(cells[range ? 3 : 2] == "---" ? "" : cells[range ? 3 : 2]);
    }
    if (columns.empty())
        throw DataError(format("{}: a CDS table whose byte-by-byte description lists no column: repair the header", path));
    // Notes may stand between the description and the data, closed by a rule of their own.
    std::size_t begin = row;
    for (std::size_t i = row; i < lines.size(); ++i) {
        if (lines[i].text.starts_with("-----") || lines[i].text.starts_with("=====")) begin = i + 1;
    }
    Rows rows(path, table);
    for (std::size_t i = begin; i < lines.size(); ++i) {
        if (trim(lines[i].text).empty()) continue;
        std::vector<std::string_view> cells;
        for (const CdsColumn& column : columns) {
            const std::size_t at = std::min(column.first - 1, lines[i].text.size());
            cells.push_back(trim(lines[i].text.substr(at, column.last - column.first + 1)));
        }
        rows.add(lines[i].number, cells);
    }
    rows.finish();
}

TextFormat guess(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        const std::string_view text = trim(line.text);
        if (text.empty()) continue;
        if (text.starts_with("# %ECSV")) return TextFormat::ecsv;
        if (text.front() == '|' || text.front() == '\\') return TextFormat::ipac;
        if (text.starts_with("Title:") || text.find("Byte-by-byte") != std::string_view::npos) return TextFormat::cds;
        if (text.front() == '#') continue;
        return text.find(',') != std::string_view::npos ? TextFormat::csv : TextFormat::columns;
    }
    return TextFormat::columns;
}

}  // namespace

std::size_t TextTable::find(std::string_view column, const std::string& path) const {
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (edit_distance(names[c], column) == 0) return c;
    }
    double number = 0.0;
    if (parse_number(column, number) && number >= 1.0 && number <= static_cast<double>(columns.size()) &&
        number == std::floor(number))
        return static_cast<std::size_t>(number) - 1;
    throw DataError(format("{}: no column \"{}\"{}", path, column, suggest(column, names)));
}

TextTable parse_text_table(std::string_view text, const std::string& path, TextFormat wanted) {
    const std::vector<Line> lines = split_lines(text);
    TextTable table;
    table.layout = wanted == TextFormat::automatic ? guess(lines) : wanted;
    switch (table.layout) {
        case TextFormat::csv:
        case TextFormat::ecsv:
            parse_separated(lines, path, table);
            break;
        case TextFormat::ipac:
            parse_ipac(lines, path, table);
            break;
        case TextFormat::cds:
            parse_cds(lines, path, table);
            break;
        case TextFormat::columns:
        case TextFormat::automatic:
            parse_columns(lines, path, table);
            break;
    }
    return table;
}

TextTable read_text_table(const std::string& path, TextFormat wanted) {
    return parse_text_table(read_file(path), path, wanted);
}

}  // namespace aliquot::io
