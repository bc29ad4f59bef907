#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "aliquot/io/config.hpp"
#include "aliquot/spectra/component.hpp"
#include "aliquot/spectra/data_paths.hpp"

namespace aliquot::spectra {

/// A kind of component that a configuration can name.
struct ComponentClass {
    std::string_view name;       ///< "Line_Gaussian"
    std::string_view arguments;  ///< what its table takes besides parameters, "n_components"; "" for nothing
    std::string_view summary;    ///< one line for people
    std::shared_ptr<const Component> (*make)(const io::ConfigTable& table, const DataPaths& paths);
};

/// All kinds, in alphabetical order. A new component is one line here.
[[nodiscard]] std::span<const ComponentClass> component_classes();

/// Make the component that `table` describes by its key "class" and the arguments of that class.
/// Throws ConfigError for an unknown class (nearest offered) or argument, DataError for a template that cannot be read.
[[nodiscard]] std::shared_ptr<const Component> make_component(const io::ConfigTable& table, const DataPaths& paths);

}  // namespace aliquot::spectra
