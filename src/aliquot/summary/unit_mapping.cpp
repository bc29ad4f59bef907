#include "aliquot/summary/unit_mapping.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/text_table.hpp"

namespace aliquot::summary {

UnitMapping UnitMapping::read(const std::string& path) {
    const io::TextTable table = io::read_text_table(path);
    UnitMapping mapping;
    mapping.path_ = path;
    mapping.varies_ = std::ranges::find(table.names, "time") != table.names.end();
    const std::size_t unit = table.find("unit", path);
    const std::size_t target = table.find("target", path);
    const auto whole = [&](std::size_t column, std::size_t row) {
        const double value = table.columns[column][row];
        if (!(std::abs(value) < 9e15) || value != std::floor(value))
            throw DataError(format("{}: row {} has the {} {} (a whole number is expected): mend it", path, row + 1,
                                   table.names[column], value));
        return static_cast<std::int64_t>(value);
    };
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::int64_t time = mapping.varies_ ? whole(table.find("time", path), row) : 0;
        std::optional<std::int64_t> value;
        if (!std::isnan(table.columns[target][row])) value = whole(target, row);
        const auto [place, is_new] = mapping.by_time_[time].emplace(whole(unit, row), value);
        if (!is_new && place->second != value)
            throw DataError(format("{}: row {} gives unit {} a second target: keep one", path, row + 1, place->first));
    }
    return mapping;
}

UnitMapping UnitMapping::identity() {
    UnitMapping mapping;
    mapping.identity_ = true;
    return mapping;
}

std::optional<std::int64_t> UnitMapping::target(std::int64_t time, std::int64_t unit) const {
    if (identity_) return unit;
    const auto targets = by_time_.find(varies_ ? time : 0);
    if (targets != by_time_.end()) {
        if (const auto found = targets->second.find(unit); found != targets->second.end()) return found->second;
    }
    throw DataError(format("{}: no target for unit {} at time {} (every unit needs one; an empty one leaves it out): add it",
                           path_, unit, time));
}

}  // namespace aliquot::summary
