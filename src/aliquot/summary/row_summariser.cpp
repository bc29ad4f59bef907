#include "aliquot/summary/row_summariser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/summary/row_statistics.hpp"
#include "aliquot/summary/scores.hpp"

namespace aliquot::summary {

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t infinite_bits = 0x7f800000;

bool is_hdi(LayerKind kind) {
    return kind == LayerKind::hdi_lower || kind == LayerKind::hdi_upper;
}

/// Layers that a quiet row gives without being sorted.
bool unsorted_will_do(LayerKind kind) {
    return is_hdi(kind) || kind == LayerKind::tip || kind == LayerKind::any || kind == LayerKind::above ||
           kind == LayerKind::above_float32 || kind == LayerKind::observed;
}

float share(std::size_t count, std::size_t draws) {
    return static_cast<float>(static_cast<double>(count) / static_cast<double>(draws));
}

}  // namespace

NonFinite parse_non_finite(const std::string& name) {
    if (name == "raise") return NonFinite::raise;
    if (name == "omit") return NonFinite::omit;
    if (name == "propagate") return NonFinite::propagate;
    const std::vector<std::string> known{"raise", "omit", "propagate"};
    throw ConfigError(format("nonfinite = {} (no such policy){}", name, suggest(name, known)));
}

NonFiniteCount& NonFiniteCount::operator+=(const NonFiniteCount& other) {
    nan += other.nan;
    infinite += other.infinite;
    rows += other.rows;
    empty_rows += other.empty_rows;
    return *this;
}

RowSummariser::RowSummariser(std::span<const Layer> layers, const SummaryOptions& options, std::size_t draws,
                             const RowKernels& kernels)
    : layers_(layers.begin(), layers.end()),
      options_(options),
      draws_(draws),
      kernels_(&kernels),
      batch_(draws, kernels),
      sink_([this](std::size_t tag, const RowScan& scan, std::span<const float> sorted) { give(tag, scan, sorted); }),
      steps_(window_steps(draws)) {
    ALIQUOT_EXPECT(draws > 0);
    plan_ = {steps_.data(), floor_count, floor_count};
    for (const Layer& layer : layers_) {
        if (is_hdi(layer.kind)) plan_.lowest = std::min(plan_.lowest, layer.floor);
        if (layer.kind == LayerKind::tip) plan_.tip = nearest_floor(options_.tip_mass);
        quiet_rows_unsorted_ = quiet_rows_unsorted_ && unsorted_will_do(layer.kind);
    }
    plan_.lowest = std::min(plan_.lowest, plan_.tip);
    wants_tower_ = plan_.lowest < floor_count;
}

std::size_t RowSummariser::bytes(std::size_t draws, const RowKernels& kernels) {
    return RowBatch::bytes(draws, kernels) + draws * sizeof(float);
}

void RowSummariser::begin(float* out, std::size_t stride, std::span<const double> observed) {
    out_ = out;
    stride_ = stride;
    observed_ = observed;
    first_non_finite_.reset();
}

void RowSummariser::add(const float* rows, std::size_t count, std::size_t first) {
    const std::size_t quiet = steps_.back() + 1;  // as many zeros make every floor [0, 0]
    for (std::size_t r = 0; r < count; ++r) {
        const float* row = rows + r * draws_;
        const std::size_t tag = first + r;
        const RowScan scan = kernels_->scan(row, draws_, batch_.keys());
        if (scan.magnitude >= infinite_bits) {
            take_non_finite(row, tag);
        } else if (layers_.empty()) {
            continue;  // only the check was wanted
        } else if (quiet_rows_unsorted_ && draws_ - scan.kept >= quiet) {
            give_quiet_row(tag, scan, batch_.keys());
        } else {
            batch_.add(tag, scan, draws_, sink_);
        }
    }
}

void RowSummariser::flush() {
    batch_.flush(sink_);
}

void RowSummariser::take_non_finite(const float* row, std::size_t tag) {
    finite_.clear();
    for (std::size_t i = 0; i < draws_; ++i) {
        if (std::isnan(row[i])) {
            ++non_finite_.nan;
        } else if (std::isinf(row[i])) {
            ++non_finite_.infinite;
        } else {
            finite_.push_back(row[i]);
        }
    }
    ++non_finite_.rows;
    if (finite_.empty()) ++non_finite_.empty_rows;
    first_non_finite_ = std::min(first_non_finite_.value_or(tag), tag);
    if (options_.non_finite != NonFinite::omit || finite_.empty()) {
        fill(tag, nan_value);
    } else {
        batch_.add(tag, kernels_->scan(finite_.data(), finite_.size(), batch_.keys()), finite_.size(), sink_);
    }
}

void RowSummariser::fill(std::size_t tag, float value) {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const bool observed = layers_[l].kind == LayerKind::observed && !observed_.empty();
        out_[l * stride_ + tag] = observed ? static_cast<float>(observed_[tag]) : value;
    }
}

void RowSummariser::give_quiet_row(std::size_t tag, const RowScan& scan, const int* keys) {
    fill(tag, 0.0F);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const Layer& layer = layers_[l];
        float& out = out_[l * stride_ + tag];
        if (layer.kind == LayerKind::any) {
            out = share(scan.kept - scan.negative, draws_);
        } else if (layer.kind == LayerKind::above || layer.kind == LayerKind::above_float32) {
            const double threshold =
                layer.kind == LayerKind::above ? layer.parameter : static_cast<double>(static_cast<float>(layer.parameter));
            std::size_t above = threshold < 0.0 ? draws_ - scan.kept : 0;
            for (std::size_t i = 0; i < scan.kept; ++i) {
                const auto draw = std::bit_cast<float>(keys[i] ^ ((keys[i] >> 31) & 0x7fffffff));
                if (static_cast<double>(draw) > threshold) ++above;
            }
            out = share(above, draws_);
        } else if (layer.kind == LayerKind::observed && observed_.empty()) {
            out = nan_value;
        }
    }
}

void RowSummariser::give(std::size_t tag, const RowScan& scan, std::span<const float> sorted) {
    Tower tower{};
    if (wants_tower_) {
        TowerPlan plan = plan_;
        std::array<std::size_t, floor_count> own_steps;
        if (sorted.size() != draws_) {
            own_steps = window_steps(sorted.size());
            plan.steps = own_steps.data();
        }
        kernels_->tower(sorted.data(), sorted.size(), plan, tower);
    }
    const bool below_cutoff = options_.zero_cutoff && static_cast<double>(sorted.back()) <= *options_.zero_cutoff;
    const double observed = observed_.empty() ? std::numeric_limits<double>::quiet_NaN() : observed_[tag];
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const Layer& layer = layers_[l];
        float& out = out_[l * stride_ + tag];
        if (below_cutoff && (is_hdi(layer.kind) || layer.kind == LayerKind::tip || layer.kind == LayerKind::bimodal)) {
            out = 0.0F;
        } else if (layer.kind == LayerKind::any) {
            out = share(scan.kept - scan.negative, sorted.size());
        } else if (needs_observed(layer.kind) && !std::isfinite(observed)) {
            out = nan_value;
        } else {
            out = value(layer, sorted, tower, observed);
        }
    }
}

float RowSummariser::value(const Layer& layer, std::span<const float> sorted, const Tower& tower, double observed) const {
    switch (layer.kind) {
        case LayerKind::tip:
            return tower.tip;
        case LayerKind::any:
        case LayerKind::above:
            return exceedance(sorted, layer.parameter);
        case LayerKind::above_float32:
            return exceedance_float32(sorted, layer.parameter);
        case LayerKind::hdi_lower:
            return tower.lower[layer.floor];
        case LayerKind::hdi_upper:
            return tower.upper[layer.floor];
        case LayerKind::shortest_lower:
            return shortest_interval(sorted, layer.parameter, *kernels_).lower;
        case LayerKind::shortest_upper:
            return shortest_interval(sorted, layer.parameter, *kernels_).upper;
        case LayerKind::eti_lower:
            return equal_tailed_interval(sorted, layer.parameter).lower;
        case LayerKind::eti_upper:
            return equal_tailed_interval(sorted, layer.parameter).upper;
        case LayerKind::shortfall:
            return expected_shortfall(sorted, layer.parameter, *kernels_);
        case LayerKind::quantile:
            return quantile(sorted, layer.parameter);
        case LayerKind::mean:
            return mean(sorted, *kernels_);
        case LayerKind::deviation:
            return standard_deviation(sorted, *kernels_);
        case LayerKind::median:
            return median(sorted);
        case LayerKind::absolute_deviation:
            return median_absolute_deviation(sorted);
        case LayerKind::least:
            return sorted.front();
        case LayerKind::greatest:
            return sorted.back();
        case LayerKind::bimodal:
            return is_bimodal(sorted, *kernels_) ? 1.0F : 0.0F;
        case LayerKind::half_sample_mode:
            return half_sample_mode(sorted, *kernels_);
        case LayerKind::most_frequent:
            return most_frequent_value(sorted);
        case LayerKind::map_estimate:
            return map_estimate(sorted, *kernels_);
        case LayerKind::observed:
            return static_cast<float>(observed);
        case LayerKind::crps:
            return crps(sorted, observed, *kernels_);
        case LayerKind::interval_score:
            return interval_score(sorted, observed, layer.parameter);
        case LayerKind::covered:
            return covered(sorted, observed, layer.parameter);
        case LayerKind::brier:
            return brier(sorted, observed, layer.parameter);
        case LayerKind::pit:
            return pit(sorted, observed);
    }
    return nan_value;
}

}  // namespace aliquot::summary
