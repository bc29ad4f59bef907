#include <algorithm>
#include <cctype>

#include "aliquot/cluster/snapshot_formats.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::cluster::detail {

namespace {

constexpr std::array<const char*, 7> names{"mass", "x", "y", "z", "vx", "vy", "vz"};

/// Of a column, as one of the three kinds of files writes it; "" where it has none.
std::string unit_of(const Units& units, std::size_t column, const std::string& format) {
    const std::string& plain = column == 0 ? units.mass : column < 4 ? units.length : units.velocity;
    if (format == "amuse") {
        if (plain.empty()) return "-";
        return plain == "Msun" ? "MSun" : plain == "km/s" ? "kms" : plain == "pc" ? "parsec" : "parsec/Myr";
    }
    return plain == "Msun" ? "solMass" : plain;
}

/// CSV has its facts in comment lines above the names, ECSV in its YAML header, AMUSE below names and units.
class CsvSink final : public TextSink {
  public:
    CsvSink(const std::string& path, const std::string& format, const SnapshotHeader& header)
        : TextSink(path, header, UnitChange{}, ',') {
        std::string text;
        const auto join = [&](auto&& cell) {
            for (std::size_t k = 0; k < names.size(); ++k)
                text += (k > 0 ? "," : "") + cell(k);
            text += '\n';
        };
        const auto name = [](std::size_t k) { return std::string(names[k]); };
        if (format == "amuse") {
            text += '#';
            join(name);
            text += '#';
            join([&](std::size_t k) { return unit_of(header.units, k, format); });
            for (const std::string& line : header_lines(header))
                text += "#" + line + "\n";
        } else if (format == "ecsv") {
            text += "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n";
            for (std::size_t k = 0; k < names.size(); ++k) {
                const std::string unit = unit_of(header.units, k, format);
                text += aliquot::format("# - {{name: {}, {}datatype: float64}}\n", names[k],
                                        unit.empty() ? "" : "unit: " + unit + ", ");
            }
            text += "# meta:\n#   comments:\n";
            for (const std::string& line : header_lines(header))
                text += "#   - '" + quoted(line) + "'\n";
            text += "# schema: astropy-2.0\n";
            join(name);
        } else {
            for (const std::string& line : header_lines(header))
                text += "# " + line + "\n";
            text += "# columns: mass";
            if (!header.units.mass.empty())
                text += aliquot::format(" [{}], x y z [{}], vx vy vz [{}]", header.units.mass, header.units.length,
                                        header.units.velocity);
            text += '\n';
            join(name);
        }
        write_text(text);
    }

  private:
    /// For a YAML string between single quotes.
    static std::string quoted(const std::string& line) {
        std::string text;
        for (const char c : line)
            text += c == '\'' ? std::string("''") : std::string(1, c);
        return text;
    }
};

class CsvSource final : public TextSource {
  public:
    CsvSource(const std::string& path, const std::optional<Units>& units) : TextSource(path) {
        separator_ = ',';
        std::string line;
        std::vector<std::string> found;
        bool has_units = false;
        while (found.empty() && lines_.next(line)) {
            std::string_view text = io::detail::trim(line);
            if (text.empty()) continue;
            const bool comment = text.front() == '#';
            if (comment) {
                text = io::detail::trim(text.substr(1));
                if (is_names(text)) {  // AMUSE has its names in a comment; its units and facts follow in comments
                    found = cells(text);
                    break;
                }
                has_units |= fact(text, units.has_value());
            } else {
                found = cells(text);
            }
        }
        const std::string place = lines_.place();
        while (lines_.next(line)) {
            const std::string_view text = io::detail::trim(line);
            if (!text.starts_with('#')) {
                lines_.put_back();
                break;
            }
            has_units |= fact(io::detail::trim(text.substr(1)), units.has_value());
        }
        if (found.empty()) throw DataError(format("{}: no line of column names (mass, x, y, z, vx, vy, vz): add one", path));
        columns_ = found.size();
        for (std::size_t k = 0; k < names.size(); ++k) {
            const auto at = std::ranges::find(found, names[k]);
            if (at == found.end())
                throw DataError(
                    format("{}: no column \"{}\" (columns are mass, x, y, z, vx, vy, vz): add or rename it", place, names[k]));
            order_[k] = static_cast<std::size_t>(at - found.begin());
        }
        if (found.size() > names.size()) {
            const auto other = std::ranges::find_if(
                found, [](const std::string& name) { return std::ranges::find(names, name) == names.end(); });
            throw DataError(format("{}: column \"{}\" (columns are mass, x, y, z, vx, vy, vz): remove it", place,
                                   other == found.end() ? found.back() : *other));
        }
        if (units || !has_units) header_.units = stated(units, path);
    }

  private:
    static std::vector<std::string> cells(std::string_view text) {
        std::vector<std::string> names_found;
        while (true) {
            const std::size_t end = std::min(text.find(','), text.size());
            std::string name(io::detail::trim(text.substr(0, end)));
            std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            names_found.push_back(name == "m" ? "mass" : name);
            if (end == text.size()) return names_found;
            text.remove_prefix(end + 1);
        }
    }
    static bool is_names(std::string_view text) {
        const std::vector<std::string> found = cells(text);
        return found.size() >= names.size() &&
               std::ranges::all_of(names, [&](const char* name) { return std::ranges::find(found, name) != found.end(); });
    }
    /// A fact of a header, also one that YAML quotes; units that are given make the file's own of no interest.
    bool fact(std::string_view text, bool units_given) {
        if (text.starts_with("- '") && text.ends_with('\'')) text = text.substr(3, text.size() - 4);
        if (units_given && text.starts_with("units")) return false;
        try {
            return read_header_line(text, header_);
        } catch (const ConfigError& error) {
            throw DataError(lines_.place() + ": " + error.what());
        }
    }
};

}  // namespace

std::unique_ptr<StarSink> csv_sink(const std::string& path, const std::string& format, const SnapshotHeader& header) {
    return std::make_unique<CsvSink>(path, format, header);
}

std::unique_ptr<StarSource> csv_source(const std::string& path, const std::string&, const std::optional<Units>& units) {
    return std::make_unique<CsvSource>(path, units);
}

}  // namespace aliquot::cluster::detail
