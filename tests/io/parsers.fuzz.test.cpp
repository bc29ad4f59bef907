#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/text_table.hpp"
#include "aliquot/io/zip.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

/// A seed with up to eight bytes changed, removed, repeated or spliced in; the same for the same index.
std::string mutate(const std::string& seed, std::uint64_t index, const std::string& alphabet) {
    RandomStream random(20240501, 7, index);
    std::string text = seed;
    const std::uint32_t changes = 1 + random.below(8);
    for (std::uint32_t change = 0; change < changes && !text.empty(); ++change) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
        const std::size_t length = std::min<std::size_t>(1 + random.below(12), text.size() - at);
        switch (random.below(5)) {
            case 0:
                text[at] = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, text.substr(at, length));
                break;
            case 3:
                text[at] = static_cast<char>(random.below(256));
                break;
            default:
                text.insert(random.below(static_cast<std::uint32_t>(text.size())), text.substr(at, length));
        }
    }
    return text;
}

/// Write without the cost of flushing to the disk.
void write_plain(const std::filesystem::path& path, const std::string& bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
}

/// `parse` may refuse its input with one of the input errors, and nothing else.
void expect_graceful(const std::function<void()>& parse, const std::string& input, std::size_t& refused) {
    try {
        parse();
    } catch (const DataError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        ++refused;
    } catch (const ConfigError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        ++refused;
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << " from\n" << input.substr(0, 2000);
    }
}

TEST(Fuzz, TextTables) {
    const std::vector<std::string> seeds{
        "# wave flux\n5000 1.5e-3 nan\n5001 +2 0.1\n", "wave,\"fl,ux\",err\n5000,1,\n5001,\"2\",0.1\n",
        "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# - {name: wave, unit: 'nm', datatype: float64, description: 'a: "
        "{b}'}\n"
        "# - {name: flux, datatype: float64}\n# meta: !!omap\nwave,flux\n1,2\n3,\n",
        "\\x = 1\n|  wave| flux|\n|double|  int|\n|    um|     |\n|  null| -999|\n 0.5000    1 \n 0.5001 -999 \n",
        "Title: t\n======\nByte-by-byte Description of file: t\n------\n Bytes Format Units Label Expl\n------\n   1-  4 F4.1 nm "
        "  x  ?=9 First\n"
        "   6     I1   ---  y  Second\n------\n12.5 1\n 1.0 9\n"};
    std::size_t refused = 0;
    std::size_t runs = 0;
    for (const std::string& seed : seeds) {
        for (std::uint64_t index = 0; index < 4000; ++index, ++runs) {
            const std::string text = mutate(seed, index, "|#,\"'{}:-0123456789eE.+\n\r\t \\");
            expect_graceful([&] { (void)parse_text_table(text, "fuzz"); }, text, refused);
            for (const TextFormat format :
                 {TextFormat::csv, TextFormat::ecsv, TextFormat::ipac, TextFormat::cds, TextFormat::columns}) {
                if (index % 8 == 0) expect_graceful([&] { (void)parse_text_table(text, "fuzz", format); }, text, refused);
            }
        }
    }
    EXPECT_GT(refused, runs / 10);
}

TEST(Fuzz, Configurations) {
    const std::string seed =
        "title = \"a\"\nwindow = [4900, 5100.5]\nmasks = [[1, 2], [3, 4]]\n[sampler]\nnlive = 400\n[[model.component]]\nname = "
        "'x'\n"
        "prior.amp = { uniform = [0, 1] }\ndate = 2020-01-01\n";
    std::size_t refused = 0;
    for (std::uint64_t index = 0; index < 4000; ++index) {
        const std::string text = mutate(seed, index, "[]{}=.,\"'#\n\\ 0123456789eE+-_:TZ");
        const auto read = [&] {
            Config config = Config::parse(text, "fuzz.toml");
            config.set(text.substr(0, 1 + index % 30));
            const ConfigTable root = config.root();
            (void)root.find<std::string>("title");
            (void)root.find<std::vector<double>>("window");
            (void)root.find<std::vector<std::vector<double>>>("masks");
            (void)root.table("sampler").get<std::size_t>("nlive", 1);
            for (const ConfigTable& component : root.table("model").tables("component")) {
                for (const std::string& key : component.keys())
                    (void)component.kind(key);
            }
            (void)config.to_toml();
            config.check_all_used();
        };
        expect_graceful(read, text, refused);
    }
    EXPECT_GT(refused, 400U);
}

TEST(Fuzz, FitsFiles) {
    const test::ScratchDirectory scratch;
    {
        FitsWriter writer(scratch / "seed.fits");
        writer.card("NDIM", std::int64_t{8});
        writer.image("WAVE", std::vector<double>{1, 2, 3});
        const std::vector<FitsColumn> columns{{"NAME", std::vector<std::string>{"amp", "sigma"}, ""},
                                              {"VALUE", std::vector<double>{0.1, 0.2}, "km/s"},
                                              {"FIXED", std::vector<bool>{true, false}, ""}};
        writer.table("PARAM", columns);
        writer.close();
    }
    const std::string seed = read_file(scratch / "seed.fits");
    std::size_t refused = 0;
    for (std::uint64_t index = 0; index < 1500; ++index) {
        // Bytes change in place (cards keep their columns); now and then the file is cut.
        RandomStream random(20240502, 7, index);
        std::string bytes = seed;
        const std::uint32_t changes = 1 + random.below(6);
        const std::string alphabet = "0123456789- TFDEKLAX'=/";
        for (std::uint32_t change = 0; change < changes; ++change) {
            const std::size_t block = 2880 * (random.below(static_cast<std::uint32_t>(bytes.size() / 2880)));
            bytes[block + random.below(1200)] = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
        }
        if (index % 10 == 0) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
        const std::filesystem::path path = scratch / "fuzz.fits";
        write_plain(path, bytes);
        const auto read = [&] {
            const FitsReader reader(path);
            for (std::size_t hdu = 0; hdu < reader.hdu_count(); ++hdu) {
                (void)reader.name(hdu);
                (void)reader.key_double(hdu, "NDIM");
                if (reader.kind(hdu) == FitsKind::image) {
                    (void)reader.image(hdu);
                } else {
                    for (const std::string& column : reader.column_names(hdu)) {
                        expect_graceful([&] { (void)reader.column(hdu, column); }, "", refused);
                        expect_graceful([&] { (void)reader.column_strings(hdu, column); }, "", refused);
                    }
                }
            }
        };
        expect_graceful(read, "index " + std::to_string(index), refused);
    }
    EXPECT_GT(refused, 150U);
}

TEST(Fuzz, NpyHeaders) {
    const std::string seed = npy_header("<f4", std::vector<std::size_t>{30, 1000});
    std::size_t refused = 0;
    for (std::uint64_t index = 0; index < 20000; ++index) {
        std::string bytes = mutate(seed, index, "0123456789,()<>|fiuOV'{}: TrueFalseL");
        if (index % 3 == 0) bytes.replace(0, std::min<std::size_t>(10, bytes.size()), seed.substr(0, 10));
        expect_graceful([&] { (void)parse_npy_header(bytes, "fuzz.npy"); }, bytes, refused);
    }
    EXPECT_GT(refused, 5000U);
}

TEST(Fuzz, NpzArchives) {
    const test::ScratchDirectory scratch;
    const std::string npy = npy_header("<i8", std::vector<std::size_t>{2}) + std::string(16, '\1');
    {
        ZipWriter writer(scratch / "seed.npz", {{"time.npy", npy.size()}, {"unit.npy", npy.size()}});
        writer.append(0, npy);
        writer.append(1, npy);
        writer.close();
    }
    const std::string seed = read_file(scratch / "seed.npz");
    std::size_t refused = 0;
    for (std::uint64_t index = 0; index < 1500; ++index) {
        const std::string bytes = mutate(seed, index, std::string("PK\1\2\3\5\6\0\xff\x08", 10));
        write_plain(scratch / "fuzz.npz", bytes);
        const auto read = [&] {
            const InputFile file((scratch / "fuzz.npz").string());
            for (const ZipMember& member : read_zip_directory(file)) {
                std::vector<std::byte> content(std::min<std::uint64_t>(member.size, 4096));
                (void)open_zip_member(file, member)->read(content);
            }
        };
        expect_graceful(read, "index " + std::to_string(index), refused);
    }
    EXPECT_GT(refused, 700U);
}

}  // namespace
}  // namespace aliquot::io
