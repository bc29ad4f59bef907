#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace aliquot::summary {

/// Draws of a made-up forecast.
enum class MockKind {
    zi60,      ///< lognormal(0, 1), 60 % zeros everywhere
    conflict,  ///< about 97 % of rows nearly all zero, most others around hot spots, with any share of zeros and any scale
    dense,     ///< lognormal(0, 1), no zero
    count      ///< whole numbers with many zeros and ties
};

/// "zi60", "conflict", "dense" or "count". Throws ConfigError.
[[nodiscard]] MockKind parse_mock_kind(const std::string& name);

/// Write a frame of `rows` rows and `draws` draws as `folder`/y_pred.npy and identifiers.npz: months from 541 on, each with the
/// same PRIO-GRID cells (up to 64 818, on continents that are ellipses). The same seed gives the same bytes.
void write_mock_frame(const std::filesystem::path& folder, MockKind kind, std::size_t rows, std::size_t draws,
                      std::uint64_t seed);

}  // namespace aliquot::summary
