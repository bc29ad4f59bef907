#include "aliquot/cluster/snapshot_formats.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster::detail {

namespace {

/// Columns of PeTar's own files (petar.init without stellar evolution and external potential) after mass, position and velocity:
/// bdata | r_search id mass_bk status r_in r_out acc_soft[3] pot_tot pot_soft nb; % is the id, counted from 1.
constexpr const char* native_tail = " 0 0 % 0 0 0 0 0 0 0 0 0 0";
constexpr std::size_t native_columns = 20;

class PetarSink final : public TextSink {
  public:
    PetarSink(const std::string& path, bool native, const SnapshotHeader& header)
        : TextSink(path, header, unit_change(header, petar_units()), ' ', native ? native_tail : ""),
          path_(path),
          native_(native) {
        if (native_) write_text(format("0 {} 0\n", header.stars));
    }

  private:
    void write_companion() override {
        const SnapshotHeader& h = header();
        const std::string name = std::filesystem::path(path_).filename().string();
        std::string gravity;
        append_number(gravity, petar_units().gravitational_constant);
        std::string text;
        if (!native_) text += format("petar.init -f {}.input {}\n", name, name);
        text += format("petar -u 1{} {}{}\n", h.binaries > 0 ? format(" -b {}", h.binaries) : "", name, native_ ? "" : ".input");
        text += format("# Msun, pc, pc/Myr; G = {} (PeTar's)\n", gravity);
        if (h.units != petar_units()) {
            std::string own;
            append_number(own, h.units.gravitational_constant);
            text += format("# velocities were scaled from {} (G = {}) so that the virial ratio is kept\n", h.units.name, own);
        }
        SnapshotHeader facts = h;
        facts.units = petar_units();
        for (const std::string& line : header_lines(facts))
            text += "# " + line + "\n";
        io::write_file(path_ + ".txt", text);
    }

    std::string path_;
    bool native_;
};

class PetarSource final : public TextSource {
  public:
    PetarSource(const std::string& path, bool native, const std::optional<Units>& units) : TextSource(path) {
        if (std::filesystem::exists(path + ".txt")) {
            LineReader facts(path + ".txt");
            std::string line;
            while (facts.next(line)) {
                if (line.starts_with("# ")) read_header_line(std::string_view(line).substr(2), header_);
            }
        }
        header_.units = units ? *units : petar_units();
        if (!native) return;
        columns_ = native_columns;
        std::string line;
        const std::vector<double> first = lines_.next(line) ? numbers_of(line, ' ', lines_.place()) : std::vector<double>();
        if (first.size() != 3)
            throw DataError(
                format("{}: {} numbers in the first line (a PeTar snapshot without external potential begins with file "
                       "id, number of particles and time): name such a file",
                       path, first.size()));
        header_.stars = static_cast<std::size_t>(first[1]);
    }
};

}  // namespace

std::unique_ptr<StarSink> petar_sink(const std::string& path, const std::string& format, const SnapshotHeader& header) {
    return std::make_unique<PetarSink>(path, format == "petar-snapshot", header);
}

std::unique_ptr<StarSource> petar_source(const std::string& path, const std::string& format, const std::optional<Units>& units) {
    return std::make_unique<PetarSource>(path, format == "petar-snapshot", units);
}

}  // namespace aliquot::cluster::detail
