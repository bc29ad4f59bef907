#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "aliquot/core/random.hpp"
#include "aliquot/summary/row_batch.hpp"

namespace aliquot::test {

/// A float32 of the golden files, where what is not finite is a string.
inline float golden_float(const nlohmann::json& value) {
    if (value.is_number()) return static_cast<float>(value.get<double>());
    const auto text = value.get<std::string>();
    if (text == "nan") return std::numeric_limits<float>::quiet_NaN();
    return text == "-inf" ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
}

inline std::vector<float> golden_row(const nlohmann::json& values) {
    std::vector<float> row;
    for (const auto& value : values)
        row.push_back(golden_float(value));
    return row;
}

/// A sorted row with the room behind it that kernels need.
class SortedRow {
  public:
    explicit SortedRow(std::span<const float> sorted) : draws_(sorted.size()), values_(sorted.begin(), sorted.end()) {
        values_.resize(draws_ + summary::row_padding);
    }
    [[nodiscard]] std::span<const float> span() const { return {values_.data(), draws_}; }

  private:
    std::size_t draws_;
    std::vector<float> values_;
};

/// Sort one row through a RowBatch.
inline SortedRow sorted_by_batch(const std::vector<float>& row, const summary::RowKernels& kernels) {
    summary::RowBatch batch(row.size(), kernels);
    std::vector<SortedRow> result;
    const auto keep = [&](std::size_t, const summary::RowScan&, std::span<const float> sorted) { result.emplace_back(sorted); };
    batch.add(0, kernels.scan(row.data(), row.size(), batch.keys()), row.size(), keep);
    batch.flush(keep);
    return result.at(0);
}

/// A row like those of a forecast, of one of six kinds: dense, with zeros, nearly all zero, counts with ties, signed with ties,
/// two decimals.
inline std::vector<float> random_row(std::uint64_t index, std::size_t draws) {
    RandomStream random(20260731, 11, index);
    const std::uint32_t kind = random.below(6);
    const double zero_share = kind == 0 || kind >= 4 ? 0.0 : kind == 2 ? 0.99 : random.uniform();
    std::vector<float> row(draws);
    for (float& x : row) {
        const double normal = std::sqrt(-2.0 * std::log(random.uniform())) * std::cos(6.283185307179586 * random.uniform());
        double value = std::exp(normal);
        if (kind == 3) value = std::floor(2.0 * value);
        if (kind == 4) value = std::floor(3.0 * normal);
        if (kind == 5) value = std::round(100.0 * normal) / 100.0;
        x = random.uniform() < zero_share ? 0.0F : static_cast<float>(value);
        if (kind == 4 && x == 0.0F && random.below(2) == 0) x = -0.0F;
    }
    return row;
}

}  // namespace aliquot::test
