#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aliquot/infer/prior.hpp"
#include "aliquot/spectra/component.hpp"
#include "aliquot/spectra/expression.hpp"

namespace aliquot::spectra {

inline constexpr std::size_t most_sorted = 16;  ///< parameters in one sorted group

/// What the user asks of one tied parameter: value = reference / ratio + offset.
struct TieDefinition {
    std::string to;  ///< "Component.parameter", or a short name such as "amp_c0_1"
    double ratio = 1.0;
    double offset = 0.0;
};

/// What the user says about one component; everything left out takes the component's own table.
struct ComponentDefinition {
    std::string name;
    std::string label;  ///< shown instead of the name, may hold LaTeX; "" = name
    std::shared_ptr<const Component> component;
    std::map<std::string, double> values;
    std::map<std::string, std::pair<double, double>> bounds;
    std::map<std::string, bool> fixed;
    std::map<std::string, infer::Prior> priors;
    std::map<std::string, TieDefinition> ties;
};

/// A parameter of a model as it stands after all definitions.
struct Parameter {
    std::string name;        ///< "amp_c0"
    std::string short_name;  ///< "amp_c0_1": with the component's number, where there is more than one component
    std::string full_name;   ///< "OIII.amp_c0"
    std::string unit;
    double value;
    double lower;
    double upper;
    bool fixed;
    std::optional<std::size_t> tied_to;  ///< index of the reference parameter
    double tie_ratio = 1.0;
    double tie_offset = 0.0;
    std::optional<infer::Prior> prior;  ///< of free parameters
    bool default_prior = false;         ///< the prior follows the default rules: the user set none

    [[nodiscard]] bool free() const { return !fixed && !tied_to; }
};

/// A model: named components in a sum-and-product expression, with fixed, free and tied parameters. Immutable but for its values.
class Model {
  public:
    /// Throws ConfigError: unknown or repeated names (nearest offered), empty or reversed bounds, values or priors outside their
    /// bounds, a prior on a fixed or tied parameter, tie cycles (with the path), no free parameter; a group of `sorted`
    /// parameters that are not free, have different priors or stand in two groups.
    Model(std::vector<ComponentDefinition> components, std::string_view expression,
          const std::vector<std::vector<std::string>>& sorted = {});

    struct Leaf {
        std::string name;
        std::string label;
        std::shared_ptr<const Component> component;
        std::size_t first;  ///< index of its first parameter
        std::size_t count;
    };

    [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
    [[nodiscard]] const Expression& expression() const { return expression_; }
    [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
    /// Indices of the free parameters, in order of component and declaration: the order of theta everywhere.
    [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
    [[nodiscard]] std::size_t dimension() const { return free_.size(); }
    /// Groups of free parameters, as indices into theta, that the prior keeps in ascending order.
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& sorted() const { return sorted_; }

    /// Index of the parameter a user's key means: "Component.parameter", short name, or a base name that only one component has.
    /// Throws ConfigError, offering the nearest name.
    [[nodiscard]] std::size_t find(std::string_view key) const;

    /// Values of all parameters from those of the free ones; ties are followed in order of dependence.
    void expand(std::span<const double> theta, std::span<double> values) const;
    [[nodiscard]] std::vector<double> expand(std::span<const double> theta) const;
    /// Present values of the free parameters.
    [[nodiscard]] std::vector<double> theta() const;
    /// theta of one point of a fixed sequence of points drawn from the prior: where the code looks how a model behaves. Sorted
    /// parameters are not sorted.
    [[nodiscard]] std::vector<double> prior_point(std::uint64_t number) const;

    /// The model by its published formulas; `values` of all parameters, spans of wavelength and flux of equal length.
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const;
    /// Values of one component out of those of all.
    [[nodiscard]] std::span<const double> leaf_values(std::size_t leaf, std::span<const double> values) const {
        return values.subspan(leaves_[leaf].first, leaves_[leaf].count);
    }

  private:
    void add_leaf(ComponentDefinition& definition, std::size_t leaf_count);
    void resolve_ties(const std::vector<ComponentDefinition>& definitions);
    void order_ties();
    void set_priors(std::vector<ComponentDefinition>& definitions);
    void set_sorted(const std::vector<std::vector<std::string>>& groups);

    std::vector<Leaf> leaves_;
    Expression expression_;
    std::vector<Parameter> parameters_;
    std::vector<std::size_t> free_;
    std::vector<std::size_t> tied_;  // in order of dependence
    std::vector<std::vector<std::size_t>> sorted_;
};

/// The prior a free parameter gets where the user sets none: uniform between its bounds where both are finite, otherwise by the
/// kind of parameter its name tells (log-uniform 1e-6..1e6 for amplitudes, +-10000 km/s for shifts, ...), as GalSpec's fitters
/// do.
[[nodiscard]] infer::Prior default_prior(const Parameter& parameter);

}  // namespace aliquot::spectra
