#include "aliquot/cluster/snapshot.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

#include "aliquot/cluster/snapshot_formats.hpp"
#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::cluster {

namespace {

struct Format {
    const char* name;
    std::unique_ptr<StarSink> (*sink)(const std::string&, const std::string&, const SnapshotHeader&);
    std::unique_ptr<StarSource> (*source)(const std::string&, const std::string&, const std::optional<Units>&);
};

constexpr Format formats[] = {
    {"csv", detail::csv_sink, detail::csv_source},
    {"ecsv", detail::csv_sink, detail::csv_source},
    {"amuse", detail::csv_sink, detail::csv_source},
    {"nbody6", detail::nbody6_sink, detail::nbody6_source},
    {"nbody6++", detail::nbody6_sink, detail::nbody6_source},
    {"petar", detail::petar_sink, detail::petar_source},
    {"petar-snapshot", detail::petar_sink, detail::petar_source},
    {"gadget", detail::gadget_sink, detail::gadget_source},
};

const Format& format_of(const std::string& path, const std::string& name) {
    const std::string wanted = name.empty() ? snapshot_format_of(path) : name;
    for (const Format& format : formats) {
        if (format.name == wanted) return format;
    }
    throw ConfigError("format = \"" + wanted + "\" (no such format of star files)" + suggest(wanted, snapshot_formats()));
}

bool is_henon(const Units& units) {
    return units.length.empty();
}

}  // namespace

std::vector<std::string> snapshot_formats() {
    std::vector<std::string> names;
    for (const Format& format : formats)
        names.emplace_back(format.name);
    return names;
}

std::string snapshot_format_of(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    for (const auto& [ending, format] : {std::pair{".csv", "csv"},
                                         {".ecsv", "ecsv"},
                                         {".hdf5", "gadget"},
                                         {".h5", "gadget"},
                                         {".petar", "petar"},
                                         {"fort.10", "nbody6"},
                                         {"dat.10", "nbody6++"}}) {
        if (name.ends_with(ending)) return format;
    }
    std::string known;
    for (const std::string& format : snapshot_formats())
        known += (known.empty() ? "" : ", ") + format;
    throw ConfigError(format("{}: the name does not say the format of the stars: name one with --format ({})", path, known));
}

std::unique_ptr<StarSink> open_star_sink(const std::string& path, const std::string& format, const SnapshotHeader& header) {
    const Format& chosen = format_of(path, format);
    if (2 * header.binaries > header.stars)
        throw ConfigError(aliquot::format("{} binaries among {} stars (a binary is two stars): correct one of them",
                                          header.binaries, header.stars));
    return chosen.sink(path, chosen.name, header);
}

std::unique_ptr<StarSource> open_star_source(const std::string& path, const std::string& format,
                                             const std::optional<Units>& units) {
    const Format& chosen = format_of(path, format);
    return chosen.source(path, chosen.name, units);
}

Stars read_stars(StarSource& source) {
    Stars stars;
    Stars block;
    while (source.read(block))
        stars.append(block);
    return stars;
}

UnitChange unit_change(const SnapshotHeader& from, const Units& to) {
    UnitChange change;
    if (from.units == to) return change;
    const bool out_of_henon = is_henon(from.units) && !is_henon(to);
    const bool into_henon = !is_henon(from.units) && is_henon(to);
    if (out_of_henon || into_henon) {
        if (!(from.length_unit_pc > 0.0))
            throw ConfigError("the length unit r_v in pc is not known (Henon units are made with it): give it");
        if (!(from.mean_mass_msun > 0.0) || from.stars == 0)
            throw ConfigError("the mean mass in Msun is not known (Henon units are made with it): give it");
        const double total = from.mean_mass_msun * static_cast<double>(from.stars);
        change.length = out_of_henon ? from.length_unit_pc : 1.0 / from.length_unit_pc;
        change.mass = out_of_henon ? total : 1.0 / total;
    }
    const double gravity = to.gravitational_constant / from.units.gravitational_constant;
    change.velocity = std::sqrt(gravity * change.mass / change.length);
    return change;
}

Units petar_units() {
    Units units = pc_msun_myr();
    units.gravitational_constant = 0.00449830997959438;
    return units;
}

namespace detail {

StarRow row_of(const Stars& stars, std::size_t i) {
    return {stars.mass[i], stars.x[i], stars.y[i], stars.z[i], stars.vx[i], stars.vy[i], stars.vz[i]};
}

void append_row(Stars& stars, const StarRow& row, const std::string& place) {
    static constexpr std::array<const char*, 7> names{"mass", "x", "y", "z", "vx", "vy", "vz"};
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (!std::isfinite(row[k]))
            throw DataError(format("{}: {} = {} (not finite): correct or remove the star", place, names[k], row[k]));
    }
    if (row[0] < 0.0) throw DataError(format("{}: mass = {} (negative): correct or remove the star", place, row[0]));
    std::size_t k = 0;
    for (auto* column : {&stars.mass, &stars.x, &stars.y, &stars.z, &stars.vx, &stars.vy, &stars.vz})
        column->push_back(row[k++]);
}

void append_number(std::string& text, double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text.append(digits, end);
}

std::vector<std::string> header_lines(const SnapshotHeader& header) {
    std::vector<std::string> lines;
    const auto number = [&](const char* key, double value, const char* unit) {
        std::string line = std::string(key) + " = ";
        append_number(line, value);
        lines.push_back(line + unit);
    };
    lines.push_back("units = " + header.units.name);
    number("G", header.units.gravitational_constant, "");
    lines.push_back(format("stars = {}", header.stars));
    lines.push_back(format("binaries = {}", header.binaries));
    if (header.length_unit_pc > 0.0) number("r_v", header.length_unit_pc, " pc");
    if (header.mean_mass_msun > 0.0) number("mean_mass", header.mean_mass_msun, " Msun");
    if (!header.description.empty()) lines.push_back("description = " + header.description);
    return lines;
}

bool read_header_line(std::string_view line, SnapshotHeader& header) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = io::detail::trim(line.substr(0, equals));
    const std::string_view value = io::detail::trim(line.substr(equals + 1));
    const auto number = [&] {
        const auto found = io::detail::parse_number(value.substr(0, value.find(' ')));
        return found ? *found : 0.0;
    };
    if (key == "units") {
        header.units = units_by_name(std::string(value));
        return true;
    }
    if (key == "G" && number() > 0.0) header.units.gravitational_constant = number();
    if (key == "stars") header.stars = static_cast<std::size_t>(number());
    if (key == "binaries") header.binaries = static_cast<std::size_t>(number());
    if (key == "r_v") header.length_unit_pc = number();
    if (key == "mean_mass") header.mean_mass_msun = number();
    if (key == "description") header.description = value;
    return false;
}

TextSink::TextSink(const std::filesystem::path& path, const SnapshotHeader& header, const UnitChange& change, char separator,
                   std::string tail)
    : header_(header), change_(change), separator_(separator), tail_(std::move(tail)), file_(path) {}

void TextSink::write(const Stars& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        StarRow row = row_of(block, i);
        row[0] *= change_.mass;
        for (std::size_t k = 1; k < 4; ++k)
            row[k] *= change_.length;
        for (std::size_t k = 4; k < 7; ++k)
            row[k] *= change_.velocity;
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0) buffer_ += separator_;
            append_number(buffer_, row[k]);
        }
        ++written_;
        for (const char c : tail_)
            c == '%' ? static_cast<void>(buffer_ += std::to_string(written_)) : buffer_.push_back(c);
        buffer_ += '\n';
        if (buffer_.size() > (1U << 18)) {
            file_.write(buffer_);
            buffer_.clear();
        }
    }
}

void TextSink::finish() {
    ALIQUOT_EXPECT(written_ == header_.stars);
    file_.write(buffer_);
    buffer_.clear();
    write_companion();
    file_.commit();
}

LineReader::LineReader(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
        throw DataError(format("cannot open {} ({}): check the path", path_.string(), std::generic_category().message(errno)),
                        ExitCode::no_input);
}

LineReader::~LineReader() {
    ::close(descriptor_);
}

bool LineReader::next(std::string& line) {
    if (again_) {
        again_ = false;
        line = last_;
        return true;
    }
    std::size_t end = buffer_.find('\n', position_);
    while (end == std::string::npos && !ended_) {
        buffer_.erase(0, position_);
        position_ = 0;
        const std::size_t before = buffer_.size();
        buffer_.resize(before + (1U << 16));
        const ssize_t count = ::read(descriptor_, buffer_.data() + before, 1U << 16);
        if (count < 0 && errno == EINTR) {
            buffer_.resize(before);
            continue;
        }
        if (count < 0)
            throw DataError(format("cannot read {} ({}): check the path", path_.string(), std::generic_category().message(errno)),
                            ExitCode::no_input);
        buffer_.resize(before + static_cast<std::size_t>(count));
        ended_ = count == 0;
        end = buffer_.find('\n', before);
    }
    if (end == std::string::npos) {
        if (position_ == buffer_.size()) return false;
        end = buffer_.size();
    }
    last_.assign(buffer_, position_, end - position_);
    if (last_.ends_with('\r')) last_.pop_back();
    position_ = std::min(end + 1, buffer_.size());
    ++number_;
    line = last_;
    return true;
}

std::string LineReader::place() const {
    return format("{}:{}", path_.string(), number_);
}

std::vector<double> numbers_of(std::string_view line, char separator, const std::string& place) {
    std::vector<double> numbers;
    while (true) {
        if (separator == ' ') {
            line = io::detail::trim(line);
            if (line.empty()) break;
        }
        const std::size_t end = std::min(separator == ' ' ? line.find_first_of(" \t") : line.find(separator), line.size());
        const std::string_view cell = line.substr(0, end);
        double value = 0.0;  // the usual cell; blanks, signs and Fortran's exponents take the longer way
        const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        const bool plain = error == std::errc() && stop == cell.data() + cell.size();
        const auto number = plain ? std::optional(value) : io::detail::parse_number(cell);
        if (!number)
            throw DataError(format("{}: \"{}\" in column {} (not a number): correct the line", place, cell.substr(0, 40),
                                   numbers.size() + 1));
        numbers.push_back(*number);
        if (end == line.size()) break;
        line.remove_prefix(end + 1);
    }
    return numbers;
}

bool TextSource::read(Stars& block) {
    block.resize(0);
    std::string line;
    while (block.size() < snapshot_block && lines_.next(line)) {
        const std::string_view text = io::detail::trim(line);
        if (text.empty() || text.front() == '#') continue;
        const std::string place = lines_.place();
        const std::vector<double> numbers = numbers_of(text, separator_, place);
        if (numbers.size() != columns_)
            throw DataError(format("{}: {} columns (a star has {} here): correct the line", place, numbers.size(), columns_));
        StarRow row{};
        for (std::size_t k = 0; k < row.size(); ++k)
            row[k] = numbers[order_[k]];
        append_row(block, row, place);
    }
    read_ += block.size();
    if (block.size() == 0 && header_.stars != 0 && read_ != header_.stars)
        throw DataError(format("{}: {} stars (the header says {}): the file is cut off, or its control file belongs to another",
                               lines_.place(), read_, header_.stars));
    return block.size() > 0;
}

Units stated(const std::optional<Units>& given, const std::filesystem::path& path) {
    if (given) return *given;
    throw ConfigError(
        format("{}: the file does not say its units: give --units (pc-msun-kms, pc-msun-myr or henon)", path.string()));
}

}  // namespace detail

}  // namespace aliquot::cluster
