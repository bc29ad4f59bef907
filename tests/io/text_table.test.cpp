#include "aliquot/io/text_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

using test::message_of;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

const Numbers& numbers(const TextTable& table, const std::string& column) {
    return table.columns[table.find(column, "the table")];
}

TEST(TextTable, WhitespaceColumnsWithAndWithoutNames) {
    const TextTable plain = parse_text_table("# made by hand\n\n1 2.5\n\t-3 +4e2 \r\n", "a.txt");
    EXPECT_EQ(plain.layout, TextFormat::columns);
    EXPECT_FALSE(plain.named);
    EXPECT_EQ(plain.names, (Names{"col1", "col2"}));
    EXPECT_EQ(numbers(plain, "1"), (Numbers{1, -3}));
    EXPECT_EQ(numbers(plain, "COL2"), (Numbers{2.5, 400}));
    const TextTable commented = parse_text_table("# SDSS\n# wave flux\n1 2\n3 4\n", "b.txt");
    EXPECT_TRUE(commented.named);
    EXPECT_EQ(commented.names, (Names{"wave", "flux"}));
    const TextTable headed = parse_text_table("wave flux err\n1 2 3\n", "c.txt");
    EXPECT_EQ(headed.names, (Names{"wave", "flux", "err"}));
    EXPECT_EQ(headed.rows(), 1U);
    const TextTable fortran = parse_text_table("1.0D+02 INDEF 1e-400 -1e-400 inf\n", "d.txt");
    EXPECT_EQ(numbers(fortran, "1"), Numbers{100});
    EXPECT_TRUE(std::isnan(numbers(fortran, "2")[0]));
    EXPECT_EQ(numbers(fortran, "3")[0], 0.0);
    EXPECT_TRUE(std::signbit(numbers(fortran, "4")[0]));
    EXPECT_EQ(numbers(fortran, "5")[0], std::numeric_limits<double>::infinity());
}

TEST(TextTable, CsvWithQuotesAndMissingCells) {
    const TextTable table = parse_text_table("wave,\"flux, raw\",name\n1,,\"a \"\"b\"\"\"\n2 , nan,c\n3,5,d\n", "a.csv");
    EXPECT_EQ(table.layout, TextFormat::csv);
    EXPECT_EQ(table.names, (Names{"wave", "flux, raw", "name"}));
    EXPECT_TRUE(std::isnan(numbers(table, "flux, raw")[0]) && std::isnan(numbers(table, "flux, raw")[1]));
    EXPECT_EQ(numbers(table, "flux, raw")[2], 5.0);
    EXPECT_TRUE(std::isnan(numbers(table, "name")[1]));  // a column of words
    EXPECT_EQ(parse_text_table("# wave, flux\n1,2\n", "b.csv").names, (Names{"wave", "flux"}));
    EXPECT_FALSE(parse_text_table("1,2\n3,4\n", "c.csv").named);
}

TEST(TextTable, MalformedLinesAreNamed) {
    EXPECT_EQ(message_of<DataError>([] { (void)parse_text_table("a,b\n1,2\n3\n", "x.csv"); }),
              "x.csv:3: 1 cells (the table has 2 columns): correct the line");
    EXPECT_EQ(message_of<DataError>([] { (void)parse_text_table("a,b\n1,\"2\n", "x.csv"); }),
              "x.csv:2: a quote stays open: close it");
    EXPECT_EQ(message_of<DataError>([] { (void)parse_text_table("wave flux\n1 2\n3 4x\n", "x.txt"); }),
              "x.txt:3: \"4x\" in column flux (not a number, as the others are): correct the cell");
    const TextTable table = parse_text_table("wave flux\n1 2\n3 4\n", "x.txt");
    EXPECT_EQ(message_of<DataError>([&] { (void)table.find("flx", "x.txt"); }),
              "x.txt: no column \"flx\"; did you mean \"flux\"?");
    EXPECT_EQ(message_of<DataError>([&] { (void)table.find("3", "x.txt"); }),
              "x.txt: no column 3 (the table has 2, counted from 1): name another");
    EXPECT_THROW((void)parse_text_table("", "x.txt"), DataError);
    EXPECT_THROW((void)parse_text_table("# only\n", "x.txt"), DataError);
    EXPECT_THROW((void)parse_text_table(std::string_view("1 2\0", 4), "x.txt"), DataError);
    try {
        (void)read_text_table("/nonexistent/x.txt");
        FAIL();
    } catch (const DataError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::no_input);
    }
}

// As astropy 8.0.2 writes it (Table.write(format="ascii.ecsv")), a long description wrapped onto a second line.
TEST(TextTable, EcsvFromAstropy) {
    const std::string header =
        "# %ECSV 1.0\n# ---\n# datatype:\n"
        "# - {name: wave, unit: Angstrom, datatype: float64, format: '%g'}\n"
        "# - {name: flux, unit: erg / (s cm2), datatype: float64, description: 'long, text: with {braces} long, text: with\n"
        "#     {braces} '}\n"
        "# - {name: a b, datatype: int64}\n";
    const std::string rest = "# meta: !!omap\n# - k: {x: 1}\n# schema: astropy-2.0\n";
    for (const TextTable& table :
         {parse_text_table(header + rest + "wave flux \"a b\"\n1.0 0.1 1\n2.5 \"\" 2\n", "a.ecsv"),
          parse_text_table(header + "# delimiter: ','\n" + rest + "wave,flux,a b\n1.0,0.1,1\n2.5,,2\n", "b.ecsv")}) {
        EXPECT_EQ(table.layout, TextFormat::ecsv);
        EXPECT_EQ(table.names, (Names{"wave", "flux", "a b"}));
        EXPECT_EQ(table.units[0], "Angstrom");
        EXPECT_EQ(table.units[1], "erg / (s cm2)");
        EXPECT_EQ(table.units[2], "");
        EXPECT_EQ(numbers(table, "wave"), (Numbers{1.0, 2.5}));
        EXPECT_EQ(numbers(table, "flux")[0], 0.1);
        EXPECT_TRUE(std::isnan(numbers(table, "flux")[1]));
        EXPECT_EQ(numbers(table, "a b"), (Numbers{1, 2}));
    }
    const TextTable block = parse_text_table(
        "# %ECSV 0.9\n# ---\n# datatype:\n# - name: x\n#   unit: nm\n#   datatype: float64\n# - name: y\n#   datatype: "
        "float64\nx y\n1 2\n",
        "c");
    EXPECT_EQ(block.units[0], "nm");
    EXPECT_EQ(block.units[1], "");
}

// Published machine-readable file; values by eye from its first and last lines.
TEST(TextTable, CdsFileOfPark2022) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_park2022.dat");
    const TextTable table = read_text_table(path);
    EXPECT_EQ(table.layout, TextFormat::cds);
    EXPECT_EQ(table.names, (Names{"Wave", "Flux", "e_Flux"}));
    EXPECT_EQ(table.units[1], "10-13W/m2/nm");
    ASSERT_EQ(table.rows(), 801U);
    EXPECT_EQ(numbers(table, "Wave").front(), 4000.0);
    EXPECT_EQ(numbers(table, "Wave").back(), 5600.0);
    EXPECT_EQ(numbers(table, "Flux").front(), 0.02977);
    EXPECT_EQ(numbers(table, "Flux").back(), 0.00003);
    EXPECT_EQ(numbers(table, "e_Flux").back(), 0.00158);
    EXPECT_EQ(numbers(table, "Flux")[(4586 - 4000) / 2], 0.74951);
}

TEST(TextTable, CdsBlanksNullsAndLongLines) {
    const std::string header =
        "Title: t\n================================================================================\n"
        "Byte-by-byte Description of file: t.txt\n--------\n   Bytes Format Units Label Explanations\n--------\n"
        "   1-  4 F4.1 nm    x     First\n                            goes on\n   6     I1   ---   y     ?=9 "
        "Second\n--------\nNotes: none\n--------\n";
    const TextTable table = parse_text_table(header + "12.5 1\n 1.0 9\n     2\n3.0\n", "t.txt");
    EXPECT_EQ(numbers(table, "x")[0], 12.5);
    EXPECT_TRUE(std::isnan(numbers(table, "y")[1]) && std::isnan(numbers(table, "x")[2]) && std::isnan(numbers(table, "y")[3]));
    EXPECT_EQ(message_of<DataError>([&] { (void)parse_text_table(header + "12.5 1 junk\n", "t.txt"); }),
              "t.txt:13: text beyond byte 6 (the description ends there): correct the line");
}

TEST(TextTable, IpacFileOfBorosonAndGreen) {
    ALIQUOT_NEEDS_DATA(path, "irontemplate_boroson1992.ipac");
    const TextTable table = read_text_table(path);
    EXPECT_EQ(table.layout, TextFormat::ipac);
    EXPECT_EQ(table.names, (Names{"Spectral_axis", "Intensity"}));
    EXPECT_EQ(table.units[1], "e-17erg/cm2/s/A");
    ASSERT_EQ(table.rows(), 5418U);
    // The first value reaches under the bar between the columns.
    EXPECT_EQ(numbers(table, "Spectral_axis")[0], 1074.9790488200824);
    EXPECT_EQ(numbers(table, "Spectral_axis")[1], 1075.35039755601);
    EXPECT_EQ(numbers(table, "Intensity")[0], 0.0);
}

TEST(TextTable, IpacNullsAndValuesAcrossBars) {
    const std::string header = "\\note = 'x'\n|   a|   b|\n| int| int|\n|    |   m|\n|null| -99|\n";
    const TextTable table = parse_text_table(header + "    1    2 \n null  -99 \n", "t.tbl");
    EXPECT_EQ(table.units[1], "m");
    EXPECT_EQ(numbers(table, "a")[0], 1.0);
    EXPECT_TRUE(std::isnan(numbers(table, "a")[1]) && std::isnan(numbers(table, "b")[1]));
    EXPECT_EQ(message_of<DataError>([&] { (void)parse_text_table(header + " 1234567 \n", "t.tbl"); }),
              "t.tbl:6: a value reaches across the bar at character 6: correct the line");
}

TEST(TextTable, StellarSpectraHaveCommentsAndTwoColumns) {
    ALIQUOT_NEEDS_DATA(path, "HD_140027.txt");
    const TextTable table = read_text_table(path);
    EXPECT_EQ(table.rows(), 15011U);
    EXPECT_EQ(numbers(table, "1").front(), 3465.0);
    EXPECT_EQ(numbers(table, "2").front(), 0.2468764);
}

}  // namespace
}  // namespace aliquot::io
