#include "aliquot/spectra/model_config.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/core/units.hpp"
#include "aliquot/spectra/components/convolved.hpp"
#include "aliquot/spectra/registry.hpp"

namespace aliquot::spectra {

namespace {

infer::Prior read_prior(const io::ConfigTable& table) {
    const auto pair = [&](std::string_view key) {
        const auto range = table.require<std::vector<double>>(key);
        if (range.size() != 2) table.fail(key, format("{} takes two numbers, low and high end (here are {})", key, range.size()));
        return std::pair{range[0], range[1]};
    };
    const bool uniform = table.has("uniform");
    const bool log_uniform = table.has("log_uniform");
    if (uniform == log_uniform) {
        table.finish();
        table.fail("", format("{} needs exactly one of uniform = [low, high] and log_uniform = [low, high]", table.path()));
    }
    const auto [low, high] = pair(uniform ? "uniform" : "log_uniform");
    infer::Prior prior = uniform ? infer::Prior::uniform(low, high) : infer::Prior::log_uniform(low, high);
    try {
        prior.validate();
    } catch (const ConfigError& error) {
        table.fail("", format("{}: {}", table.path(), error.what()));
    }
    table.finish();
    return prior;
}

TieDefinition read_tie(const io::ConfigTable& table) {
    TieDefinition tie{table.require<std::string>("to"), table.get<double>("ratio", 1.0), table.get<double>("offset", 0.0)};
    table.finish();
    return tie;
}

void set_fixed(const io::ConfigTable& table, std::string_view key, bool fixed, std::span<const std::string> names,
               ComponentDefinition& definition) {
    for (const std::string& name : table.get<std::vector<std::string>>(key, {})) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            table.fail(key, format("{} names \"{}\" (a {} has no such parameter{})", key, name, definition.component->type(),
                                   suggest(name, names)));
        if (!definition.fixed.emplace(name, fixed).second)
            table.fail(key, format("\"{}\" is named in both fixed and free (only one can hold): remove one", name));
    }
}

ComponentDefinition read_component(const io::ConfigTable& table, std::size_t index, const DataPaths& paths) {
    ComponentDefinition definition;
    definition.component = make_component(table, paths);
    definition.name = table.get<std::string>("name", format("{}_{}", definition.component->type(), index));
    definition.label = table.get<std::string>("label", "");
    std::vector<std::string> names;
    for (const ParameterSpec& spec : definition.component->parameters())
        names.push_back(spec.name);
    set_fixed(table, "fixed", true, names, definition);
    set_fixed(table, "free", false, names, definition);
    const io::ConfigTable bounds = table.table("bounds");
    const io::ConfigTable priors = table.table("prior");
    const io::ConfigTable ties = table.table("tie");
    for (const std::string& name : names) {
        if (const auto value = table.find<double>(name)) definition.values[name] = *value;
        if (const auto range = bounds.find<std::vector<double>>(name)) {
            if (range->size() != 2)
                bounds.fail(name, format("bounds take two numbers, low and high end (here are {})", range->size()));
            definition.bounds[name] = {(*range)[0], (*range)[1]};
        }
        if (priors.has(name)) definition.priors.emplace(name, read_prior(priors.table(name)));
        if (ties.has(name)) definition.ties.emplace(name, read_tie(ties.table(name)));
    }
    table.finish();
    return definition;
}

/// Dispersion in Angstrom of an instrument of one resolving power R = wavelength / FWHM at one wavelength.
double read_lsf(const io::ConfigTable& table) {
    const double wavelength = table.require<double>("wavelength");
    const double power = table.require<double>("resolving_power");
    table.finish();
    if (!(wavelength > 0.0 && std::isfinite(wavelength)))
        table.fail("wavelength", format("wavelength = {} (must be positive)", wavelength));
    if (!(power > 0.0 && std::isfinite(power)))
        table.fail("resolving_power", format("resolving_power = {} (must be positive)", power));
    return wavelength / (fwhm_per_sigma * power);
}

}  // namespace

Model read_model(const io::ConfigTable& table, const DataPaths& paths) {
    std::vector<ComponentDefinition> definitions;
    for (const io::ConfigTable& component : table.tables("component"))
        definitions.push_back(read_component(component, definitions.size(), paths));
    if (table.has("lsf")) {
        const double sigma = read_lsf(table.table("lsf"));
        for (ComponentDefinition& definition : definitions)
            if (definition.component->gaussian_lines())
                definition.component = std::make_shared<Convolved>(definition.component, sigma);
    }
    const auto expression = table.get<std::string>("expression", "");
    std::vector<std::vector<std::string>> sorted;
    for (const io::ConfigTable& group : table.tables("sorted")) {
        sorted.push_back(group.require<std::vector<std::string>>("parameters"));
        group.finish();
    }
    table.finish();
    try {
        return {std::move(definitions), expression, sorted};
    } catch (const ConfigError& error) {
        table.fail("", error.what());
    }
}

}  // namespace aliquot::spectra
