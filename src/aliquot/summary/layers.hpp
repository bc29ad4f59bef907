#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aliquot::summary {

/// What a layer holds for each row; see docs/collapse.md for their names.
enum class LayerKind {
    tip,
    any,
    above,
    above_float32,
    hdi_lower,
    hdi_upper,
    shortest_lower,
    shortest_upper,
    eti_lower,
    eti_upper,
    shortfall,
    quantile,
    mean,
    deviation,
    median,
    absolute_deviation,
    least,
    greatest,
    bimodal,
    half_sample_mode,
    most_frequent,
    map_estimate,
    observed,
    crps,
    interval_score,
    covered,
    brier,
    pit
};

/// One number per row, by name.
struct Layer {
    std::string name;
    LayerKind kind;
    double parameter = 0.0;  ///< threshold, mass, tail or quantile, where the kind takes one
    std::size_t floor = 0;   ///< of the tower, for hdi_lower and hdi_upper
};

/// A layer by its name: map, p_any, hdi90_upper, p_gt_25, es_05, q50, ... Throws ConfigError that names the nearest one.
[[nodiscard]] Layer parse_layer(const std::string& name);

/// Layers by name; a name given twice counts once. Throws ConfigError where the list is empty.
[[nodiscard]] std::vector<Layer> parse_layers(std::span<const std::string> names);

/// The four layers of the report, or the 13 columns of the delivery. Throws ConfigError for another preset.
[[nodiscard]] std::vector<std::string> preset_layers(const std::string& preset);

/// Whether the layer is a score or otherwise needs the observed value of each row.
[[nodiscard]] bool needs_observed(LayerKind kind);

/// What is worth knowing about the chosen layers: HDI masses that the tower has no floor for.
[[nodiscard]] std::vector<std::string> layer_notes(std::span<const Layer> layers);

}  // namespace aliquot::summary
