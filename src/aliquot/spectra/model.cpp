#include "aliquot/spectra/model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/core/random.hpp"

namespace aliquot::spectra {

namespace {

std::vector<std::string> parameter_names(const Component& component) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : component.parameters())
        names.push_back(spec.name);
    return names;
}

/// Every parameter a definition speaks of must exist.
template <typename Map>
void require_known(const ComponentDefinition& definition, const Map& map, const char* what) {
    const std::vector<std::string> names = parameter_names(*definition.component);
    for (const auto& [name, unused] : map) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw ConfigError(format("component \"{}\": {} names parameter \"{}\" (a {} has none of that name{})",
                                     definition.name, what, name, definition.component->type(), suggest(name, names)));
    }
}

std::string range_text(double lower, double upper) {
    return format("[{}, {}]", lower, upper);
}

}  // namespace

Model::Model(std::vector<ComponentDefinition> components, std::string_view expression,
             const std::vector<std::vector<std::string>>& sorted) {
    if (components.empty())
        throw ConfigError("the model has no component (there is nothing to fit): add [[model.component]] tables");
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const ComponentDefinition& definition : components) {
        if (definition.name.empty() || definition.name.find_first_of(" .+*()") != std::string::npos)
            throw ConfigError(
                format("component name \"{}\" (empty, or with a blank or one of . + * ( )): use letters, digits and _",
                       definition.name));
        if (!seen.insert(definition.name).second)
            throw ConfigError(
                format("component name \"{}\" is used twice (names address components): rename one", definition.name));
        names.push_back(definition.name);
    }
    expression_ = parse_expression(expression, names);
    for (ComponentDefinition& definition : components)
        add_leaf(definition, components.size());
    resolve_ties(components);
    order_ties();
    set_priors(components);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (parameters_[i].free()) free_.push_back(i);
    }
    if (free_.empty()) throw ConfigError("the model has no free parameter (all are fixed or tied): free one");
    std::vector<double> start = theta();
    std::vector<double> values = expand(start);
    for (const std::size_t index : tied_)
        parameters_[index].value = values[index];
    set_sorted(sorted);
}

void Model::add_leaf(ComponentDefinition& definition, std::size_t leaf_count) {
    require_known(definition, definition.values, "a value");
    require_known(definition, definition.bounds, "bounds");
    require_known(definition, definition.fixed, "fixed or free");
    require_known(definition, definition.priors, "prior");
    require_known(definition, definition.ties, "tie");
    const std::size_t leaf = leaves_.size();
    const auto specs = definition.component->parameters();
    leaves_.push_back({definition.name, definition.label.empty() ? definition.name : definition.label, definition.component,
                       parameters_.size(), specs.size()});
    for (const ParameterSpec& spec : specs) {
        Parameter parameter{.name = spec.name,
                            .short_name = leaf_count > 1 ? format("{}_{}", spec.name, leaf) : spec.name,
                            .full_name = definition.name + "." + spec.name,
                            .unit = spec.unit,
                            .value = spec.value,
                            .lower = spec.lower,
                            .upper = spec.upper,
                            .fixed = spec.fixed,
                            .tied_to = {},
                            .prior = {}};
        if (const auto bounds = definition.bounds.find(spec.name); bounds != definition.bounds.end()) {
            parameter.lower = bounds->second.first;
            parameter.upper = bounds->second.second;
            if (!(parameter.lower < parameter.upper))
                throw ConfigError(format("bounds of {} = {} (empty or reversed): give the low end first", parameter.full_name,
                                         range_text(parameter.lower, parameter.upper)));
        }
        const auto value = definition.values.find(spec.name);
        if (value != definition.values.end()) {
            parameter.value = value->second;
        } else if (const auto other = definition.values.find(spec.default_of); other != definition.values.end()) {
            parameter.value = other->second;
        }
        if (const auto fixed = definition.fixed.find(spec.name); fixed != definition.fixed.end()) parameter.fixed = fixed->second;
        if (!std::isfinite(parameter.value) ||
            (value != definition.values.end() && (parameter.value < parameter.lower || parameter.value > parameter.upper)))
            throw ConfigError(format("{} = {} (outside its bounds {}): change the value or give bounds.{}", parameter.full_name,
                                     parameter.value, range_text(parameter.lower, parameter.upper), spec.name));
        parameters_.push_back(std::move(parameter));
    }
}

void Model::resolve_ties(const std::vector<ComponentDefinition>& definitions) {
    for (std::size_t leaf = 0; leaf < definitions.size(); ++leaf) {
        for (const auto& [name, tie] : definitions[leaf].ties) {
            Parameter& parameter = parameters_[find(definitions[leaf].name + "." + name)];
            if (definitions[leaf].fixed.contains(name) && definitions[leaf].fixed.at(name))
                throw ConfigError(format("{} is both fixed and tied (only one can hold): remove one", parameter.full_name));
            if (!std::isfinite(tie.ratio) || tie.ratio == 0.0 || !std::isfinite(tie.offset))
                throw ConfigError(
                    format("tie of {}: ratio = {}, offset = {} (value = reference / ratio + offset must be finite): change them",
                           parameter.full_name, tie.ratio, tie.offset));
            try {
                parameter.tied_to = find(tie.to);
            } catch (const ConfigError& error) {
                throw ConfigError(format("tie of {}: {}", parameter.full_name, error.what()));
            }
            parameter.tie_ratio = tie.ratio;
            parameter.tie_offset = tie.offset;
            parameter.fixed = false;
        }
    }
}

void Model::order_ties() {
    enum class Mark { none, open, done };
    std::vector<Mark> marks(parameters_.size(), Mark::none);
    for (std::size_t start = 0; start < parameters_.size(); ++start) {
        std::vector<std::size_t> path;
        std::size_t at = start;
        while (parameters_[at].tied_to && marks[at] == Mark::none) {
            marks[at] = Mark::open;
            path.push_back(at);
            at = *parameters_[at].tied_to;
        }
        if (marks[at] == Mark::open) {
            std::string cycle = parameters_[at].full_name;
            for (std::size_t next = *parameters_[at].tied_to;; next = *parameters_[next].tied_to) {
                cycle += " -> " + parameters_[next].full_name;
                if (next == at) break;
            }
            throw ConfigError(format("ties form a cycle: {} (no value can follow from itself): remove one of these ties", cycle));
        }
        for (auto node = path.rbegin(); node != path.rend(); ++node) {
            marks[*node] = Mark::done;
            tied_.push_back(*node);
        }
    }
}

void Model::set_priors(std::vector<ComponentDefinition>& definitions) {
    for (ComponentDefinition& definition : definitions) {
        for (const auto& [name, prior] : definition.priors) {
            Parameter& parameter = parameters_[find(definition.name + "." + name)];
            if (!parameter.free())
                throw ConfigError(format(
                    "prior of {} (the parameter is {}, a prior would have no effect): remove the prior or free the parameter",
                    parameter.full_name, parameter.fixed ? "fixed" : "tied"));
            parameter.prior = prior.within(parameter.lower, parameter.upper);
            parameter.prior->validate();
            if (parameter.prior->lower() < parameter.lower || parameter.prior->upper() > parameter.upper)
                throw ConfigError(
                    format("prior of {} = {} (reaches outside the parameter's bounds {}): narrow it, or give bounds.{}",
                           parameter.full_name, prior.describe(), range_text(parameter.lower, parameter.upper), name));
        }
    }
    for (Parameter& parameter : parameters_) {
        if (!parameter.free() || parameter.prior) continue;
        parameter.prior = default_prior(parameter);
        parameter.default_prior = true;
    }
}

void Model::set_sorted(const std::vector<std::vector<std::string>>& groups) {
    std::vector<bool> used(free_.size(), false);
    for (const std::vector<std::string>& names : groups) {
        if (names.size() < 2)
            throw ConfigError(
                format("a sorted group of {} parameter(s) (only two or more have an order): name more", names.size()));
        if (names.size() > most_sorted)
            throw ConfigError(format("a sorted group of {} parameters (at most {}): name fewer", names.size(), most_sorted));
        std::vector<std::size_t> group;
        for (const std::string& name : names) {
            const std::size_t index = find(name);
            const Parameter& parameter = parameters_[index];
            const auto place = std::find(free_.begin(), free_.end(), index);
            if (place == free_.end())
                throw ConfigError(format("sorted parameter {} is {} (it has no prior to be sorted): free it, or leave it out",
                                         parameter.full_name, parameter.fixed ? "fixed" : "tied"));
            group.push_back(static_cast<std::size_t>(place - free_.begin()));
            if (used[group.back()]) throw ConfigError(format("parameter {} is sorted twice: name it once", parameter.full_name));
            used[group.back()] = true;
            const Parameter& first = parameters_[free_[group.front()]];
            if (parameter.prior->describe() != first.prior->describe())
                throw ConfigError(
                    format("sorted parameters {} and {} have the priors {} and {} (only equal ones can be exchanged): "
                           "give them the same",
                           first.full_name, parameter.full_name, first.prior->describe(), parameter.prior->describe()));
        }
        sorted_.push_back(std::move(group));
    }
}

std::size_t Model::find(std::string_view key) const {
    std::vector<std::size_t> by_base;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (parameters_[i].full_name == key || parameters_[i].short_name == key) return i;
        if (parameters_[i].name == key) by_base.push_back(i);
    }
    if (by_base.size() == 1) return by_base.front();
    if (by_base.size() > 1)
        throw ConfigError(format("\"{}\" is ambiguous ({} and {} both have it): write {}", key, parameters_[by_base[0]].full_name,
                                 parameters_[by_base[1]].full_name, parameters_[by_base[0]].full_name));
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_)
        names.push_back(parameter.full_name);
    const std::string near = nearest_name(key, names);
    const std::string hint = near.empty() ? "write Component.parameter" : format("did you mean \"{}\"?", near);
    throw ConfigError(format("unknown parameter \"{}\" (the model has none of that name); {}", key, hint));
}

void Model::expand(std::span<const double> theta, std::span<double> values) const {
    ALIQUOT_EXPECT(values.size() == parameters_.size() && (free_.empty() || theta.size() == free_.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = parameters_[i].value;
    for (std::size_t i = 0; i < free_.size(); ++i)
        values[free_[i]] = theta[i];
    for (const std::size_t index : tied_) {
        const Parameter& parameter = parameters_[index];
        values[index] = values[*parameter.tied_to] / parameter.tie_ratio + parameter.tie_offset;
    }
}

std::vector<double> Model::expand(std::span<const double> theta) const {
    std::vector<double> values(parameters_.size());
    expand(theta, values);
    return values;
}

std::vector<double> Model::theta() const {
    std::vector<double> values;
    for (const std::size_t index : free_)
        values.push_back(parameters_[index].value);
    return values;
}

std::vector<double> Model::prior_point(std::uint64_t number) const {
    RandomStream random(0, 0, number);
    std::vector<double> values;
    for (const std::size_t index : free_)
        values.push_back(parameters_[index].prior->transform(random.uniform()));
    return values;
}

void Model::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::vector<std::vector<double>> stack;
    for (const ExpressionOp& op : expression_) {
        if (op.kind == ExpressionOp::Kind::component) {
            stack.emplace_back(wavelength.size());
            leaves_[op.component].component->evaluate(wavelength, leaf_values(op.component, values), stack.back());
            continue;
        }
        const std::vector<double> right = std::move(stack.back());
        stack.pop_back();
        std::vector<double>& left = stack.back();
        for (std::size_t i = 0; i < left.size(); ++i)
            left[i] = op.kind == ExpressionOp::Kind::add ? left[i] + right[i] : left[i] * right[i];
    }
    std::copy(stack.front().begin(), stack.front().end(), flux.begin());
}

infer::Prior default_prior(const Parameter& parameter) {
    const bool two_sided = std::isfinite(parameter.lower) && std::isfinite(parameter.upper);
    if (two_sided) return infer::Prior::uniform(parameter.lower, parameter.upper);
    const auto starts = [&](std::string_view stem) { return parameter.name.starts_with(stem); };
    const auto range = [&](double lower, double upper) {
        const std::pair cut{std::max(lower, parameter.lower), std::min(upper, parameter.upper)};
        if (!(cut.first < cut.second))
            throw ConfigError(format("{} has no prior (its bounds {} leave nothing of the default range {}): give prior.{}",
                                     parameter.full_name, range_text(parameter.lower, parameter.upper), range_text(lower, upper),
                                     parameter.name));
        return cut;
    };
    const auto within = [&](double lower, double upper) {
        const auto [low, high] = range(lower, upper);
        return infer::Prior::uniform(low, high);
    };
    const std::string& name = parameter.name;
    if (name.find("amplitude") != std::string::npos || starts("amp")) {
        const auto [low, high] = range(1e-6, 1e6);
        return infer::Prior::log_uniform(low, high);
    }
    if (starts("sigma") || name == "stddev") return within(10.0, 20000.0);
    if (starts("dv")) return within(-10000.0, 10000.0);
    if (starts("wavec") || name == "mean" || name == "x_0") {
        const double half = 0.01 * std::abs(parameter.value);
        return within(parameter.value - half, parameter.value + half);
    }
    if (starts("logtau")) return within(-3.0, 3.0);
    if (name == "Cf") return within(0.0, 1.0);
    if (name == "h3" || name == "h4") return within(-0.5, 0.5);
    if (starts("alpha")) return within(-5.0, 5.0);
    if (name == "z" || name == "redshift") return within(-0.1, 0.1);
    if (name == "velscale") return within(10.0, 1000.0);
    return within(-10.0, 10.0);
}

}  // namespace aliquot::spectra
