#include "aliquot/io/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::io {

namespace {

TextFormat sniff(const std::vector<detail::Line>& lines) {
    for (const detail::Line& line : lines) {
        if (line.text.starts_with("# %ECSV")) return TextFormat::ecsv;
        if (line.text.starts_with('|')) return TextFormat::ipac;
        if (!detail::trim(line.text).empty() && !line.text.starts_with('\\')) break;
    }
    for (const detail::Line& line : lines) {
        if (line.text.find("Byte-by-byte Description") != std::string_view::npos) return TextFormat::cds;
    }
    for (const detail::Line& line : lines) {
        const std::string_view text = detail::trim(line.text);
        if (text.empty() || text.starts_with('#')) continue;
        return text.find(',') != std::string_view::npos ? TextFormat::csv : TextFormat::whitespace;
    }
    return TextFormat::whitespace;
}

bool same_letters(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\" \t") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string yaml_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + '\'';
}

}  // namespace

TextTable::TextTable(std::string source, TextFormat format, bool named, std::vector<TextColumn> columns)
    : source_(std::move(source)), format_(format), named_(named), columns_(std::move(columns)) {}

std::vector<std::string> TextTable::names() const {
    std::vector<std::string> names;
    for (const TextColumn& column : columns_)
        names.push_back(column.name);
    return names;
}

std::size_t TextTable::index(std::string_view column) const {
    const auto exact = std::ranges::find(columns_, column, &TextColumn::name);
    if (exact != columns_.end()) return static_cast<std::size_t>(exact - columns_.begin());
    const auto alike = [&](const TextColumn& candidate) { return same_letters(candidate.name, column); };
    if (std::ranges::count_if(columns_, alike) == 1)
        return static_cast<std::size_t>(std::ranges::find_if(columns_, alike) - columns_.begin());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (error == std::errc() && end == column.data() + column.size()) {
        if (number >= 1 && number <= columns_.size()) return number - 1;
        throw DataError(aliquot::format("{}: no column {} (the table has {}, counted from 1): name another", source_, column,
                                        columns_.size()));
    }
    throw DataError(aliquot::format("{}: no column \"{}\"{}", source_, column, suggest(column, names())));
}

const std::vector<double>& TextTable::numbers(std::string_view column) const {
    return numbers(index(column));
}

const std::vector<double>& TextTable::numbers(std::size_t index) const {
    ALIQUOT_EXPECT(index < columns_.size());
    const TextColumn& column = columns_[index];
    if (column.first_text_line != 0)
        throw DataError(aliquot::format("{}:{}: \"{}\" in column {} (not a number): correct the cell or name another column",
                                        source_, column.first_text_line, column.first_text, column.name));
    return column.values;
}

TextTable read_text_table(const std::filesystem::path& path, TextFormat format) {
    return parse_text_table(read_file(path), path.string(), format);
}

TextTable parse_text_table(std::string_view text, const std::string& source, TextFormat format) {
    if (text.find('\0') != std::string_view::npos)
        throw DataError(
            aliquot::format("{}: not a text file (it holds zero bytes): name another file or set another format", source));
    const std::vector<detail::Line> lines = detail::split_lines(text);
    switch (format == TextFormat::automatic ? sniff(lines) : format) {
        case TextFormat::ecsv:
            return detail::parse_ecsv(lines, source);
        case TextFormat::cds:
            return detail::parse_cds(lines, source);
        case TextFormat::ipac:
            return detail::parse_ipac(lines, source);
        case TextFormat::csv:
            return detail::parse_delimited(lines, source, TextFormat::csv);
        default:
            return detail::parse_delimited(lines, source, TextFormat::whitespace);
    }
}

std::string to_csv(const std::vector<TextOutput>& columns) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text += ',';
        text += csv_cell(columns[i].name);
    }
    text += '\n';
    for (std::size_t row = 0; !columns.empty() && row < columns.front().values.size(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            ALIQUOT_EXPECT(columns[i].values.size() == columns.front().values.size());
            text += format("{}{}", i == 0 ? "" : ",", columns[i].values[row]);
        }
        text += '\n';
    }
    return text;
}

std::string to_ecsv(const std::vector<TextOutput>& columns) {
    std::string text = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n";
    for (const TextOutput& column : columns) {
        text += "# - {name: " + yaml_quoted(column.name);
        if (!column.unit.empty()) text += ", unit: " + yaml_quoted(column.unit);
        text += ", datatype: float64}\n";
    }
    return text + "# schema: astropy-2.0\n" + to_csv(columns);
}

}  // namespace aliquot::io
