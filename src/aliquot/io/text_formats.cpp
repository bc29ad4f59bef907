#include <algorithm>
#include <charconv>
#include <map>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::io::detail {

namespace {

bool comment(std::string_view line) {
    return line.starts_with('#');
}

/// Whether cells are names: some text and no number.
bool are_names(const std::vector<std::string>& cells) {
    bool text = false;
    for (const std::string& cell : cells) {
        if (parse_number(cell)) return false;
        text = text || !is_missing(cell);
    }
    return text;
}

std::vector<std::string> numbered_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= count; ++i)
        names.push_back(format("col{}", i));
    return names;
}

/// A YAML scalar without its quotes.
std::string yaml_scalar(std::string_view text) {
    text = trim(text);
    if (text.size() < 2 || text.front() != text.back() || (text.front() != '\'' && text.front() != '"')) return std::string(text);
    const char quote = text.front();
    std::string result;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == (quote == '\'' ? '\'' : '\\') && i + 2 < text.size()) ++i;
        result += text[i];
    }
    return result;
}

/// The entries of a YAML mapping, in flow ({a: b, c: d}) or block form (one a: b per line).
std::map<std::string, std::string> yaml_mapping(std::string_view text) {
    text = trim(text);
    const bool flow = text.starts_with('{') && text.ends_with('}');
    if (flow) text = text.substr(1, text.size() - 2);
    std::map<std::string, std::string> entries;
    const auto add = [&](std::string_view entry) {
        const std::size_t colon = entry.find(':');
        if (colon != std::string_view::npos) entries[yaml_scalar(entry.substr(0, colon))] = yaml_scalar(entry.substr(colon + 1));
    };
    int depth = 0;
    char quote = '\0';
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != '\0') {
            const bool doubled = quote == '\'' && c == quote && i + 1 < text.size() && text[i + 1] == quote;
            if (doubled || (quote == '"' && c == '\\')) {
                ++i;  // '' and \" do not end a quoted text
            } else if (c == quote) {
                quote = '\0';
            }
        } else if ((c == '\'' || c == '"') && (i == 0 || text[i - 1] == ' ')) {
            quote = c;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            --depth;
        } else if (depth == 0 && c == (flow ? ',' : '\n')) {
            add(text.substr(start, i - start));
            start = i + 1;
        }
    }
    add(text.substr(start));
    return entries;
}

struct EcsvHeader {
    char delimiter = ' ';
    std::map<std::string, std::string> units;  ///< by column name
};

EcsvHeader read_ecsv_header(const std::vector<Line>& lines) {
    EcsvHeader header;
    std::vector<std::string> items;
    bool in_columns = false;
    for (const Line& line : lines) {
        if (!comment(line.text)) break;
        std::string_view text = line.text.substr(1);
        if (text.starts_with(' ')) text.remove_prefix(1);
        if (text.starts_with("delimiter:")) {
            const std::string value = yaml_scalar(text.substr(10));
            if (value.size() == 1) header.delimiter = value.front();
        }
        if (text.starts_with("- ") && in_columns) {
            items.emplace_back(text.substr(2));
        } else if (text.starts_with(' ') && in_columns && !items.empty()) {
            items.back() += (trim(items.back()).starts_with('{') ? ' ' : '\n') + std::string(trim(text));
        } else {
            in_columns = text.starts_with("datatype:");
        }
    }
    for (const std::string& item : items) {
        auto entries = yaml_mapping(item);
        header.units[entries["name"]] = entries["unit"];
    }
    return header;
}

/// A field of a byte-by-byte description.
struct CdsField {
    std::size_t first = 0;  ///< counted from 0
    std::size_t last = 0;   ///< one past the end
    std::string unit;
    std::string label;
    std::string explanation;
};

/// Read "  1-  4 I4  0.1nm  Wave  Wavelength"; nothing for a line that continues an explanation.
std::optional<CdsField> parse_cds_field(std::string_view text) {
    const auto number = [&](std::size_t& value) {
        text = trim(text);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc()) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    };
    const auto word = [&] {
        text = trim(text);
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        const std::string result(text.substr(0, end));
        text.remove_prefix(end);
        return result;
    };
    CdsField field;
    if (!number(field.first)) return std::nullopt;
    field.last = field.first;
    text = trim(text);
    if (text.starts_with('-')) {
        text.remove_prefix(1);
        if (!number(field.last)) return std::nullopt;
    }
    constexpr std::size_t widest = 1000000;
    if (field.first == 0 || field.last < field.first || field.last > widest) return std::nullopt;
    --field.first;
    const std::string type = word();
    if (type.empty() || std::string_view("AIFEDLaifedl").find(type.front()) == std::string_view::npos) return std::nullopt;
    field.unit = word();
    if (field.unit == "---") field.unit.clear();
    field.label = word();
    field.explanation = trim(text);
    if (field.label.empty()) return std::nullopt;
    return field;
}

/// The text that stands for "no value" in a field ("?=-9.99 Magnitude"), "" where blanks do.
std::string cds_null(const CdsField& field) {
    const std::size_t mark = field.explanation.find("?=");
    if (mark == std::string::npos) return "";
    const std::size_t end = field.explanation.find_first_of(" ;,", mark);
    return field.explanation.substr(mark + 2, std::min(end, field.explanation.size()) - mark - 2);
}

}  // namespace

TextTable parse_delimited(const std::vector<Line>& lines, const std::string& path, TextFormat layout) {
    TableBuilder table(path, layout);
    const auto split = [&](const Line& line, std::string_view text) {
        if (layout == TextFormat::columns) return split_blanks(text);
        auto cells = split_delimited(text, ',');
        if (!cells) table.fail(line.number, "a quote stays open: close it");
        return std::move(*cells);
    };
    const Line* last_comment = nullptr;
    for (const Line& line : lines) {
        const std::string_view text = trim(line.text);
        if (text.empty()) continue;
        if (comment(text)) {
            if (!table.has_columns() && !trim(text.substr(1)).empty()) last_comment = &line;
            continue;
        }
        std::vector<std::string> cells = split(line, text);
        if (!table.has_columns()) {
            if (are_names(cells)) {
                table.set_columns(cells);
                continue;
            }
            const std::string_view said = last_comment == nullptr ? std::string_view() : trim(trim(last_comment->text).substr(1));
            const std::vector<std::string> names = split_blanks(said);
            const auto delimited = split_delimited(said, ',');
            if (layout == TextFormat::csv && delimited && delimited->size() == cells.size() && are_names(*delimited)) {
                table.set_columns(*delimited);
            } else if (layout == TextFormat::columns && names.size() == cells.size() && are_names(names)) {
                table.set_columns(names);
            } else {
                table.set_columns(numbered_names(cells.size()), {}, false);
            }
        }
        table.add_row(cells, line.number);
    }
    return table.finish();
}

TextTable parse_ecsv(const std::vector<Line>& lines, const std::string& path) {
    TableBuilder table(path, TextFormat::ecsv);
    const EcsvHeader header = read_ecsv_header(lines);
    for (const Line& line : lines) {
        if (comment(line.text) || trim(line.text).empty()) continue;
        std::vector<std::string> cells;
        if (header.delimiter == ' ') {
            cells = split_blanks(line.text);
        } else if (auto split = split_delimited(line.text, header.delimiter)) {
            cells = std::move(*split);
        } else {
            table.fail(line.number, "a quote stays open: close it");
        }
        if (table.has_columns()) {
            table.add_row(cells, line.number);
            continue;
        }
        std::vector<std::string> units;
        for (const std::string& name : cells) {
            const auto found = header.units.find(name);
            if (found == header.units.end())
                table.fail(line.number,
                           format("column \"{}\" is not in the YAML header (not ECSV as it should be): add it there", name));
            units.push_back(found->second);
        }
        table.set_columns(cells, units);
    }
    return table.finish();
}

TextTable parse_cds(const std::vector<Line>& lines, const std::string& path) {
    TableBuilder table(path, TextFormat::cds);
    const auto rule = [](const Line& line) { return line.text.starts_with("------") || line.text.starts_with("======"); };
    std::size_t description = 0;
    while (description < lines.size() && lines[description].text.find("Byte-by-byte") == std::string_view::npos)
        ++description;
    std::size_t data = lines.size();
    for (std::size_t i = description; i < lines.size(); ++i) {
        if (rule(lines[i])) data = i + 1;
    }
    std::vector<CdsField> fields;
    int rules = 0;
    for (std::size_t i = description; i < lines.size() && rules < 3; ++i) {
        if (rule(lines[i])) {
            ++rules;
        } else if (rules == 2) {
            if (auto field = parse_cds_field(lines[i].text)) {
                fields.push_back(std::move(*field));
            } else if (!fields.empty()) {
                fields.back().explanation += ' ' + std::string(trim(lines[i].text));
            }
        }
    }
    if (fields.empty() || rules < 3)
        table.fail(description + 1, "the byte-by-byte description cannot be read (no columns between its rules): correct it");
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::size_t width = 0;
    for (const CdsField& field : fields) {
        names.push_back(field.label);
        units.push_back(field.unit);
        width = std::max(width, field.last);
    }
    table.set_columns(names, units);
    for (std::size_t i = 0; i < fields.size(); ++i)
        table.set_null(i, cds_null(fields[i]));
    for (std::size_t i = data; i < lines.size(); ++i) {
        const std::string_view text = lines[i].text;
        if (trim(text).empty()) continue;
        if (text.size() > width && !trim(text.substr(width)).empty())
            table.fail(lines[i].number, format("text beyond byte {} (the description ends there): correct the line", width));
        std::vector<std::string> cells;
        for (const CdsField& field : fields)
            cells.emplace_back(field.first < text.size() ? text.substr(field.first, field.last - field.first)
                                                         : std::string_view());
        table.add_row(cells, lines[i].number);
    }
    return table.finish();
}

TextTable parse_ipac(const std::vector<Line>& lines, const std::string& path) {
    TableBuilder table(path, TextFormat::ipac);
    std::vector<std::size_t> bars;
    std::vector<std::vector<std::string>> header;
    for (const Line& line : lines) {
        const std::string_view text = line.text;
        if (text.starts_with('\\') || trim(text).empty()) continue;
        if (text.starts_with('|') && !table.has_columns()) {
            if (bars.empty()) {
                for (std::size_t i = 0; i < text.size(); ++i) {
                    if (text[i] == '|') bars.push_back(i);
                }
                if (bars.size() < 2) table.fail(line.number, "the header has no column between two bars: correct it");
            }
            std::vector<std::string> cells;
            for (std::size_t i = 0; i + 1 < bars.size(); ++i)
                cells.emplace_back(bars[i] + 1 < text.size() ? trim(text.substr(bars[i] + 1, bars[i + 1] - bars[i] - 1)) : "");
            header.push_back(std::move(cells));
            continue;
        }
        if (!table.has_columns()) {
            if (header.empty()) table.fail(line.number, "data before the header (lines that begin with \"|\"): correct the file");
            table.set_columns(header[0], header.size() > 2 ? header[2] : std::vector<std::string>());
            for (std::size_t i = 0; header.size() > 3 && i < header[3].size(); ++i)
                table.set_null(i, header[3][i]);
        }
        // What stands under a bar belongs to the column on its left; the last column reaches to the end of the line.
        std::vector<std::string> cells;
        for (std::size_t i = 0; i + 1 < bars.size(); ++i) {
            const std::size_t first = bars[i] + 1;
            const std::size_t last = i + 2 < bars.size() ? bars[i + 1] : text.size();
            cells.emplace_back(first < text.size() ? text.substr(first, last - first + 1) : std::string_view());
            if (i + 2 < bars.size() && last + 1 < text.size() && text[last] != ' ' && text[last + 1] != ' ')
                table.fail(line.number, format("a value reaches across the bar at character {}: correct the line", last + 1));
        }
        if (!text.starts_with(' ')) table.fail(line.number, "a value stands under the first bar: correct the line");
        table.add_row(cells, line.number);
    }
    return table.finish();
}

}  // namespace aliquot::io::detail
