#include "aliquot/summary/layers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/summary/tower.hpp"

namespace aliquot::summary {

namespace {

/// What the number in a name stands for.
enum class Number { none, mass_percent, tail_percent, quantile_percent, threshold };

struct Pattern {
    std::string_view prefix;
    Number number;
    std::string_view suffix;
    LayerKind kind;
    std::string_view example;
};

constexpr std::array patterns{
    Pattern{"map", Number::none, "", LayerKind::tip, "map"},
    Pattern{"p_any", Number::none, "", LayerKind::any, "p_any"},
    Pattern{"p_gt_", Number::threshold, "", LayerKind::above, "p_gt_25"},
    Pattern{"p_gt_", Number::threshold, "_f32", LayerKind::above_float32, "p_gt_25_f32"},
    Pattern{"hdi", Number::mass_percent, "_lower", LayerKind::hdi_lower, "hdi90_lower"},
    Pattern{"hdi", Number::mass_percent, "_upper", LayerKind::hdi_upper, "hdi90_upper"},
    Pattern{"shortest", Number::mass_percent, "_lower", LayerKind::shortest_lower, "shortest90_lower"},
    Pattern{"shortest", Number::mass_percent, "_upper", LayerKind::shortest_upper, "shortest90_upper"},
    Pattern{"eti", Number::mass_percent, "_lower", LayerKind::eti_lower, "eti90_lower"},
    Pattern{"eti", Number::mass_percent, "_upper", LayerKind::eti_upper, "eti90_upper"},
    Pattern{"es_", Number::tail_percent, "", LayerKind::shortfall, "es_05"},
    Pattern{"q", Number::quantile_percent, "", LayerKind::quantile, "q50"},
    Pattern{"mean", Number::none, "", LayerKind::mean, "mean"},
    Pattern{"sd", Number::none, "", LayerKind::deviation, "sd"},
    Pattern{"median", Number::none, "", LayerKind::median, "median"},
    Pattern{"mad", Number::none, "", LayerKind::absolute_deviation, "mad"},
    Pattern{"min", Number::none, "", LayerKind::least, "min"},
    Pattern{"max", Number::none, "", LayerKind::greatest, "max"},
    Pattern{"bimodal", Number::none, "", LayerKind::bimodal, "bimodal"},
    Pattern{"mode", Number::none, "", LayerKind::half_sample_mode, "mode"},
    Pattern{"mode_discrete", Number::none, "", LayerKind::most_frequent, "mode_discrete"},
    Pattern{"map_estimate", Number::none, "", LayerKind::map_estimate, "map_estimate"},
    Pattern{"actual", Number::none, "", LayerKind::observed, "actual"},
    Pattern{"crps", Number::none, "", LayerKind::crps, "crps"},
    Pattern{"interval", Number::mass_percent, "", LayerKind::interval_score, "interval90"},
    Pattern{"covered", Number::mass_percent, "", LayerKind::covered, "covered90"},
    Pattern{"brier_", Number::threshold, "", LayerKind::brier, "brier_25"},
    Pattern{"pit", Number::none, "", LayerKind::pit, "pit"},
};

/// The number that stands between prefix and suffix; percent are read as "95e-2", so that 95 gives the binary64 literal 0.95.
std::optional<double> number_in(const Pattern& pattern, std::string_view name) {
    if (name.size() < pattern.prefix.size() + pattern.suffix.size() || !name.starts_with(pattern.prefix) ||
        !name.ends_with(pattern.suffix))
        return std::nullopt;
    std::string text(name.substr(pattern.prefix.size(), name.size() - pattern.prefix.size() - pattern.suffix.size()));
    if (pattern.number == Number::none) return text.empty() ? std::optional(0.0) : std::nullopt;
    const bool percent = pattern.number != Number::threshold;
    if (text.empty() || (percent && text.find_first_not_of("0123456789.") != std::string::npos)) return std::nullopt;
    if (percent) text += "e-2";
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || std::isnan(value)) return std::nullopt;
    return value;
}

void check_range(const std::string& name, Number number, double value) {
    const bool mass = number == Number::mass_percent && !(value > 0.0 && value < 1.0);
    const bool tail = number == Number::tail_percent && !(value > 0.0 && value <= 1.0);
    const bool quantile = number == Number::quantile_percent && !(value >= 0.0 && value <= 1.0);
    if (!mass && !tail && !quantile) return;
    const char* allowed = mass ? "between 0 and 100, ends excluded" : tail ? "above 0, at most 100" : "from 0 to 100";
    throw ConfigError(format("layer {} (its percentage must be {}): choose another", name, allowed));
}

}  // namespace

Layer parse_layer(const std::string& name) {
    for (const Pattern& pattern : patterns) {
        const auto number = number_in(pattern, name);
        if (!number) continue;
        check_range(name, pattern.number, *number);
        const bool hdi = pattern.kind == LayerKind::hdi_lower || pattern.kind == LayerKind::hdi_upper;
        return {name, pattern.kind, *number, hdi ? nearest_floor(*number) : 0};
    }
    std::vector<std::string> examples;
    for (const Pattern& pattern : patterns)
        examples.emplace_back(pattern.example);
    throw ConfigError(format("no layer \"{}\"{}", name, suggest(name, examples)));
}

std::vector<Layer> parse_layers(std::span<const std::string> names) {
    std::vector<Layer> layers;
    for (const std::string& name : names) {
        Layer layer = parse_layer(name);
        if (std::ranges::find(layers, name, &Layer::name) == layers.end()) layers.push_back(std::move(layer));
    }
    if (layers.empty())
        throw ConfigError("no layers (nothing would be written): name some, as in --layers map,p_any,hdi90_upper");
    return layers;
}

std::vector<std::string> preset_layers(const std::string& preset) {
    if (preset == "report") return {"map", "p_any", "hdi90_upper", "hdi95_upper"};
    if (preset == "delivery")
        return {"map",   "hdi50_lower", "hdi50_upper", "hdi90_lower", "hdi90_upper", "hdi95_lower", "hdi95_upper",
                "es_05", "bimodal",     "actual",      "p_gt_25",     "p_gt_100",    "p_gt_1000"};
    const std::vector<std::string> known{"report", "delivery"};
    throw ConfigError(format("no preset \"{}\"{}", preset, suggest(preset, known)));
}

bool needs_observed(LayerKind kind) {
    switch (kind) {
        case LayerKind::crps:
        case LayerKind::interval_score:
        case LayerKind::covered:
        case LayerKind::brier:
        case LayerKind::pit:
            return true;
        default:
            return false;
    }
}

std::vector<std::string> layer_notes(std::span<const Layer> layers) {
    std::vector<std::string> notes;
    for (const Layer& layer : layers) {
        const bool hdi = layer.kind == LayerKind::hdi_lower || layer.kind == LayerKind::hdi_upper;
        if (hdi && std::abs(canonical_floors[layer.floor] - layer.parameter) > 1e-9)
            notes.push_back(format("layer {}: the tower has no such floor, the one of mass {} is given", layer.name,
                                   canonical_floors[layer.floor]));
    }
    return notes;
}

}  // namespace aliquot::summary
