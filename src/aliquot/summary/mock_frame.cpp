#include "aliquot/summary/mock_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/zip.hpp"

namespace aliquot::summary {

namespace {

constexpr std::uint32_t row_stream = 0x636f6c6c;
constexpr std::size_t cells_of_land = 64818;
constexpr std::int64_t first_month = 541;
constexpr std::size_t block_values = std::size_t{1} << 20U;

double normal(RandomStream& random) {
    return std::sqrt(-2.0 * std::log(random.uniform())) * std::cos(6.283185307179586 * random.uniform());
}

void make_row(MockKind kind, std::uint64_t seed, std::uint64_t row, std::span<float> out) {
    RandomStream random(seed, row_stream, row);
    double zeros = kind == MockKind::zi60 ? 0.6 : 0.0;
    double scale = 1.0;
    if (kind == MockKind::conflict) {
        const bool quiet = random.uniform() < 0.97;
        zeros = quiet ? 0.999 : random.uniform();
        scale = std::exp(1.5 * normal(random));
    }
    if (kind == MockKind::count) {
        zeros = 0.5 * random.uniform();
        scale = std::exp(normal(random));
    }
    for (float& value : out) {
        if (random.uniform() < zeros) {
            value = 0.0F;
            continue;
        }
        const double draw = scale * std::exp(normal(random));
        value = static_cast<float>(kind == MockKind::count ? std::floor(draw) : draw);
    }
}

/// Cell number `i` of `count` ones spread over the rows of the grid that have land, 56 S to 84 N.
std::int64_t cell(std::size_t i, std::size_t count) {
    constexpr std::size_t lowest = 68 * 720;
    constexpr std::size_t cells = 280 * 720;
    return static_cast<std::int64_t>(1 + lowest + i * cells / count);
}

std::string_view bytes_of(std::span<const std::int64_t> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

MockKind parse_mock_kind(const std::string& name) {
    const std::vector<std::string> known{"zi60", "conflict", "dense", "count"};
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] == name) return static_cast<MockKind>(i);
    }
    throw ConfigError(format("kind = {} (no such mock frame){}", name, suggest(name, known)));
}

void write_mock_frame(const std::filesystem::path& folder, MockKind kind, std::size_t rows, std::size_t draws,
                      std::uint64_t seed) {
    if (rows == 0 || draws == 0) throw ConfigError("rows and draws (a frame needs at least one of each): give more");
    io::ensure_directory(folder);
    io::AtomicFile values(folder / "y_pred.npy");
    values.write(io::npy_header("<f4", std::array{rows, draws}));
    const std::string header = io::npy_header("<i8", std::array{rows});
    io::ZipWriter index(folder / "identifiers.npz",
                        {{"time.npy", header.size() + 8 * rows}, {"unit.npy", header.size() + 8 * rows}});
    index.append(0, header);
    index.append(1, header);
    Threads threads;
    const std::size_t block = std::max<std::size_t>(1, block_values / draws);
    const std::size_t cells = std::min(rows, cells_of_land);
    std::vector<float> draw_block(std::min(block, rows) * draws);
    for (std::size_t first = 0; first < rows; first += block) {
        const std::size_t count = std::min(block, rows - first);
        threads.for_each_block(
            count, [&](std::size_t r) { make_row(kind, seed, first + r, std::span(draw_block).subspan(r * draws, draws)); });
        values.write({reinterpret_cast<const char*>(draw_block.data()), count * draws * sizeof(float)});
        std::vector<std::int64_t> times(count);
        std::vector<std::int64_t> units(count);
        for (std::size_t r = 0; r < count; ++r) {
            times[r] = first_month + static_cast<std::int64_t>((first + r) / cells);
            units[r] = cell((first + r) % cells, cells);
        }
        index.append(0, bytes_of(times));
        index.append(1, bytes_of(units));
    }
    values.commit();
    index.close();
}

}  // namespace aliquot::summary
