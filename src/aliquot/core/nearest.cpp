#include "aliquot/core/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace aliquot {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        // Two names that share no letter at all are not near, however short they are.
        if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggest(std::string_view name, std::span<const std::string> candidates) {
    if (const std::string near = nearest_name(name, candidates); !near.empty()) return "; did you mean \"" + near + "\"?";
    if (candidates.empty()) return "";
    std::string text = "; known: ";
    for (std::size_t i = 0; i < candidates.size(); ++i)
        text += (i == 0 ? "" : ", ") + candidates[i];
    return text;
}

}  // namespace aliquot
