#include "aliquot/cluster/alias_table.hpp"

#include "aliquot/core/contract.hpp"

namespace aliquot::cluster {

AliasTable::AliasTable(std::span<const double> weights) : slots_(weights.size()) {
    double sum = 0.0;
    for (const double weight : weights)
        sum += weight;
    ALIQUOT_EXPECT(sum > 0.0);
    std::vector<double> share;
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        share.push_back(weights[i] / sum * static_cast<double>(weights.size()));
        (share.back() < 1.0 ? small : large).push_back(static_cast<std::uint32_t>(i));
    }
    while (!small.empty() && !large.empty()) {
        const std::uint32_t less = small.back();
        const std::uint32_t more = large.back();
        small.pop_back();
        slots_[less] = {share[less], more};
        share[more] -= 1.0 - share[less];
        if (share[more] < 1.0) {
            large.pop_back();
            small.push_back(more);
        }
    }
    // What is left is one but for rounding.
    for (const auto& list : {small, large})
        for (const std::uint32_t index : list)
            slots_[index] = {1.0, index};
}

}  // namespace aliquot::cluster
