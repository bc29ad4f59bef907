#include "aliquot/spectra/spectrum_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/spectra/spectrum_prepare.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

using test::message_of;
using test::ScratchDirectory;

bool says(const Spectrum& s, const std::string& text) {
    return std::ranges::any_of(s.history, [&](const std::string& step) { return step.find(text) != std::string::npos; });
}

// Values read with astropy 8.0.2 and numpy: 3841 pixels, 60 of them with ivar = 0, 8 good ones with flux <= error, 55 with
// and_mask bit 20.
TEST(ReadSpectrum, SdssFile) {
    ALIQUOT_NEEDS_DATA(path, "spec-0651-52141-0434.fits");
    const Spectrum s = read_spectrum(path.string(), {});
    ASSERT_EQ(s.size(), 3841U);
    EXPECT_DOUBLE_EQ(s.wavelength_angstrom[0], 3806.272589737735);
    EXPECT_EQ(s.flux[5], 9.4315652847290039);
    EXPECT_DOUBLE_EQ(s.error[5], 4.2524535704369022);
    EXPECT_EQ(s.redshift, static_cast<double>(0.06990718F));
    EXPECT_EQ(s.medium, Medium::vacuum);
    EXPECT_EQ(s.frame, Frame::observed);
    EXPECT_TRUE(says(s, "60 pixels have zero inverse variance"));
    EXPECT_TRUE(says(s, "vacuum wavelengths, observed frame"));
    const Spectrum prepared = prepare(s, {});
    EXPECT_EQ(prepared.size(), 3781U);  // faint pixels stay
    std::size_t faint = 0;
    for (std::size_t i = 0; i < prepared.size(); ++i)
        faint += prepared.flux[i] <= prepared.error[i] ? 1 : 0;
    EXPECT_EQ(faint, 8U);
    ReadOptions options;
    options.mask_bits = 1U << 20U;
    EXPECT_TRUE(says(read_spectrum(path.string(), options), "55 pixels masked"));
}

TEST(ReadSpectrum, JadesTableNeedsItsUnit) {
    ALIQUOT_NEEDS_DATA(path, "jades-gdn198-v4_g395m-f290lp_1181_68797.spec.fits");
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(path.string(), {}); }).find("set input.wavelength_unit"),
              std::string::npos);
    ReadOptions options;
    options.wavelength_unit = "micron";
    for (const std::optional<std::size_t> hdu : {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
        options.hdu = hdu;
        const Spectrum s = read_spectrum(path.string(), options);
        ASSERT_EQ(s.size(), 1661U);
        EXPECT_NEAR(s.wavelength_angstrom[700], 38733.333333334685, 1e-9);
        EXPECT_EQ(s.flux[700], 1.8347475409339535);
        EXPECT_EQ(s.error[700], 0.17112988392130543);
        EXPECT_EQ(prepare(s, {}).size(), 1651U);
    }
    options.flux = "fluks";
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(path.string(), options); }).find("did you mean \"flux\"?"),
              std::string::npos);
}

TEST(ReadSpectrum, ColumnsByNameAndNumber) {
    ALIQUOT_NEEDS_DATA(path, "mock_two_line_spectrum.fits");
    EXPECT_EQ(read_spectrum(path.string(), {}).size(), 2000U);
    ReadOptions options;
    options.flux = "FLUX_INTRINSIC";
    EXPECT_NE(read_spectrum(path.string(), options).flux, read_spectrum(path.string(), {}).flux);
    const ScratchDirectory scratch;
    const auto file = scratch / "a.txt";
    io::write_file(file, "1 5000 2 0.1 9\n2 5001 3 0.2 9\n");
    options = {};
    options.wavelength = "2";
    options.flux = "3";
    options.error = "4";
    const Spectrum s = read_spectrum(file.string(), options);
    EXPECT_EQ(s.wavelength_angstrom, (std::vector<double>{5000, 5001}));
    EXPECT_EQ(s.flux, (std::vector<double>{2, 3}));
    EXPECT_EQ(s.error, (std::vector<double>{0.1, 0.2}));
}

TEST(ReadSpectrum, TextFilesInEveryDress) {
    const ScratchDirectory scratch;
    const std::vector<std::pair<std::string, std::string>> files{
        {"plain.txt", "# no names here at all\n5000 1 0.1\n5001 2 0.2\n"},
        {"named.txt", "# wave flux err\n5000 1 0.1\n5001 2 0.2\n"},
        {"a.csv", "Wavelength,Flux,Error\n5000,1,0.1\n5001,2,0.2\n"},
        {"nm.ecsv",
         "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: wave, unit: nm, datatype: float64}\n# - {name: flux, unit: mJy, datatype: "
         "float64}\n"
         "# - {name: err, datatype: float64}\nwave flux err\n500.0 1 0.1\n500.1 2 0.2\n"},
        {"a.tbl", "|  wave| flux|  err|\n|double|float|float|\n|    um|     |     |\n 0.5000    1   0.1 \n 0.5001    2   0.2 \n"},
        {"down.txt", "5001 2 0.2\n5000 1 0.1\n"}};
    for (const auto& [name, text] : files) {
        io::write_file(scratch / name, text);
        const Spectrum s = read_spectrum((scratch / name).string(), {});
        ASSERT_EQ(s.size(), 2U) << name;
        EXPECT_NEAR(s.wavelength_angstrom[0], 5000.0, 1e-9) << name;
        EXPECT_NEAR(s.wavelength_angstrom[1], 5001.0, 1e-9) << name;
        EXPECT_EQ(s.flux, (std::vector<double>{1, 2})) << name;
        EXPECT_EQ(s.error, (std::vector<double>{0.1, 0.2})) << name;
    }
    EXPECT_EQ(read_spectrum((scratch / "nm.ecsv").string(), {}).flux_unit, "mJy");
    EXPECT_TRUE(says(read_spectrum((scratch / "down.txt").string(), {}), "sorted"));
    EXPECT_TRUE(says(read_spectrum((scratch / "plain.txt").string(), {}), "Angstrom assumed"));
    EXPECT_TRUE(says(read_spectrum((scratch / "plain.txt").string(), {}), "(assumed)"));
}

/// An image spectrum of three pixels with the given axis keys, made by hand since FitsWriter puts cards into an empty primary
/// HDU.
std::string image_file(const std::string& axis_cards) {
    const auto card = [](std::string text) { return text + std::string(80 - text.size(), ' '); };
    std::string header = card("SIMPLE  =                    T") + card("BITPIX  =                   16") +
                         card("NAXIS   =                    1") + card("NAXIS1  =                    3");
    for (std::size_t start = 0; start < axis_cards.size();) {
        const std::size_t end = axis_cards.find('\n', start);
        header += card(axis_cards.substr(start, end - start));
        start = end + 1;
    }
    header += card("END");
    header.resize(2880, ' ');
    std::string data("\0\1\0\2\0\3", 6);
    data.resize(2880, '\0');
    return header + data;
}

TEST(ReadSpectrum, ImagesWithLinearAndLogAxes) {
    const ScratchDirectory scratch;
    const auto file = scratch / "image.fits";
    io::write_file(
        file, image_file("CRVAL1  =               5000.0\nCDELT1  =                  2.0\nCRPIX1  =                  2.0\n"));
    EXPECT_EQ(read_spectrum(file.string(), {}).wavelength_angstrom, (std::vector<double>{4998, 5000, 5002}));
    EXPECT_EQ(read_spectrum(file.string(), {}).flux, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(read_spectrum(file.string(), {}).error.empty());
    io::write_file(
        file, image_file("CRVAL1  =                  3.0\nCD1_1   =                  1.0\nDC-FLAG =                    1\n"));
    const Spectrum log = read_spectrum(file.string(), {});
    EXPECT_NEAR(log.wavelength_angstrom[1], 1e4, 1e-9);
    EXPECT_NEAR(log.wavelength_angstrom[2], 1e5, 1e-8);
    io::write_file(file, image_file("CRVAL1  =                500.0\nCD1_1   =                  1.0\nCUNIT1  = 'nm      '\n"));
    EXPECT_EQ(read_spectrum(file.string(), {}).wavelength_angstrom[0], 5000.0);
    io::write_file(file, image_file("CRVAL1  =                500.0\n"));
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(file.string(), {}); }).find("no wavelength axis"),
              std::string::npos);
}

TEST(ReadSpectrum, FaultsNameFileAndRemedy) {
    const ScratchDirectory scratch;
    try {
        (void)read_spectrum((scratch / "none.fits").string(), {});
        FAIL();
    } catch (const DataError& error) {
        EXPECT_EQ(error.exit_code(), ExitCode::no_input);
    }
    const auto file = scratch / "a.txt";
    io::write_file(file, "a b c\n1 2 3\n");
    EXPECT_NE(message_of<DataError>([&] {
                  (void)read_spectrum(file.string(), {});
              }).find("(columns: a, b, c): name it with input.wavelength"),
              std::string::npos);
    io::write_file(file, "5000 1\n5000 2\n");
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(file.string(), {}); }).find("appears twice (rows 1 and 2)"),
              std::string::npos);
    io::write_file(file, "5000 1\n5001\n");
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(file.string(), {}); }).find("a.txt:2: 1 cells"), std::string::npos);
    io::write_file(file, "5000 1\nnan 2\n");
    EXPECT_THROW((void)read_spectrum(file.string(), {}), DataError);
    ReadOptions fits;
    fits.format = SpectrumFormat::fits_table;
    EXPECT_NE(message_of<DataError>([&] { (void)read_spectrum(file.string(), fits); }).find("not a FITS file"),
              std::string::npos);
    EXPECT_EQ(message_of<ConfigError>([] { (void)parse_spectrum_format("sds"); }),
              "format = \"sds\" (unknown); did you mean \"sdss\"?");
}

}  // namespace
}  // namespace aliquot::spectra
