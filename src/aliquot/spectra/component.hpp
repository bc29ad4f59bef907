#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aliquot/spectra/terms.hpp"

namespace aliquot::spectra {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// One row of a component's parameter table: what stands where the user says nothing.
struct ParameterSpec {
    std::string name;
    double value;
    double lower = -unbounded;
    double upper = unbounded;
    bool fixed = false;
    std::string unit;          ///< "km/s", "Angstrom", "flux" (the unit of the data) or ""
    std::string default_of{};  ///< where the value is not given: that of this parameter of the same component
};

/// A part of a component that is drawn on its own, such as one Gaussian of a profile.
struct ComponentPart {
    std::string name;  ///< "core", "wind0"
    std::shared_ptr<const Component> component;
    std::vector<double> values;
};

/// A spectral component: a function of wavelength (Angstrom, rest frame) with named parameters.
class Component {
  public:
    Component() = default;
    Component(const Component&) = delete;
    Component& operator=(const Component&) = delete;
    virtual ~Component() = default;

    /// Its name in configurations, "Line_Gaussian".
    [[nodiscard]] virtual std::string_view type() const = 0;
    /// The parameter table, in the order in which values are passed.
    [[nodiscard]] virtual std::span<const ParameterSpec> parameters() const = 0;
    /// The published formula, pixel by pixel: the oracle that the compiled plan is tested against. All spans of equal length.
    virtual void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const = 0;
    /// The same function as terms of the compiled plan. A component that is made of nothing the plan knows keeps this default.
    virtual void emit(std::span<const double> values, TermSink& terms) const { terms.dense(*this, values); }
    /// Whether it emits Gaussians and nothing else: a line-spread function then has a closed form.
    [[nodiscard]] virtual bool gaussian_lines() const { return false; }
    /// The component without the instrument that it is seen through.
    [[nodiscard]] virtual const Component& intrinsic() const { return *this; }
    /// Its parts, drawn dashed; they add up to the component. Empty where it has none.
    [[nodiscard]] virtual std::vector<ComponentPart> parts(std::span<const double> /*values*/) const { return {}; }
    /// Sentences about pixels in [low, high] Angstrom that the component cannot describe, such as those outside a template.
    [[nodiscard]] virtual std::vector<std::string> coverage_warnings(double /*low*/, double /*high*/) const { return {}; }
};

}  // namespace aliquot::spectra
