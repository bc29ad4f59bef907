#pragma once

#include <nlohmann/json.hpp>

namespace aliquot::app {

/// Print a fit's summary.json for people: one row per parameter, derived quantities, evidence, work.
void print_summary(const nlohmann::json& summary);

}  // namespace aliquot::app
