#include <gtest/gtest.h>
#include <hdf5.h>

#include <bit>

#include "aliquot/core/error.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/io/hdf5.hpp"
#include "aliquot/summary/frame_files.hpp"
#include "summary/frames.hpp"
#include "support/files.hpp"

namespace aliquot::summary {
namespace {

/// Rows and draws of a file, read in two parts.
std::vector<float> read_file_of(const std::string& path, std::size_t rows, std::size_t draws, const FrameOptions& options = {}) {
    Frame frame = find_frames(path, options).at(0).open();
    EXPECT_EQ(frame.source->rows(), rows);
    EXPECT_EQ(frame.source->draws(), draws);
    EXPECT_EQ(frame.index->rows(), rows);
    std::vector<float> values(rows * draws);
    frame.source->read(0, rows / 3, values.data());
    frame.source->read(rows / 3, rows - rows / 3, values.data() + rows / 3 * draws);
    return values;
}

/// Written with the HDF5 library itself.
void write_hdf5(const std::filesystem::path& path, const test::SmallFrame& frame, bool chunked) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "/sb", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t extent[] = {frame.rows, frame.draws};
    const hsize_t chunk[] = {37, 10};
    const hid_t space = H5Screate_simple(2, extent, nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) {
        H5Pset_chunk(properties, 2, chunk);
        H5Pset_deflate(properties, 4);
    }
    const hid_t set = H5Dcreate2(group, "values", H5T_IEEE_F32BE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, frame.values.data());
    const hid_t line = H5Screate_simple(1, extent, nullptr);
    for (const auto& [name, values] : {std::pair{"time", &frame.times}, {"unit", &frame.units}}) {
        const hid_t column = H5Dcreate2(group, name, H5T_STD_I32LE, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(column, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values->data());
        H5Dclose(column);
    }
    H5Dclose(set);
    H5Pclose(properties);
    H5Sclose(space);
    H5Sclose(line);
    H5Gclose(group);
    H5Fclose(file);
}

TEST(ScienceFiles, Hdf5DatasetsInOnePieceAndInChunks) {
    const test::ScratchDirectory scratch;
    const test::SmallFrame frame(300, 23);
    for (const bool chunked : {false, true}) {
        const auto path = scratch / (chunked ? "chunked.h5" : "whole.h5");
        write_hdf5(path, frame, chunked);
        EXPECT_EQ(read_file_of(path.string(), 300, 23), frame.values);
        EXPECT_EQ(read_file_of(path.string() + ":/sb/values", 300, 23), frame.values);
        Frame open = find_frames(path.string(), {}).at(0).open();
        EXPECT_EQ(open.level, Level::priogrid);
        std::vector<std::int64_t> times(300);
        std::vector<std::int64_t> units(300);
        open.index->read(0, times, units);
        EXPECT_EQ(times, frame.times);
        EXPECT_EQ(units, frame.units);
        EXPECT_EQ(io::Hdf5Reader(path.string()).describe("sb/values").offset.has_value(), !chunked);
        EXPECT_NE(test::message_of<DataError>([&] {
                      (void)find_frames(path.string() + ":/sb/value", {}).at(0).open();
                  }).find("/sb/values"),
                  std::string::npos);
    }
    io::write_file(scratch / "no.h5", "no HDF5");
    EXPECT_NE(test::message_of<DataError>([&] {
                  (void)find_frames((scratch / "no.h5").string(), {}).at(0).open();
              }).find("not an HDF5"),
              std::string::npos);
}

TEST(ScienceFiles, FitsImagesColumnsAndPosteriors) {
    const test::ScratchDirectory scratch;
    Matrix<double> draws(50, 4);
    for (std::size_t i = 0; i < 200; ++i)
        draws(i / 4, i % 4) = 0.25 * static_cast<double>(i);
    {
        io::FitsWriter writer(scratch / "image.fits");
        writer.image("DRAWS", std::as_const(draws).view());
        writer.close();
        io::FitsWriter fit(scratch / "fit.fits");
        fit.image("SAMPLES", std::as_const(draws).view());
        fit.image("SAMPLES_EQ", std::as_const(draws).view());
        const std::vector<io::FitsColumn> names{{"FULL_PARAM_NAME", std::vector<std::string>{"a", "b", "c", "d"}, ""}};
        fit.table("FULL_PARAM", names);
        fit.close();
    }
    std::vector<float> rows;
    std::vector<float> columns(200);
    for (std::size_t i = 0; i < 200; ++i) {
        rows.push_back(0.25F * static_cast<float>(i));
        columns[i % 4 * 50 + i / 4] = rows.back();
    }
    EXPECT_EQ(read_file_of((scratch / "image.fits").string(), 50, 4), rows);
    EXPECT_EQ(read_file_of((scratch / "image.fits").string() + ":DRAWS", 50, 4), rows);
    FrameOptions first;
    first.sample_axis = SampleAxis::first;
    EXPECT_EQ(read_file_of((scratch / "image.fits").string(), 4, 50, first), columns);
    EXPECT_EQ(read_file_of((scratch / "fit.fits").string(), 4, 50), columns);
    EXPECT_EQ(find_frames((scratch / "fit.fits").string(), {}).at(0).open().labels,
              (std::vector<std::string>{"a", "b", "c", "d"}));
}

/// A binary table of an integer and a column of three float32 per row, card by card.
TEST(ScienceFiles, FitsColumnsOfVectors) {
    const test::ScratchDirectory scratch;
    std::string bytes;
    const auto card = [&](std::string text) {
        text.resize(80, ' ');
        bytes += text;
    };
    const auto pad = [&](char fill) { bytes.resize((bytes.size() + 2879) / 2880 * 2880, fill); };
    for (const char* text :
         {"SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0", "END"})
        card(text);
    pad(' ');
    for (const char* text :
         {"XTENSION= 'BINTABLE'", "BITPIX  =                    8", "NAXIS   =                    2",
          "NAXIS1  =                   14", "NAXIS2  =                    5", "PCOUNT  =                    0",
          "GCOUNT  =                    1", "TFIELDS =                    2", "TTYPE1  = 'ID      '", "TFORM1  = 'I       '",
          "TTYPE2  = 'DRAWS   '", "TFORM2  = '3E      '", "EXTNAME = 'FORECAST'", "END"})
        card(text);
    pad(' ');
    std::vector<float> expected;
    for (int row = 0; row < 5; ++row) {
        bytes += std::string("\0\7", 2);
        for (int draw = 0; draw < 3; ++draw) {
            expected.push_back(static_cast<float>(10 * row + draw));
            const auto bits = std::bit_cast<std::uint32_t>(expected.back());
            for (int shift = 24; shift >= 0; shift -= 8)
                bytes += static_cast<char>(bits >> shift & 255U);
        }
    }
    pad('\0');
    io::write_file(scratch / "table.fits", bytes);
    const std::string path = (scratch / "table.fits").string();
    EXPECT_EQ(read_file_of(path + ":FORECAST/DRAWS", 5, 3), expected);
    EXPECT_NE(test::message_of<DataError>([&] { (void)find_frames(path + ":FORECAST/DRAW", {}).at(0).open(); }).find("DRAWS"),
              std::string::npos);
    EXPECT_NE(test::message_of<DataError>([&] { (void)find_frames(path, {}).at(0).open(); }).find("HDU/COLUMN"),
              std::string::npos);
}

}  // namespace
}  // namespace aliquot::summary
