#include "aliquot/spectra/model_config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
        if (range.size() != 2)
            table.fail(key, format("{} takes two numbers{} (here are {})", key,
                                   key == "normal" ? ", mean and sigma" : ", low and high end", range.size()));
        return std::pair{range[0], range[1]};
    };
    int kinds = 0;
    for (const char* kind : {"uniform", "log_uniform", "normal", "slab"})
        kinds += table.has(kind) ? 1 : 0;
    if (kinds != 1) {
        table.finish();
        table.fail("",
                   format("{} needs exactly one of uniform = [low, high], log_uniform = [low, high], normal = [mean, sigma] and "
                          "slab = {{ a prior }}",
                          table.path()));
    }
    infer::Prior prior = infer::Prior::uniform(0.0, 1.0);
    if (table.has("uniform")) {
        const auto [low, high] = pair("uniform");
        prior = infer::Prior::uniform(low, high);
    } else if (table.has("log_uniform")) {
        const auto [low, high] = pair("log_uniform");
        prior = infer::Prior::log_uniform(low, high);
    } else if (table.has("normal")) {
        const auto [mean, sigma] = pair("normal");
        const auto nsigma = table.find<double>("nsigma");
        if (nsigma && !(*nsigma > 0.0))
            table.fail("nsigma", format("nsigma = {} (a normal prior ends above 0): change it", *nsigma));
        prior = infer::Prior::normal(mean, sigma, nsigma.value_or(std::numeric_limits<double>::infinity()));
    } else {
        prior = read_prior(table.table("slab")).with_spike(table.get<double>("p_spike", 0.5), table.get<double>("spike", 0.0));
    }
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
    const auto wavelength = table.require<double>("wavelength");
    const auto power = table.require<double>("resolving_power");
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
