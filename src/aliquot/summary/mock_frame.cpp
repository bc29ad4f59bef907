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

struct Place {
    double longitude;
    double latitude;
};

/// An ellipse on the grid of latitude and longitude, degrees.
struct Patch {
    double longitude;
    double latitude;
    double half_width;
    double half_height;

    /// 0 at the centre, 1 on the rim.
    [[nodiscard]] double distance(const Place& place) const {
        return std::hypot((place.longitude - longitude) / half_width, (place.latitude - latitude) / half_height);
    }
};

/// A rough idea of the continents.
constexpr std::array land{Patch{10, 17, 32, 21}, Patch{25, -12, 18, 26},  Patch{20, 52, 33, 14},   Patch{95, 60, 65, 14},
                          Patch{45, 27, 16, 14}, Patch{95, 38, 41, 16},   Patch{78, 21, 10, 14},   Patch{103, 14, 9, 14},
                          Patch{115, -2, 21, 6}, Patch{134, -25, 23, 11}, Patch{-100, 48, 35, 21}, Patch{-115, 63, 47, 9},
                          Patch{-98, 20, 14, 8}, Patch{-60, -5, 21, 16},  Patch{-66, -30, 9, 23}};
/// Where the mock conflicts are.
constexpr std::array hot_spots{Patch{5, 13, 7, 4},  Patch{29, 0, 3, 5},  Patch{45, 5, 5, 5},  Patch{38, 35, 3, 2},
                               Patch{36, 49, 4, 2}, Patch{96, 21, 3, 5}, Patch{67, 32, 4, 3}, Patch{-75, 5, 3, 4}};

constexpr std::size_t grid_columns = 720;
constexpr std::size_t grid_rows = 360;

/// Centre of a cell counted from 0, degrees.
Place centre(std::size_t cell) {
    const std::size_t row = cell / grid_columns;
    return {-179.75 + 0.5 * static_cast<double>(cell % grid_columns), -89.75 + 0.5 * static_cast<double>(row)};
}

/// Numbers of the mock's land cells, southernmost first, at most `count` of them.
std::vector<std::int64_t> land_cells(std::size_t count) {
    std::vector<std::int64_t> cells;
    for (std::size_t cell = 0; cell < grid_columns * grid_rows && cells.size() < cells_of_land; ++cell) {
        const Place place = centre(cell);
        if (std::ranges::any_of(land, [&](const Patch& patch) { return patch.distance(place) <= 1.0; }))
            cells.push_back(static_cast<std::int64_t>(cell) + 1);
    }
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(cells[i * cells.size() / count]);
    return chosen;
}

/// Chance that a cell is not quiet: 1.5 % anywhere, more around the hot spots; about 3 % on average.
double unrest(std::int64_t cell) {
    const Place place = centre(static_cast<std::size_t>(cell - 1));
    double chance = 0.015;
    for (const Patch& spot : hot_spots)
        chance = std::max(chance, std::exp(-1.5 * spot.distance(place)));
    return chance;
}

void make_row(MockKind kind, std::uint64_t seed, std::uint64_t row, std::int64_t cell, std::span<float> out) {
    RandomStream random(seed, row_stream, row);
    double zeros = kind == MockKind::zi60 ? 0.6 : 0.0;
    double scale = 1.0;
    if (kind == MockKind::conflict) {
        const bool quiet = random.uniform() >= unrest(cell);
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
    const std::vector<std::int64_t> cells = land_cells(std::min(rows, cells_of_land));
    std::vector<float> draw_block(std::min(block, rows) * draws);
    for (std::size_t first = 0; first < rows; first += block) {
        const std::size_t count = std::min(block, rows - first);
        threads.for_each_block(count, [&](std::size_t r) {
            make_row(kind, seed, first + r, cells[(first + r) % cells.size()], std::span(draw_block).subspan(r * draws, draws));
        });
        values.write({reinterpret_cast<const char*>(draw_block.data()), count * draws * sizeof(float)});
        std::vector<std::int64_t> times(count);
        std::vector<std::int64_t> units(count);
        for (std::size_t r = 0; r < count; ++r) {
            times[r] = first_month + static_cast<std::int64_t>((first + r) / cells.size());
            units[r] = cells[(first + r) % cells.size()];
        }
        index.append(0, bytes_of(times));
        index.append(1, bytes_of(units));
    }
    values.commit();
    index.close();
}

}  // namespace aliquot::summary
