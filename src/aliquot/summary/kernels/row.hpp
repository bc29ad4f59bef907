#pragma once

#include <cstddef>
#include <cstdint>

/// Plain data that the row kernels take and give; no code, so that every instruction-set level can include it.
namespace aliquot::summary {

/// Canonical floors of the tower.
inline constexpr std::size_t floor_count = 25;
/// Values that a sorted row must have room for behind its last draw; kernels read and write them.
inline constexpr std::size_t row_padding = 32;
/// Keys that the output of a scan must have room for beyond the number of draws.
inline constexpr std::size_t scan_padding = 16;
/// Longest row that the sorting network takes; longer ones are sorted by radix.
inline constexpr std::size_t network_limit = 8192;

/// What a scan found in a row.
struct RowScan {
    std::size_t kept = 0;        ///< keys written: draws that are not zero
    std::size_t negative = 0;    ///< of these, keys below zero
    std::int32_t magnitude = 0;  ///< greatest bit pattern without sign; 0x7f800000 and above: not every draw is finite
};

/// How far a tower is wanted.
struct TowerPlan {
    const std::size_t* steps;  ///< floor_count window steps k, narrowest floor first
    std::size_t lowest;        ///< narrowest floor that is wanted
    std::size_t tip;           ///< floor whose median is the tip; floor_count where it is not wanted
};

/// Lower and upper bound per floor, and the tip; floors below TowerPlan::lowest are not written.
struct Tower {
    float lower[floor_count];
    float upper[floor_count];
    float tip;
};

}  // namespace aliquot::summary
