#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace aliquot::summary {

/// Which larger unit every unit belongs to, at all times or month by month.
class UnitMapping {
  public:
    /// Read a text table with the columns unit and target, or time, unit and target. An empty target leaves the unit out.
    /// Throws DataError: a missing column, numbers that are not whole, a unit with two targets at one time.
    [[nodiscard]] static UnitMapping read(const std::string& path);

    /// Every unit is its own target.
    [[nodiscard]] static UnitMapping identity();

    /// The target of a unit; nothing where it is left out on purpose. Throws DataError for a unit that the mapping does not have.
    [[nodiscard]] std::optional<std::int64_t> target(std::int64_t time, std::int64_t unit) const;

  private:
    using Targets = std::unordered_map<std::int64_t, std::optional<std::int64_t>>;
    std::string path_;
    bool identity_ = false;
    bool varies_ = false;
    std::map<std::int64_t, Targets> by_time_;  ///< one entry, at time 0, where the mapping does not vary
};

}  // namespace aliquot::summary
