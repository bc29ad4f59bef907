#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aliquot {

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, letters' case
/// ignored (optimal string alignment distance).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, or "" where none is near enough to be meant (more than a third of its letters differ).
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// `; did you mean "x"?`, or, where nothing is near, `; known: a, b, c`, for the end of an error message.
[[nodiscard]] std::string suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace aliquot
