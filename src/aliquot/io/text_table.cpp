#include "aliquot/io/text_table.hpp"

#include <algorithm>
#include <charconv>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::io {

namespace {

TextFormat guess(const std::vector<detail::Line>& lines) {
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
        return text.find(',') != std::string_view::npos ? TextFormat::csv : TextFormat::columns;
    }
    return TextFormat::columns;
}

}  // namespace

std::size_t TextTable::find(std::string_view column, const std::string& path) const {
    const auto exact = std::ranges::find(names, column);
    if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
    const auto alike = [&](const std::string& name) { return edit_distance(name, column) == 0; };
    const auto near = std::ranges::find_if(names, alike);
    if (near != names.end()) return static_cast<std::size_t>(near - names.begin());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (error == std::errc() && end == column.data() + column.size()) {
        if (number >= 1 && number <= columns.size()) return number - 1;
        throw DataError(
            format("{}: no column {} (the table has {}, counted from 1): name another", path, column, columns.size()));
    }
    throw DataError(format("{}: no column \"{}\"{}", path, column, suggest(column, names)));
}

TextTable read_text_table(const std::string& path, TextFormat format) {
    return parse_text_table(read_file(path), path, format);
}

TextTable parse_text_table(std::string_view text, const std::string& path, TextFormat format) {
    if (text.find('\0') != std::string_view::npos)
        throw DataError(
            aliquot::format("{}: not a text file (it holds zero bytes): name another file or set another format", path));
    const std::vector<detail::Line> lines = detail::split_lines(text);
    switch (format == TextFormat::automatic ? guess(lines) : format) {
        case TextFormat::ecsv:
            return detail::parse_ecsv(lines, path);
        case TextFormat::cds:
            return detail::parse_cds(lines, path);
        case TextFormat::ipac:
            return detail::parse_ipac(lines, path);
        case TextFormat::csv:
            return detail::parse_delimited(lines, path, TextFormat::csv);
        default:
            return detail::parse_delimited(lines, path, TextFormat::columns);
    }
}

}  // namespace aliquot::io
