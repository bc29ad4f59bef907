#pragma once

#include <span>
#include <string>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/model.hpp"

namespace aliquot::spectra {

/// A quantity that a user makes of parameters.
struct DerivedDefinition {
    std::string name;        ///< letters, digits and underscores
    std::string expression;  ///< "Ha.amp_c / Hb.amp_c"
    std::string unit;        ///< "" where none was given
};

/// The table [derived]: name = "expression" or name = { value = "expression", unit = "km/s" }. Throws ConfigError for names and
/// expressions that cannot be, with the nearest name of the model.
[[nodiscard]] std::vector<DerivedDefinition> read_derived(const io::ConfigTable& table, const Model& model);

/// The quantity at every row of theta (n, dimension). Expressions are arithmetic over the names of all parameters, free or not
/// ("OIII.amp_c0", or short "amp_c0_1"), with sqrt, exp, ln, log10, sin, cos, abs, min, max, ^ and what else muParser knows.
/// Throws ConfigError for one that cannot be.
[[nodiscard]] std::vector<double> evaluate_derived(const DerivedDefinition& definition, const Model& model,
                                                   MatrixView<const double> theta);

}  // namespace aliquot::spectra
