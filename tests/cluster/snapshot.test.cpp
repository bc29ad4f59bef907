#include "aliquot/cluster/snapshot.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "aliquot/cluster/energies.hpp"
#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "cluster/star_makers.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

using test::message_of;
using test::plummer;
using test::ScratchDirectory;

constexpr std::array columns{&Stars::mass, &Stars::x, &Stars::y, &Stars::z, &Stars::vx, &Stars::vy, &Stars::vz};

SnapshotHeader header_of(const Stars& stars, const Units& units) {
    SnapshotHeader header;
    header.units = units;
    header.stars = stars.size();
    header.binaries = 3;
    header.length_unit_pc = 1.7;
    header.mean_mass_msun = 0.6;
    header.description = "a 'Plummer' sphere: seed 1, for tests";
    return header;
}

void write(const std::string& path, const std::string& format, const SnapshotHeader& header, const Stars& stars,
           std::size_t block = 1000) {
    const auto sink = open_star_sink(path, format, header);
    for (std::size_t first = 0; first < stars.size(); first += block) {
        Stars part;
        for (const auto column : columns)
            (part.*column)
                .assign((stars.*column).begin() + static_cast<std::ptrdiff_t>(first),
                        (stars.*column).begin() + static_cast<std::ptrdiff_t>(std::min(first + block, stars.size())));
        sink->write(part);
    }
    sink->finish();
}

void expect_same(const Stars& a, const Stars& b) {
    for (const auto column : columns)
        EXPECT_EQ(a.*column, b.*column);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::vector<double> numbers_of(const std::string& line) {
    std::istringstream stream(line);
    std::vector<double> numbers;
    for (double number = 0.0; stream >> number;)
        numbers.push_back(number);
    return numbers;
}

class EveryFormat : public testing::TestWithParam<std::string> {};

TEST_P(EveryFormat, ReadsBackBitForBit) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars").string();
    const std::string& format = GetParam();
    const Units units = format.starts_with("nbody6")  ? henon_units()
                        : format.starts_with("petar") ? petar_units()
                                                      : pc_msun_km_s();
    Stars stars = plummer(20001);
    stars.x[0] = 0x1p-1060;  // the smallest and the longest numbers
    stars.x[1] = -0x1.fffffffffffffp1023;
    stars.y[2] = 0.1 + 0.2;
    stars.mass[3] = 0.0;
    const SnapshotHeader header = header_of(stars, units);
    write(path, format, header, stars);
    const auto source = open_star_source(path, format);
    EXPECT_EQ(source->header().units, units);
    expect_same(read_stars(*source), stars);
    EXPECT_EQ(source->header().stars, stars.size());
    EXPECT_EQ(source->header().binaries, 3U);
    EXPECT_EQ(source->header().length_unit_pc, 1.7);
    EXPECT_EQ(source->header().mean_mass_msun, 0.6);
    Stars more;
    EXPECT_FALSE(source->read(more));
}

TEST_P(EveryFormat, NothingIsLeftWithoutFinish) {
    const ScratchDirectory scratch;
    const Stars stars = plummer(10);
    {
        const auto sink = open_star_sink((scratch / "stars").string(), GetParam(), header_of(stars, henon_units()));
        sink->write(stars);
    }
    EXPECT_TRUE(scratch.listing().empty());
}

TEST_P(EveryFormat, FewerStarsThanPromisedAreAFaultOfOurs) {
    const ScratchDirectory scratch;
    const Stars stars = plummer(10);
    SnapshotHeader header = header_of(stars, henon_units());
    header.stars = 11;
    const auto sink = open_star_sink((scratch / "stars").string(), GetParam(), header);
    sink->write(stars);
    EXPECT_THROW(sink->finish(), InternalError);
}

TEST_P(EveryFormat, AMissingFileIsNoInput) {
    try {
        (void)open_star_source("/nonexistent/stars", GetParam(), henon_units());
        FAIL();
    } catch (const DataError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::no_input);
    }
}

TEST_P(EveryFormat, NotANumberIsRefused) {
    const ScratchDirectory scratch;
    Stars stars = plummer(10);
    stars.vy[6] = std::numeric_limits<double>::quiet_NaN();
    SnapshotHeader header = header_of(stars, henon_units());
    const std::string path = (scratch / "stars").string();
    write(path, GetParam(), header, stars);
    const std::string message = message_of<DataError>([&] {
        const auto source = open_star_source(path, GetParam(), henon_units());
        (void)read_stars(*source);
    });
    EXPECT_NE(message.find("vy = nan (not finite): correct or remove the star"), std::string::npos) << message;
    EXPECT_TRUE(message.starts_with(path + ":")) << message;
    stars.vy[6] = 0.0;
    stars.mass[6] = -1.0;
    write(path, GetParam(), header, stars);
    const std::string negative = message_of<DataError>([&] {
        const auto source = open_star_source(path, GetParam(), henon_units());
        (void)read_stars(*source);
    });
    EXPECT_NE(negative.find("(negative)"), std::string::npos) << negative;
}

TEST_P(EveryFormat, TheVirialRatioSurvivesAChangeOfUnits) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars").string();
    Stars stars = plummer(300);
    for (std::size_t i = 0; i < stars.size(); ++i) {
        stars.mass[i] *= 0.6 * 300.0;
        for (auto* v : {&stars.vx, &stars.vy, &stars.vz})
            (*v)[i] *= 0.6;
    }
    const SnapshotHeader header = header_of(stars, pc_msun_km_s());
    write(path, GetParam(), header, stars);
    const auto source = open_star_source(path, GetParam());
    const Stars back = read_stars(*source);
    Threads threads(1);
    const auto ratio = [&](const Stars& s, double gravity) {
        return virial_ratio(kinetic_energy(s), potential_energy(s, gravity, 0.0, threads).energy);
    };
    const double before = ratio(stars, header.units.gravitational_constant);
    EXPECT_NEAR(ratio(back, source->header().units.gravitational_constant), before, 1e-14 * before);
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, testing::ValuesIn(snapshot_formats()), [](const auto& format) {
    std::string name;
    for (const char c : format.param)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? std::string(1, c) : std::string(c == '+' ? "p" : "_");
    return name;
});

TEST(Snapshot, TheNameSaysTheFormat) {
    EXPECT_EQ(snapshot_format_of("a/b.csv"), "csv");
    EXPECT_EQ(snapshot_format_of("b.ecsv"), "ecsv");
    EXPECT_EQ(snapshot_format_of("fort.10"), "nbody6");
    EXPECT_EQ(snapshot_format_of("run/dat.10"), "nbody6++");
    EXPECT_EQ(snapshot_format_of("b.petar"), "petar");
    EXPECT_EQ(snapshot_format_of("b.h5"), "gadget");
    EXPECT_EQ(
        message_of<ConfigError>([] { (void)snapshot_format_of("stars.xyz"); }),
        "stars.xyz: the name does not say the format of the stars: name one with --format (csv, ecsv, amuse, nbody6, nbody6++, "
        "petar, petar-snapshot, gadget)");
    EXPECT_EQ(message_of<ConfigError>([] { (void)open_star_source("x", "petra"); }),
              "format = \"petra\" (no such format of star files); did you mean \"petar\"?");
}

TEST(Snapshot, Nbody6HasItsSevenColumnsAndItsControlFile) {
    // spec: ASCII, no header, m x y z vx vy vz in Henon units, RBAR, ZMBAR and NBIN0 in the control file
    const ScratchDirectory scratch;
    const std::string path = (scratch / "fort.10").string();
    Stars stars = plummer(12);
    for (double& m : stars.mass)
        m *= 0.6 * 12.0;
    const SnapshotHeader header = header_of(stars, pc_msun_km_s());
    write(path, "", header, stars);
    const auto rows = lines_of(io::read_file(path));
    ASSERT_EQ(rows.size(), 12U);
    const double total = 0.6 * 12.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<double> row = numbers_of(rows[i]);
        ASSERT_EQ(row.size(), 7U);
        EXPECT_NEAR(row[0], stars.mass[i] / total, 1e-16);
        EXPECT_NEAR(row[1], stars.x[i] / 1.7, 1e-14);
        EXPECT_NEAR(row[3], stars.z[i] / 1.7, 1e-14);
        EXPECT_NEAR(row[4], stars.vx[i] / std::sqrt(0.004300917270036279 * total / 1.7), 1e-13);
    }
    const auto control = lines_of(io::read_file(path + ".inp"));
    EXPECT_EQ(numbers_of(control[1])[0], 12.0);  // N
    EXPECT_EQ(numbers_of(control[2]).size(), 9U);
    EXPECT_EQ(numbers_of(control[2])[7], 1.7);  // RBAR
    EXPECT_EQ(numbers_of(control[2])[8], 0.6);  // ZMBAR
    for (std::size_t line = 3; line < 8; ++line)
        EXPECT_EQ(numbers_of(control[line]).size(), 10U);  // KZ(1:50)
    EXPECT_EQ(numbers_of(control[5])[1], 2.0);             // KZ(22): read fort.10
    EXPECT_EQ(numbers_of(control[8]).size(), 6U);
    EXPECT_EQ(numbers_of(control[9]).size(), 8U);
    EXPECT_EQ(numbers_of(control[9])[3], 3.0);   // NBIN0
    EXPECT_EQ(numbers_of(control[10])[0], 0.5);  // Q
    EXPECT_NE(io::read_file(path + ".inp").find("G = 0.004300917270036279 in pc-msun-kms"), std::string::npos);
}

TEST(Snapshot, Nbody6ppHasNamelists) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "dat.10").string();
    const Stars stars = plummer(12);
    write(path, "", header_of(stars, henon_units()), stars);
    const std::string control = io::read_file(path + ".inp");
    std::size_t at = 0;
    for (const char* group : {"&INNBODY6", "&ININPUT", "&INSSE", "&INBSE", "&INCOLL", "&INDATA", "&INSETUP", "&INSCALE",
                              "&INXTRNL0", "&INBINPOP", "&INHIPOP"}) {
        at = control.find(group, at);
        ASSERT_NE(at, std::string::npos) << group;
    }
    for (const char* word : {"\nN=12,", "RBAR=1.7,", "ZMBAR=0.6,", "NBIN0=3,", "KZ(21:30)=1 2 ", "\nQ=0.5,"})
        EXPECT_NE(control.find(word), std::string::npos) << word;
    EXPECT_NE(control.find("! "), std::string::npos);
    EXPECT_EQ(control.find("velocities were scaled"), std::string::npos);
}

TEST(Snapshot, Nbody6NeedsItsUnits) {
    const ScratchDirectory scratch;
    const Stars stars = plummer(12);
    SnapshotHeader header = header_of(stars, pc_msun_km_s());
    header.length_unit_pc = 0.0;
    EXPECT_NE(message_of<ConfigError>([&] { (void)open_star_sink((scratch / "fort.10").string(), "", header); }).find("r_v"),
              std::string::npos);
    header.units = henon_units();
    EXPECT_NE(message_of<ConfigError>([&] { (void)open_star_sink((scratch / "fort.10").string(), "", header); }).find("RBAR"),
              std::string::npos);
}

TEST(Snapshot, PetarHasItsUnitsAndItsCommandLines) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars.petar").string();
    const Stars stars = plummer(12);
    write(path, "", header_of(stars, pc_msun_km_s()), stars);
    const auto rows = lines_of(io::read_file(path));
    ASSERT_EQ(rows.size(), 12U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<double> row = numbers_of(rows[i]);
        ASSERT_EQ(row.size(), 7U);
        EXPECT_EQ(row[0], stars.mass[i]);
        EXPECT_EQ(row[2], stars.y[i]);
        // km/s -> pc/Myr is 1.022712165045695 for PeTar; its G differs from ours by 4.3e-5, and the virial ratio is kept
        EXPECT_NEAR(row[5], stars.vy[i] * std::sqrt(0.00449830997959438 / 0.004300917270036279), 1e-15);
        EXPECT_NEAR(row[5], stars.vy[i] * 1.022712165045695, 3e-5 * std::abs(row[5]));
    }
    const auto text = lines_of(io::read_file(path + ".txt"));
    EXPECT_EQ(text[0], "petar.init -f stars.petar.input stars.petar");
    EXPECT_EQ(text[1], "petar -u 1 -b 3 stars.petar.input");
    EXPECT_NE(text[2].find("G = 0.00449830997959438"), std::string::npos);
    EXPECT_NE(text[3].find("velocities were scaled from pc-msun-kms (G = 0.004300917270036279)"), std::string::npos);
}

TEST(Snapshot, PetarSnapshotHasItsTwentyColumns) {
    // m x y z vx vy vz bdata | r_search id mass_bk status r_in r_out acc_soft[3] pot_tot pot_soft nb
    const ScratchDirectory scratch;
    const std::string path = (scratch / "data.0").string();
    const Stars stars = plummer(5);
    SnapshotHeader header = header_of(stars, petar_units());
    header.binaries = 0;
    write(path, "petar-snapshot", header, stars);
    const auto rows = lines_of(io::read_file(path));
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ(rows[0], "0 5 0");
    for (std::size_t i = 0; i < 5; ++i) {
        const std::vector<double> row = numbers_of(rows[i + 1]);
        ASSERT_EQ(row.size(), 20U);
        EXPECT_EQ(row[0], stars.mass[i]);
        EXPECT_EQ(row[6], stars.vz[i]);
        for (std::size_t k = 7; k < 20; ++k)
            EXPECT_EQ(row[k], k == 9 ? static_cast<double>(i + 1) : 0.0) << k;
    }
    EXPECT_EQ(lines_of(io::read_file(path + ".txt"))[0], "petar -u 1 data.0");
    io::write_file(path, "0 5 0 1 2 3 4 5 6\n");
    EXPECT_NE(message_of<DataError>([&] { (void)open_star_source(path, "petar-snapshot"); }).find("9 numbers in the first line"),
              std::string::npos);
}

TEST(Snapshot, AmuseHasNamesThenUnits) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars.csv").string();
    const Stars stars = plummer(3);
    SnapshotHeader header = header_of(stars, pc_msun_km_s());
    header.binaries = 0;
    write(path, "amuse", header, stars);
    auto lines = lines_of(io::read_file(path));
    EXPECT_EQ(lines[0], "#mass,x,y,z,vx,vy,vz");
    EXPECT_EQ(lines[1], "#MSun,parsec,parsec,parsec,kms,kms,kms");
    EXPECT_EQ(lines[2], "#units = pc-msun-kms");
    EXPECT_EQ(lines[3], "#G = 0.004300917270036279");
    header.units = henon_units();
    write(path, "amuse", header, stars);
    EXPECT_EQ(lines_of(io::read_file(path))[1], "#-,-,-,-,-,-,-");
    header.units = pc_msun_myr();
    write(path, "amuse", header, stars);
    EXPECT_EQ(lines_of(io::read_file(path))[1], "#MSun,parsec,parsec,parsec,parsec/Myr,parsec/Myr,parsec/Myr");
}

/// One number or the first numbers of an attribute or dataset, read by the library itself.
std::vector<double> hdf5_numbers(const std::string& path, const std::string& group, const std::string& name, bool attribute) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t at = H5Gopen2(file, group.c_str(), H5P_DEFAULT);
    const hid_t object = attribute ? H5Aopen(at, name.c_str(), H5P_DEFAULT) : H5Dopen2(at, name.c_str(), H5P_DEFAULT);
    const hid_t space = attribute ? H5Aget_space(object) : H5Dget_space(object);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    attribute ? H5Aread(object, H5T_NATIVE_DOUBLE, values.data())
              : H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    attribute ? H5Aclose(object) : H5Dclose(object);
    H5Gclose(at);
    H5Fclose(file);
    return values;
}

TEST(Snapshot, GadgetHasItsHeaderAndDatasets) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars.hdf5").string();
    const Stars stars = plummer(9);
    write(path, "", header_of(stars, pc_msun_km_s()), stars, 4);
    const auto attribute = [&](const char* name) { return hdf5_numbers(path, "Header", name, true); };
    const std::vector<double> counts{0, 9, 0, 0, 0, 0};
    EXPECT_EQ(attribute("NumPart_ThisFile"), counts);
    EXPECT_EQ(attribute("NumPart_Total"), counts);
    EXPECT_EQ(attribute("MassTable"), std::vector<double>(6, 0.0));
    EXPECT_EQ(attribute("NumFilesPerSnapshot"), std::vector{1.0});
    for (const char* name : {"Time", "Redshift", "BoxSize"})
        EXPECT_EQ(attribute(name), std::vector{0.0});
    EXPECT_EQ(attribute("GravitationalConstant"), std::vector{0.004300917270036279});
    EXPECT_EQ(attribute("UnitVelocity_in_cm_per_s"), std::vector{1e5});
    EXPECT_NEAR(attribute("UnitLength_in_cm")[0] / 3.0856775814913673e18, 1.0, 1e-15);
    EXPECT_EQ(hdf5_numbers(path, "PartType1", "Masses", false), stars.mass);
    const std::vector<double> positions = hdf5_numbers(path, "PartType1", "Coordinates", false);
    const std::vector<double> velocities = hdf5_numbers(path, "PartType1", "Velocities", false);
    const std::vector<double> ids = hdf5_numbers(path, "PartType1", "ParticleIDs", false);
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(positions[3 * i + 1], stars.y[i]);
        EXPECT_EQ(velocities[3 * i + 2], stars.vz[i]);
        EXPECT_EQ(ids[i], static_cast<double>(i + 1));
    }
}

TEST(Snapshot, GadgetFilesThatAreNone) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "stars.hdf5").string();
    io::write_file(path, "this is no HDF5 file");
    EXPECT_EQ(message_of<DataError>([&] { (void)open_star_source(path, ""); }),
              path + ": not an HDF5 file (not a Gadget snapshot that can be read): name another file");
}

TEST(Snapshot, TextThatIsWrongIsNamedByFileAndLine) {
    const ScratchDirectory scratch;
    const std::string path = (scratch / "fort.10").string();
    const auto message = [&](const std::string& text, const std::string& format = "nbody6") {
        io::write_file(path, text);
        return message_of<DataError>([&] {
            const auto source = open_star_source(path, format, henon_units());
            (void)read_stars(*source);
        });
    };
    EXPECT_EQ(message("1 0 0 0 0 0 0\n1 0 0 0 0 0\n"), path + ":2: 6 columns (a star has 7 here): correct the line");
    EXPECT_EQ(message("1 0 0 0 0 0 0 0\n"), path + ":1: 8 columns (a star has 7 here): correct the line");
    EXPECT_EQ(message("1 0 0 zero 0 0 0\n"), path + ":1: \"zero\" in column 4 (not a number): correct the line");
    EXPECT_EQ(message("\n1 0 0 inf 0 0 0\n"), path + ":2: z = inf (not finite): correct or remove the star");
    EXPECT_EQ(message("-1 0 0 1 0 0 0\n"), path + ":1: mass = -1 (negative): correct or remove the star");
    EXPECT_EQ(message("mass,x,y,z,vx,vy\n", "csv"),
              path + ":1: no column \"vz\" (columns are mass, x, y, z, vx, vy, vz): add or rename it");
    EXPECT_EQ(message("mass,x,y,z,vx,vy,vz,age\n", "csv"),
              path + ":1: column \"age\" (columns are mass, x, y, z, vx, vy, vz): remove it");
    EXPECT_EQ(message("mass,x,y,z,vx,vy,vz\n1,2,3\n", "csv"), path + ":2: 3 columns (a star has 7 here): correct the line");
    EXPECT_EQ(message("# nothing\n", "csv"), path + ": no line of column names (mass, x, y, z, vx, vy, vz): add one");
}

TEST(Snapshot, FortranNumbersAndColumnsInAnyOrderAreRead) {
    const ScratchDirectory scratch;
    const std::string fort = (scratch / "fort.10").string();
    io::write_file(fort, "  1.0D-3   2.0  3.0\t4.0 5.0 -6.0E+0 .7\r\n");
    const Stars stars = read_stars(*open_star_source(fort, ""));
    EXPECT_EQ(stars.mass[0], 1e-3);
    EXPECT_EQ(stars.vy[0], -6.0);
    EXPECT_EQ(stars.vz[0], 0.7);
    const std::string csv = (scratch / "stars.csv").string();
    io::write_file(csv, "vx, vy, vz, X, Y, Z, m\n1,2,3,4,5,6,7\n");
    const Stars sorted = read_stars(*open_star_source(csv, "", henon_units()));
    EXPECT_EQ(sorted.mass[0], 7.0);
    EXPECT_EQ(sorted.x[0], 4.0);
    EXPECT_EQ(sorted.vz[0], 3.0);
    EXPECT_EQ(message_of<ConfigError>([&] { (void)open_star_source(csv, ""); }),
              csv + ": the file does not say its units: give --units (pc-msun-kms, pc-msun-myr or henon)");
}

}  // namespace
}  // namespace aliquot::cluster
