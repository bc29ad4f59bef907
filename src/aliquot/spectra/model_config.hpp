#pragma once

#include "aliquot/io/config.hpp"
#include "aliquot/spectra/data_paths.hpp"
#include "aliquot/spectra/model.hpp"

namespace aliquot::spectra {

/// The model that a configuration's [model] table describes:
///
///     [model]
///     expression = "Continuum + OIII"        # default: the sum of all components
///     [[model.component]]
///     class = "Line_MultiGauss_doublet"      # see registry.hpp
///     name = "OIII"
///     n_components = 2                       # arguments of the class
///     wavec0 = 5006.843                      # a parameter's value
///     fixed = ["wavec0"]                     # or free = ["z"], against the component's own table
///     bounds.sigma_c = [80, 600]
///     prior.sigma_c = { uniform = [80, 600] }          # or log_uniform
///     tie.amp_c1 = { to = "OIII.amp_c0", ratio = 2.98 }  # value = to / ratio + offset
///
/// Throws ConfigError naming file and line.
[[nodiscard]] Model read_model(const io::ConfigTable& table, const DataPaths& paths);

}  // namespace aliquot::spectra
