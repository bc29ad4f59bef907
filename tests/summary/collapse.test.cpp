#include "aliquot/summary/collapse.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "aliquot/summary/frame_files.hpp"
#include "summary/frames.hpp"
#include "support/files.hpp"

namespace aliquot::summary {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;

struct Collapsed {
    std::string bits;
    CollapseCount count;
    std::vector<std::int64_t> units;
};

Collapsed collapse_file(const std::string& path, std::size_t threads = 1, std::size_t memory = 256 * megabyte,
                        std::vector<RowRange> rows = {}, const FrameOptions& frames = {}, NonFinite policy = NonFinite::raise) {
    Frame frame = find_frames(path, frames).at(0).open();
    if (rows.empty()) rows = {{0, frame.source->rows()}};
    CollapseOptions options;
    options.layers = test::many_layers();
    options.memory_bytes = memory;
    options.summary.non_finite = policy;
    Threads pool(threads);
    test::MemorySink sink(options.layers.size());
    const CollapseInput input{"frame", frame.source.get(), frame.index.get(), rows, nullptr, nullptr};
    Collapsed result;
    result.count = collapse(input, options, pool, sink, {}, {});
    result.bits = sink.bits();
    result.units = sink.units;
    return result;
}

TEST(Collapse, SameBitsForAnyNumberOfThreadsAndAnyMemory) {
    const test::ScratchDirectory scratch;
    test::write_frame(scratch / "sb", test::SmallFrame(2500, 90));
    const std::string path = (scratch / "sb").string();
    const Collapsed first = collapse_file(path);
    EXPECT_EQ(first.count.rows, 2500U);
    for (const std::size_t threads : {1, 2, 3, 8}) {
        for (const std::size_t memory : {2 * megabyte, megabyte / 2, 64 * megabyte})
            EXPECT_TRUE(collapse_file(path, threads, memory).bits == first.bits) << threads << " threads, " << memory << " bytes";
    }
}

TEST(Collapse, ReadsEveryByteOnce) {
    const test::ScratchDirectory scratch;
    const test::SmallFrame frame(1000, 64);
    test::write_frame(scratch / "sb", frame);
    Frame open = find_frames((scratch / "sb").string(), {}).at(0).open();
    const std::uint64_t before = open.source->bytes_read();
    EXPECT_EQ(before, 128U);  // the header
    CollapseOptions options;
    options.layers = test::many_layers();
    Threads threads(2);
    test::MemorySink sink(options.layers.size());
    const CollapseInput all{"frame", open.source.get(), open.index.get(), {{0, 1000}}, nullptr, nullptr};
    (void)collapse(all, options, threads, sink, {}, {});
    EXPECT_EQ(open.source->bytes_read() - before, frame.values.size() * sizeof(float));
}

TEST(Collapse, OnlyChosenRowsAreRead) {
    const test::ScratchDirectory scratch;
    const test::SmallFrame frame(400, 64);
    test::write_frame(scratch / "sb", frame);
    Frame open = find_frames((scratch / "sb").string(), {}).at(0).open();
    const std::vector<std::int64_t> times{542, 545, 546};
    const auto rows = rows_at_times(*open.index, {0, 400}, times);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].first, 160U);
    EXPECT_EQ(rows[1].count, 80U);
    const std::uint64_t before = open.source->bytes_read();
    CollapseOptions options;
    options.layers = test::many_layers();
    Threads threads(2);
    test::MemorySink sink(options.layers.size());
    (void)collapse({"frame", open.source.get(), open.index.get(), rows, nullptr, nullptr}, options, threads, sink, {}, {});
    EXPECT_EQ(open.source->bytes_read() - before, 120 * 64 * sizeof(float));
    EXPECT_EQ(sink.times.size(), 120U);
    EXPECT_EQ(sink.times.front(), 542);
    test::MemorySink whole(options.layers.size());
    (void)collapse({"frame", open.source.get(), open.index.get(), {{0, 400}}, nullptr, nullptr}, options, threads, whole, {}, {});
    for (std::size_t l = 0; l < options.layers.size(); ++l) {
        EXPECT_TRUE(std::equal(sink.layers[l].begin(), sink.layers[l].begin() + 40, whole.layers[l].begin() + 40));
        EXPECT_TRUE(std::equal(sink.layers[l].begin() + 40, sink.layers[l].end(), whole.layers[l].begin() + 160));
    }
}

TEST(Collapse, TheFirstRowThatIsNotFiniteIsNamed) {
    const test::ScratchDirectory scratch;
    test::SmallFrame frame(300, 20);
    frame.values[201 * 20 + 3] = std::numeric_limits<float>::quiet_NaN();
    frame.values[77 * 20] = std::numeric_limits<float>::infinity();
    test::write_frame(scratch / "sb", frame);
    const std::string path = (scratch / "sb").string();
    for (const std::size_t threads : {1, 3}) {
        const std::string message = test::message_of<DataError>([&] { (void)collapse_file(path, threads, megabyte / 2); });
        EXPECT_NE(message.find("row 77 (time 542, unit 60038)"), std::string::npos) << message;
    }
    const CollapseCount count = collapse_file(path, 2, megabyte, {}, {}, NonFinite::propagate).count;
    EXPECT_EQ(count.non_finite.rows, 2U);
    EXPECT_EQ(count.nan_values.front(), 2U);
    EXPECT_EQ(collapse_file(path, 2, megabyte, {}, {}, NonFinite::omit).count.nan_values.front(), 0U);
}

TEST(Collapse, StopsWhenAskedAndWhenMemoryIsTooSmall) {
    const test::ScratchDirectory scratch;
    test::write_frame(scratch / "sb", test::SmallFrame(400, 500));
    const std::string path = (scratch / "sb").string();
    EXPECT_NE(test::message_of<ConfigError>([&] { (void)collapse_file(path, 1, 20000); }).find("allow more"), std::string::npos);
    Frame frame = find_frames(path, {}).at(0).open();
    CollapseOptions options;
    options.layers = test::many_layers();
    options.memory_bytes = megabyte / 2;
    Threads threads(2);
    const auto sink = make_layer_sink(OutputFormat::npy, scratch / "out", "sb", options.layers, {}, 400);
    const CollapseInput input{"frame", frame.source.get(), frame.index.get(), {{0, 400}}, nullptr, nullptr};
    EXPECT_NE(test::message_of<Interrupted>([&] {
                  (void)collapse(input, options, threads, *sink, {}, [] { return true; });
              }).find("stopped"),
              std::string::npos);
}

TEST(Collapse, EveryFormatGivesTheSameBits) {
    const test::ScratchDirectory scratch;
    const test::SmallFrame frame(700, 33);
    const std::size_t n = frame.rows;
    const std::size_t s = frame.draws;
    io::write_file(scratch / "c.npy", test::npy_bytes("<f4", {n, s}, frame.values));
    const std::string expected = collapse_file((scratch / "c.npy").string()).bits;

    std::vector<float> turned(n * s);
    std::vector<double> wide(frame.values.begin(), frame.values.end());
    std::string big;
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t d = 0; d < s; ++d)
            turned[d * n + r] = frame.values[r * s + d];
    for (const float value : frame.values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (int shift = 24; shift >= 0; shift -= 8)
            big += static_cast<char>(bits >> shift & 255U);
    }
    io::write_file(scratch / "big.npy", io::npy_header(">f4", std::array{n, s}) + big);
    io::write_file(scratch / "wide.npy", test::npy_bytes("<f8", {n, s}, wide));
    std::string fortran = test::npy_bytes("<f4", {n, s}, turned);
    fortran.replace(fortran.find("False"), 5, "True ");
    io::write_file(scratch / "fortran.npy", fortran);
    io::write_file(scratch / "first.npy", test::npy_bytes("<f4", {s, n}, turned));
    io::write_file(scratch / "raw.bin", test::bytes_of(frame.values));
    const std::string member = test::npy_bytes("<f4", {n, s}, frame.values);
    {
        io::ZipWriter archive(scratch / "stored.npz", {{"y_pred.npy", member.size()}});
        archive.append(0, member);
        archive.close();
    }
    FrameOptions first;
    first.sample_axis = SampleAxis::first;
    FrameOptions raw;
    raw.shape = {n, s};
    const std::vector<std::pair<std::string, FrameOptions>> files{{"big.npy", {}},      {"wide.npy", {}}, {"fortran.npy", {}},
                                                                  {"first.npy", first}, {"raw.bin", raw}, {"stored.npz", {}}};
    for (const auto& [name, options] : files) {
        for (const std::size_t memory : {megabyte / 2, 256 * megabyte})
            EXPECT_TRUE(collapse_file((scratch / name).string(), 2, memory, {}, options).bits == expected)
                << name << ", " << memory;
    }
}

}  // namespace
}  // namespace aliquot::summary
