#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "aliquot/cluster/snapshot.hpp"
#include "cluster/star_makers.hpp"
#include "support/files.hpp"

namespace aliquot::cluster {
namespace {

/// A million stars are 56 MB; sinks and sources hold blocks of them only.
TEST(SnapshotMemory, AMillionStarsAreWrittenAndReadBelow60Megabytes) {
    constexpr std::size_t count = 1000000;
    constexpr std::size_t block = 10000;
    const Stars stars = test::plummer(block);
    SnapshotHeader header;
    header.units = henon_units();
    header.stars = count;
    header.length_unit_pc = 1.0;
    header.mean_mass_msun = 1.0;
    for (const std::string& format : snapshot_formats()) {
        const test::ScratchDirectory scratch;
        const std::string path = (scratch / "stars").string();
        const auto sink = open_star_sink(path, format, header);
        for (std::size_t written = 0; written < count; written += block)
            sink->write(stars);
        sink->finish();
        const auto source = open_star_source(path, format);
        Stars part;
        std::size_t read = 0;
        while (source->read(part))
            read += part.size();
        EXPECT_EQ(read, count) << format;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, 60 * 1024);
    RecordProperty("peak_kilobytes", static_cast<int>(usage.ru_maxrss));
}

}  // namespace
}  // namespace aliquot::cluster
