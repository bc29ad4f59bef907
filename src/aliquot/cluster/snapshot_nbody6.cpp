#include <cmath>

#include "aliquot/cluster/snapshot_formats.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/text_lines.hpp"

namespace aliquot::cluster::detail {

namespace {

std::string number(double value) {
    std::string text;
    append_number(text, value);
    return text;
}

/// NBODY6's control file: lines of fixed order, KZ(22) = 2 reads fort.10. What stands below its last line is not read.
std::string classic_control(const SnapshotHeader& h) {
    std::string text = "1 1000000.0\n";                // KSTART TCOMP
    text += format("{} 1 10 43532 200 1\n", h.stars);  // N NFIX NCRIT NRAND NNBMAX NRUN
    text += format("0.02 0.02 0.3 1.0 1.0 100.0 2.0E-04 {} {}\n", number(h.length_unit_pc),
                   number(h.mean_mass_msun));                         // ETAI ETAR RS0 DTADJ DELTAT TCRIT QE RBAR ZMBAR
    text += "1 2 1 0 1 0 1 0 0 0\n";                                  // KZ(1:10)
    text += "0 0 0 0 2 1 0 0 0 0\n";                                  // KZ(11:20)
    text += "1 2 0 0 0 2 0 0 0 2\n";                                  // KZ(21:30)
    text += "0 0 0 0 0 0 1 0 0 1\n";                                  // KZ(31:40)
    text += "0 0 0 0 0 0 0 0 0 0\n";                                  // KZ(41:50)
    text += "1.0E-05 2.0E-04 0.2 1.0 1.0E-06 0.001\n";                // DTMIN RMIN ETAU ECLOSE GMIN GMAX
    text += format("2.35 10.0 0.1 {} 0 0.02 0.0 1.0\n", h.binaries);  // ALPHAS BODY1 BODYN NBIN0 NHI0 ZMET EPOCH0 DTPLOT
    text += format("{} 0.0 0.0 0.0\n", number(h.virial_ratio));       // Q VXROT VZROT RTIDE
    return text;
}

/// The same as the NAMELISTs of NBODY6++GPU's Beijing version; comments begin with an exclamation mark.
std::string namelist_control(const SnapshotHeader& h) {
    std::string text = "&INNBODY6\nKSTART=1,TCOMP=1.0E8,TCRTP0=1.0E6,isernb=40,iserreg=40,iserks=0 /\n\n";
    text += format("&ININPUT\nN={},NFIX=1,NCRIT=10,NRAND=43532,NNBOPT=200,NRUN=1,NCOMM=10,\n", h.stars);
    text += format("ETAI=0.02,ETAR=0.02,RS0=0.3,DTADJ=1.0,DELTAT=1.0,TCRIT=100.0,QE=2.0E-04,RBAR={},ZMBAR={},\n",
                   number(h.length_unit_pc), number(h.mean_mass_msun));
    text += "KZ(1:10)= 1 2 1 0 1 0 4 0 0 0\nKZ(11:20)=0 1 0 0 2 0 0 0 0 0\nKZ(21:30)=1 2 2 0 0 2 0 0 0 2\n";
    text += "KZ(31:40)=1 0 2 0 0 0 1 0 0 1\nKZ(41:50)=0 0 0 0 0 0 0 0 0 0,\n";
    text += "DTMIN=1.0E-05,RMIN=2.0E-04,ETAU=0.1,ECLOSE=1.0,GMIN=1.0E-06,GMAX=0.01,SMAX=0.125,\nLevel='C' /\n\n";
    text += "&INSSE /\n\n&INBSE /\n\n&INCOLL /\n\n";
    text += format("&INDATA\nALPHAS=2.35,BODY1=150.0,BODYN=0.08,NBIN0={},NHI0=0,ZMET=0.02,EPOCH0=0,DTPLOT=1.0 /\n\n", h.binaries);
    text += "&INSETUP /\n\n";
    text += format("&INSCALE\nQ={},VXROT=0.0,VZROT=0.0,RTIDE=0.0 /\n\n", number(h.virial_ratio));
    text += "&INXTRNL0 /\n\n&INBINPOP /\n\n&INHIPOP /\n\n";
    return text;
}

class Nbody6Sink final : public TextSink {
  public:
    Nbody6Sink(const std::string& path, bool namelist, const SnapshotHeader& header)
        : TextSink(path, header, unit_change(header, henon_units()), ' '), path_(path), namelist_(namelist) {
        if (!(header.length_unit_pc > 0.0))
            throw ConfigError("RBAR is not known (the control file has r_v in pc, the length of Henon units): give it");
        if (!(header.mean_mass_msun > 0.0))
            throw ConfigError("ZMBAR is not known (the control file has the mean mass in Msun): give it");
    }

  private:
    void write_companion() override {
        const SnapshotHeader& h = header();
        std::string text = namelist_ ? namelist_control(h) : classic_control(h);
        const char* comment = namelist_ ? "! " : "";
        text += format("{}Henon units (G = M = r_v = 1); with G = {} in {}, one unit of velocity is {} km/s\n", comment,
                       number(pc_msun_km_s().gravitational_constant), pc_msun_km_s().name,
                       number(std::sqrt(pc_msun_km_s().gravitational_constant * h.mean_mass_msun * static_cast<double>(h.stars) /
                                        h.length_unit_pc)));
        if (h.units != henon_units())
            text += format("{}velocities were scaled from {} (G = {}) so that the virial ratio is kept\n", comment, h.units.name,
                           number(h.units.gravitational_constant));
        text += format("{}initial values come from {} (KZ(22) = 2); every other option is a starting point\n", comment,
                       std::filesystem::path(path_).filename().string());
        if (!h.description.empty()) text += comment + h.description + "\n";
        io::write_file(path_ + ".inp", text);
    }

    std::string path_;
    bool namelist_;
};

class Nbody6Source final : public TextSource {
  public:
    Nbody6Source(const std::string& path, const std::optional<Units>& units) : TextSource(path) {
        header_.units = units ? *units : henon_units();
        const std::string control = path + ".inp";
        if (std::filesystem::exists(control)) read_control(io::read_file(control), control);
    }

  private:
    void read_control(const std::string& text, const std::string& path) {
        if (text.find("&ININPUT") != std::string::npos) {
            header_.stars = static_cast<std::size_t>(value(text, "\nN=", path));
            header_.length_unit_pc = value(text, "RBAR=", path);
            header_.mean_mass_msun = value(text, "ZMBAR=", path);
            header_.binaries = static_cast<std::size_t>(value(text, "NBIN0=", path));
            header_.virial_ratio = value(text, "\nQ=", path);
            return;
        }
        const auto lines = io::detail::split_lines(text);
        const auto at = [&](std::size_t line, std::size_t column) {
            const std::vector<double> numbers =
                line < lines.size() ? numbers_of(lines[line].text, ' ', format("{}:{}", path, line + 1)) : std::vector<double>();
            if (column >= numbers.size())
                throw DataError(format("{}:{}: fewer than {} numbers (not a control file of NBODY6): correct or remove it", path,
                                       line + 1, column + 1));
            return numbers[column];
        };
        header_.stars = static_cast<std::size_t>(at(1, 0));
        header_.length_unit_pc = at(2, 7);
        header_.mean_mass_msun = at(2, 8);
        header_.binaries = static_cast<std::size_t>(at(9, 3));
        header_.virial_ratio = at(10, 0);
    }
    static double value(const std::string& text, const std::string& key, const std::string& path) {
        const std::size_t at = text.find(key);
        const std::size_t first = at == std::string::npos ? text.size() : at + key.size();
        const std::size_t last = text.find_first_of(", /\n", first);
        const auto found = io::detail::parse_number(std::string_view(text).substr(first, last - first));
        if (!found)
            throw DataError(
                format("{}: no {} (not a control file of NBODY6++): correct or remove it", path, io::detail::trim(key)));
        return *found;
    }
};

}  // namespace

std::unique_ptr<StarSink> nbody6_sink(const std::string& path, const std::string& format, const SnapshotHeader& header) {
    return std::make_unique<Nbody6Sink>(path, format == "nbody6++", header);
}

std::unique_ptr<StarSource> nbody6_source(const std::string& path, const std::string&, const std::optional<Units>& units) {
    return std::make_unique<Nbody6Source>(path, units);
}

}  // namespace aliquot::cluster::detail
