#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aliquot::cluster {

/// Draws an index with given weights in constant time from one uniform number (Walker 1977; Vose 1991), whose unused part stays
/// uniform.
class AliasTable {
  public:
    struct Slot {
        double threshold = 1.0;  ///< share of the slot that keeps its own index
        std::uint32_t alias = 0;
    };
    struct Pick {
        std::size_t index;
        double rest;  ///< uniform in [0, 1), about 40 bits
    };

    AliasTable() = default;
    explicit AliasTable(std::span<const double> weights);

    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    [[nodiscard]] Pick operator()(double uniform) const { return pick(slots_, uniform); }
    [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }

    [[nodiscard]] static Pick pick(std::span<const Slot> slots, double uniform) {
        const double scaled = uniform * static_cast<double>(slots.size());
        const auto index = static_cast<std::size_t>(scaled);
        const double rest = scaled - static_cast<double>(index);
        const Slot& slot = slots[index];
        // Without a branch: which way it goes cannot be predicted.
        const bool keep = rest < slot.threshold;
        const double above = keep ? rest : rest - slot.threshold;
        const double range = keep ? slot.threshold : 1.0 - slot.threshold;
        return {keep ? index : slot.alias, above / range};
    }

  private:
    std::vector<Slot> slots_;
};

}  // namespace aliquot::cluster
