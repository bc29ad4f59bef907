#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/component.hpp"
#include "aliquot/spectra/model.hpp"
#include "support/golden.hpp"

namespace aliquot::spectra::test {

using Values = std::vector<double>;

inline Values evaluate(const Component& component, const Values& x, const Values& parameters) {
    Values flux(x.size());
    component.evaluate(x, parameters, flux);
    return flux;
}

/// Parameter values by name out of a golden case, the component's own defaults elsewhere.
inline Values parameters_of(const Component& component, const nlohmann::json& named) {
    Values values;
    for (const ParameterSpec& spec : component.parameters())
        values.push_back(named.contains(spec.name) ? named[spec.name].get<double>() : spec.value);
    return values;
}

inline double peak(const Values& y) {
    double highest = 0.0;
    for (const double value : y)
        highest = std::max(highest, std::abs(value));
    return highest;
}

inline void expect_near_peak(const Values& got, const Values& expected, double tolerance) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], expected[i], tolerance * peak(expected)) << "pixel " << i;
}

/// The compiled plan on the same wavelengths.
inline Values compiled(std::shared_ptr<const Component> component, const Values& x, const Values& parameters) {
    ComponentDefinition definition{"c", "", component, {}, {}, {}, {}, {}};
    const auto specs = component->parameters();
    for (std::size_t i = 0; i < specs.size(); ++i) {
        definition.values[specs[i].name] = parameters[i];
        definition.fixed[specs[i].name] = i > 0;
        definition.bounds[specs[i].name] = {-1e6, 1e6};
    }
    const Model model({definition}, "");
    const Values ones(x.size(), 1.0);
    Values flux(x.size());
    make_tile_chi_square(model, x, ones, ones)->model(model.theta(), flux);
    return flux;
}

/// Formula and compiled plan against the golden values of a file, to `tolerance` of the peak.
inline void check_golden(const std::string& name, const std::shared_ptr<const Component>& component, double component_peak = 0.0,
                         double tolerance = 1e-12, const std::string& file = "spectra_golden.json") {
    const nlohmann::json all = aliquot::test::golden(file);
    const nlohmann::json& golden = all.at(name);
    const Values x = golden["x"].get<Values>();
    const Values y = golden["y"].get<Values>();
    const Values parameters = parameters_of(*component, golden["params"]);
    const double scale = component_peak > 0.0 ? component_peak / peak(y) : 1.0;
    expect_near_peak(evaluate(*component, x, parameters), y, tolerance * scale);
    expect_near_peak(compiled(component, x, parameters), y, tolerance * scale);
}

}  // namespace aliquot::spectra::test
