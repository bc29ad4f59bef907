#include "aliquot/io/fits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

using test::message_of;
using test::ScratchDirectory;

const double inf = std::numeric_limits<double>::infinity();

void write_example(const std::filesystem::path& path) {
    FitsWriter writer(path);
    writer.card("NDIM", std::int64_t{8}, "dimensions");
    writer.card("LOG_EVIDENCE", 8238.836, "ln Z");
    writer.card("SAMPLE_METHOD", std::string("slice"));
    writer.card("CONVERGD", true);
    const std::vector<double> wave{4900.0, 0.1, -0.0, inf, std::numeric_limits<double>::quiet_NaN(), 5e-324};
    writer.image("WAVE_USE", wave);
    const std::vector<double> samples{1, 2, 3, 4, 5, 6};
    writer.image("SAMPLES", MatrixView<const double>(samples.data(), 2, 3));
    writer.text("MODEL_STR", "{\"\xc3\xa9\": 1}");
    const std::vector<FitsColumn> columns{{"PARAM_NAME", std::vector<std::string>{"amp", "sigma_w0", ""}, ""},
                                          {"VALUE", std::vector<double>{0.1, -inf, 3.0}, "km/s"},
                                          {"FIXED", std::vector<bool>{true, false, true}, ""},
                                          {"COUNT", std::vector<std::int64_t>{1, -2, 9007199254740993}, ""}};
    writer.table("MODEL_PARAM", columns);
    writer.card("RUNTIME", 0.1, "added after other HDUs");
    writer.card("NOTE", std::string(200, 'x') + " end");
    writer.card("BAD", inf);
    writer.image("EMPTY", std::vector<double>{});
    writer.close();
}

TEST(Fits, WhatIsWrittenIsReadBackBitForBit) {
    const ScratchDirectory scratch;
    write_example(scratch / "fit.fits");
    EXPECT_EQ(scratch.listing(), std::vector<std::string>{"fit.fits"});
    const FitsReader reader(scratch / "fit.fits");
    EXPECT_EQ(reader.hdu_count(), 6U);
    EXPECT_EQ(reader.key_integer(0, "NDIM"), 8);
    EXPECT_EQ(reader.key_double(0, "NDIM"), 8.0);
    EXPECT_EQ(reader.key_double(0, "LOG_EVIDENCE"), 8238.836);
    EXPECT_EQ(reader.key_string(0, "SAMPLE_METHOD"), "slice");
    EXPECT_EQ(reader.key_bool(0, "CONVERGD"), true);
    EXPECT_EQ(reader.key_double(0, "RUNTIME"), 0.1);
    EXPECT_EQ(reader.key_string(0, "NOTE"), std::string(200, 'x') + " end");
    EXPECT_EQ(reader.key_double(0, "BAD"), inf);
    EXPECT_EQ(reader.key_double(0, "NOSUCH"), std::nullopt);
    EXPECT_THROW((void)reader.key_double(0, "SAMPLE_METHOD"), DataError);
    EXPECT_THROW((void)reader.key_integer(0, "RUNTIME"), DataError);
    EXPECT_THROW((void)reader.key_string(0, "NDIM"), DataError);

    const std::vector<double> wave = reader.image(reader.require("wave_use"));
    ASSERT_EQ(wave.size(), 6U);
    EXPECT_EQ(wave[1], 0.1);
    EXPECT_TRUE(std::signbit(wave[2]));
    EXPECT_EQ(wave[3], inf);
    EXPECT_TRUE(std::isnan(wave[4]));
    EXPECT_EQ(wave[5], 5e-324);
    EXPECT_EQ(reader.shape(2), (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(reader.image(2), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    const auto text = reader.bytes(reader.require("MODEL_STR"));
    EXPECT_EQ(std::string(text.begin(), text.end()), "{\"\xc3\xa9\": 1}");
    const std::size_t table = reader.require("MODEL_PARAM");
    EXPECT_EQ(reader.kind(table), FitsKind::table);
    EXPECT_EQ(reader.rows(table), 3U);
    EXPECT_EQ(reader.column_names(table), (std::vector<std::string>{"PARAM_NAME", "VALUE", "FIXED", "COUNT"}));
    EXPECT_EQ(reader.column_strings(table, "param_name"), (std::vector<std::string>{"amp", "sigma_w0", ""}));
    EXPECT_EQ(reader.column(table, "Value"), (std::vector<double>{0.1, -inf, 3.0}));
    EXPECT_EQ(reader.column_unit(table, "VALUE"), "km/s");
    EXPECT_EQ(reader.column_bools(table, "FIXED"), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(reader.column_integers(table, "COUNT"), (std::vector<std::int64_t>{1, -2, 9007199254740993}));
    EXPECT_TRUE(reader.image(reader.require("EMPTY")).empty());
}

TEST(Fits, AnUnfinishedFileLeavesNothingBehind) {
    const ScratchDirectory scratch;
    {
        FitsWriter writer(scratch / "fit.fits");
        writer.image("A", std::vector<double>(10000, 1.0));
    }
    EXPECT_TRUE(scratch.listing().empty());
    EXPECT_THROW(FitsWriter("/nonexistent/fit.fits"), ResourceError);
}

TEST(Fits, MissingColumnsAndHdusNameTheNearest) {
    const ScratchDirectory scratch;
    write_example(scratch / "fit.fits");
    const FitsReader reader(scratch / "fit.fits");
    const std::string path = (scratch / "fit.fits").string();
    EXPECT_EQ(message_of<DataError>([&] { (void)reader.column(4, "VALEU"); }),
              path + ", HDU 4: no column \"VALEU\"; did you mean \"VALUE\"?");
    EXPECT_EQ(message_of<DataError>([&] { (void)reader.column(4, "zzzzzz"); }),
              path + ", HDU 4: no column \"zzzzzz\"; known: PARAM_NAME, VALUE, FIXED, COUNT");
    EXPECT_EQ(message_of<DataError>([&] { (void)reader.require("SAMPLE"); }),
              path + ": no HDU \"SAMPLE\"; did you mean \"SAMPLES\"?");
    EXPECT_THROW((void)reader.column(4, "PARAM_NAME"), DataError);
    EXPECT_THROW((void)reader.column(1, "VALUE"), DataError);
    EXPECT_THROW((void)reader.image(4), DataError);
    EXPECT_THROW((void)reader.image(9), DataError);
}

TEST(Fits, FilesThatAreNotFitsAreRefused) {
    const ScratchDirectory scratch;
    try {
        FitsReader reader(scratch / "none.fits");
        FAIL();
    } catch (const DataError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::no_input);
        EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
    }
    write_file(scratch / "text.fits", "lambda flux\n1 2\n");
    EXPECT_EQ(message_of<DataError>([&] { FitsReader reader(scratch / "text.fits"); }),
              (scratch / "text.fits").string() +
                  ": not a FITS file (it does not begin with \"SIMPLE  =\"): name a FITS file or set another format");
    write_file(scratch / "empty.fits", "");
    EXPECT_NE(message_of<DataError>([&] { FitsReader reader(scratch / "empty.fits"); }).find("it is empty"), std::string::npos);
    EXPECT_THROW(FitsReader{scratch / ""}, DataError);
}

TEST(Fits, TruncatedFilesAreRefusedWhereverTheyEnd) {
    const ScratchDirectory scratch;
    write_example(scratch / "fit.fits");
    const std::string whole = read_file(scratch / "fit.fits");
    const FitsReader original(scratch / "fit.fits");
    std::size_t refused = 0;
    std::size_t opened = 0;
    for (std::size_t size = 1; size < whole.size(); size += 397) {
        write_file(scratch / "cut.fits", whole.substr(0, size));
        try {
            const FitsReader reader(scratch / "cut.fits");
            // What opens ends in the fill behind an HDU's data, or at its end: all that is left is as it was.
            for (std::size_t hdu = 0; hdu < reader.hdu_count(); ++hdu) {
                if (reader.kind(hdu) == FitsKind::table) {
                    EXPECT_EQ(reader.column(hdu, "VALUE"), original.column(hdu, "VALUE")) << size;
                } else {
                    EXPECT_EQ(reader.image(hdu).size(), original.image(hdu).size()) << size;
                }
            }
            ++opened;
        } catch (const DataError& error) {
            EXPECT_NE(std::string(error.what()).find("cut.fits"), std::string::npos);
            ++refused;
        }
    }
    EXPECT_GT(refused, opened);
    ALIQUOT_NEEDS_DATA(real, "ir07546sed.fits");
    const std::string spectrum = read_file(real);
    write_file(scratch / "cut.fits", spectrum.substr(0, spectrum.size() / 2));
    EXPECT_NE(message_of<DataError>([&] { FitsReader reader(scratch / "cut.fits"); }).find("truncated"), std::string::npos);
    ALIQUOT_NEEDS_DATA(sdss, "spec-0651-52141-0434.fits");
    const std::string sdss_bytes = read_file(sdss);
    for (const double fraction : {0.05, 0.1, 0.3, 0.6, 0.9}) {
        write_file(scratch / "cut.fits",
                   sdss_bytes.substr(0, static_cast<std::size_t>(fraction * static_cast<double>(sdss_bytes.size()))));
        const std::string message = message_of<DataError>([&] { FitsReader reader(scratch / "cut.fits"); });
        EXPECT_NE(message.find("truncated"), std::string::npos) << fraction << ": " << message;
    }
}

// Values read with astropy 8.0.2.
TEST(Fits, ReadsSurveyFilesAsAstropyDoes) {
    ALIQUOT_NEEDS_DATA(path, "spec-0651-52141-0434.fits");
    const FitsReader reader(path);
    EXPECT_EQ(reader.hdu_count(), 4U);
    EXPECT_EQ(reader.name(1), "COADD");
    EXPECT_EQ(reader.rows(1), 3841U);
    EXPECT_EQ(reader.column(2, "z").at(0), static_cast<double>(0.06990718F));
    EXPECT_EQ(reader.column_strings(2, "CLASS").at(0), "GALAXY");
    const auto mask = reader.column_integers(1, "and_mask");
    EXPECT_EQ(mask.size(), 3841U);
}

}  // namespace
}  // namespace aliquot::io
