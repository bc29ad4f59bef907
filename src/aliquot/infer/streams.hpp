#pragma once

#include <cstdint>

/// What each random stream of a run is for; see RandomStream.
namespace aliquot::infer::streams {

inline constexpr std::uint32_t prior_draws = 1;   // index: number of the draw
inline constexpr std::uint32_t chains = 2;        // index: batch * 2^20 + chain
inline constexpr std::uint32_t batch = 3;         // index: batch
inline constexpr std::uint32_t volumes = 4;       // index: simulation
inline constexpr std::uint32_t equal_weight = 5;  // index: 0
inline constexpr std::uint32_t labels = 6;        // index: number of the prior draw
inline constexpr std::uint32_t mixture = 7;       // index: 0
inline constexpr std::uint32_t importance = 8;    // index: round * 2^32 + draw
inline constexpr std::uint32_t peaks = 9;         // index: number of the draw

}  // namespace aliquot::infer::streams
