#include "aliquot/cluster/cluster_config.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "aliquot/cluster/eddington_model.hpp"
#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/multimass.hpp"
#include "aliquot/cluster/plummer.hpp"
#include "aliquot/cluster/uniform_sphere.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/text_table.hpp"

namespace aliquot::cluster {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A model and what configurations may call its lengths.
struct Solved {
    std::shared_ptr<const Equilibrium> model;
    std::string name;
    std::string own_radius;  ///< key of the model's own length unit: "king_radius", "scale_radius", "" where lengths are in units
    bool uses_masses = true;  ///< whether [stars] chooses masses
};

/// Run `action`; what it refuses is said with the place in the file.
template <typename Action>
auto at(const io::ConfigTable& table, const std::string& key, Action&& action) {
    try {
        return action();
    } catch (const ConfigError& error) {
        table.fail(key, error.what());
    }
}

Solved solve_lowered(const io::ConfigTable& table, const std::string& kind) {
    double truncation = 1.0;
    if (kind == "woolley") truncation = 0.0;
    if (kind == "wilson") truncation = 2.0;
    if (kind == "limepy") truncation = table.require<double>("g");
    const auto depth = table.require<double>("W0");
    const double ra = kind == "michie" ? table.require<double>("r_a_over_r_0") : table.get("r_a_over_r_0", infinity);
    Solved solved{nullptr, format("{} model, W0 = {:.6g}, g = {:.6g}", kind, depth, truncation), "king_radius"};
    if (std::isfinite(ra)) solved.name += format(", r_a = {:.6g} r_0", ra);
    solved.model =
        at(table, "W0", [&] { return std::make_shared<LoweredModel>(LoweredSpec{depth, truncation, {{1.0, 1.0, ra}}}); });
    return solved;
}

Solved solve_eff(const io::ConfigTable& table) {
    const auto gamma = table.require<double>("gamma");
    const auto edge = table.require<double>("edge_over_a");
    const double ra = table.get("r_a_over_a", infinity);
    auto model = at(table, "gamma", [&] {
        return std::make_shared<EddingtonModel>(std::vector<DensityComponent>{{"eff", eff_profile(1.0, gamma, edge), 1.0, ra}});
    });
    return {std::move(model), format("EFF profile, gamma = {:.6g}, cut at {:.6g} a", gamma, edge), "scale_radius"};
}

Solved solve_components(const io::ConfigTable& table, ClusterSpec& spec) {
    LoweredSpec lowered{table.require<double>("W0"), table.get("g", 1.0), {}};
    for (const io::ConfigTable& component : table.tables("component")) {
        lowered.components.push_back({component.require<double>("central_fraction"), component.get("velocity_scale", 1.0),
                                      component.get("r_a_over_r_0", infinity)});
        spec.component_mass.push_back(component.require<double>("stellar_mass"));
    }
    if (lowered.components.empty())
        table.fail("component", "no [[model.component]] (a coupled model needs one for each of its components)");
    auto model = at(table, "W0", [&] { return std::make_shared<LoweredModel>(lowered); });
    return {std::move(model),
            format("coupled lowered model, W0 = {:.6g}, {} components", lowered.central_depth, lowered.components.size()),
            "king_radius", false};
}

Solved solve_densities(const io::ConfigTable& table, ClusterSpec& spec) {
    std::vector<DensityComponent> components;
    for (const io::ConfigTable& component : table.tables("component")) {
        const auto profile = component.require<std::string>("profile");
        DensityComponent part;
        part.name = component.get<std::string>("name", profile);
        part.mass_fraction = component.require<double>("mass_fraction");
        part.anisotropy_radius = component.get("anisotropy_radius", infinity);
        spec.component_mass.push_back(component.require<double>("stellar_mass"));
        if (profile == "plummer") {
            const bool by_half_mass = component.has("half_mass_radius");
            const double a = by_half_mass ? component.require<double>("half_mass_radius") / plummer_half_mass_radius
                                          : component.require<double>("scale_radius");
            part.profile = at(component, "profile", [&] { return eff_profile(a, 5.0); });
        } else if (profile == "eff") {
            const auto a = component.require<double>("scale_radius");
            const auto gamma = component.require<double>("gamma");
            const double edge = component.get("edge_radius", infinity);
            part.profile = at(component, "profile", [&] { return eff_profile(a, gamma, edge); });
        } else if (profile == "king") {
            const auto depth = component.require<double>("W0");
            const auto radius = component.require<double>("king_radius");
            part.profile = at(component, "profile", [&] { return lowered_profile(depth, 1.0, radius); });
        } else {
            const std::vector<std::string> known{"plummer", "eff", "king"};
            component.fail("profile", "profile = \"" + profile + "\" (no such profile)" + suggest(profile, known));
        }
        components.push_back(std::move(part));
    }
    const double edge = table.get("edge_radius", infinity);
    const std::size_t count = components.size();
    auto model = at(table, "component", [&] { return std::make_shared<EddingtonModel>(std::move(components), edge); });
    return {std::move(model), format("{} densities in their common potential", count), "", false};
}

Segregation read_segregation(const io::ConfigTable& table) {
    return {table.get("delta", 0.5), table.get("eta", 0.0), table.get("r_a_over_r_0", infinity)};
}

MeanMass read_mean_mass(const io::ConfigTable& table) {
    const auto name = table.get<std::string>("mean_mass", "global");
    if (name == "global") return MeanMass::global;
    if (name == "central") return MeanMass::central;
    const std::vector<std::string> known{"global", "central"};
    table.fail("mean_mass", "mean_mass = \"" + name + "\" (no such definition)" + suggest(name, known));
}

/// A segregated model: components given by lists, or bins of the mass function.
Solved solve_segregated(const io::ConfigTable& table, const std::optional<MassFunction>& masses, ClusterSpec& spec) {
    const auto depth = table.require<double>("W0");
    const double truncation = table.get("g", 1.0);
    const Segregation segregation = read_segregation(table);
    const MeanMass mean = read_mean_mass(table);
    std::vector<double> stellar;
    std::vector<double> total;
    const bool listed = table.has("stellar_masses") || table.has("component_masses");
    if (listed) {
        stellar = table.require<std::vector<double>>("stellar_masses");
        total = table.require<std::vector<double>>("component_masses");
        spec.component_mass = stellar;
    } else {
        const auto bins = table.get<std::size_t>("bins", 5);
        if (!masses || !(masses->high() > masses->low()))
            table.fail("", "a segregated model needs stellar_masses and component_masses, or bins of a mass function in [stars]");
        if (bins < 2 || bins > 100) table.fail("bins", format("bins = {} (from 2 to 100 bins of the mass function)", bins));
        for (std::size_t j = 0; j <= bins; ++j)
            spec.component_edges.push_back(
                masses->low() * std::pow(masses->high() / masses->low(), static_cast<double>(j) / static_cast<double>(bins)));
        for (std::size_t j = 0; j < bins; ++j) {
            const double number =
                masses->number_below(spec.component_edges[j + 1]) - masses->number_below(spec.component_edges[j]);
            const double mass = masses->mass_below(spec.component_edges[j + 1]) - masses->mass_below(spec.component_edges[j]);
            stellar.push_back(mass * masses->mean() / number);
            total.push_back(mass);
        }
    }
    auto model = at(table, "W0", [&] {
        return std::make_shared<LoweredModel>(solve_multimass(depth, truncation, stellar, total, segregation, mean));
    });
    return {std::move(model),
            format("segregated lowered model, W0 = {:.6g}, g = {:.6g}, delta = {:.6g}, {} components", depth, truncation,
                   segregation.delta, stellar.size()),
            "king_radius", !listed};
}

Solved solve_model(const io::ConfigTable& table, const std::optional<MassFunction>& masses, ClusterSpec& spec) {
    const auto kind = table.require<std::string>("kind");
    if (kind == "king" || kind == "michie" || kind == "woolley" || kind == "wilson" || kind == "limepy")
        return solve_lowered(table, kind);
    if (kind == "plummer") {
        const double ra = table.get("r_a_over_a", infinity);
        auto model = at(table, "r_a_over_a", [&] { return std::make_shared<Plummer>(ra); });
        return {std::move(model), "Plummer sphere" + (std::isfinite(ra) ? format(", r_a = {:.6g} a", ra) : std::string()),
                "scale_radius"};
    }
    if (kind == "eff") return solve_eff(table);
    if (kind == "uniform") return {std::make_shared<UniformSphere>(), "uniform sphere", "edge_radius"};
    if (kind == "coupled") return solve_components(table, spec);
    if (kind == "densities") return solve_densities(table, spec);
    if (kind == "segregated") return solve_segregated(table, masses, spec);
    const std::vector<std::string> known{"king", "michie",  "woolley", "wilson",    "limepy",    "plummer",
                                         "eff",  "uniform", "coupled", "densities", "segregated"};
    table.fail("kind", "kind = \"" + kind + "\" (no such model)" + suggest(kind, known));
}

void read_scale(const io::ConfigTable& table, const Solved& solved, ClusterSpec& spec) {
    const auto units = table.get<std::string>("units", "pc-msun-kms");
    spec.units = at(table, "units", [&] { return units_by_name(units); });
    if (const auto gravity = table.find<double>("G")) {
        if (!(*gravity > 0.0)) table.fail("G", format("G = {} (the constant of gravity must be positive)", *gravity));
        spec.units.gravitational_constant = *gravity;
    }
    const bool henon = units == "henon";
    spec.unit_mass = henon;
    std::vector<std::pair<std::string, double>> given;
    for (const char* key : {"king_radius", "scale_radius", "half_mass_radius", "virial_radius", "edge_radius"})
        if (const auto value = table.find<double>(key)) given.emplace_back(key, *value);
    if (solved.own_radius.empty()) {
        if (!given.empty())
            table.fail(given[0].first,
                       given[0].first + " (the profiles of [[model.component]] have their lengths already): leave it out");
        if (henon)
            table.fail("units", "units = \"henon\" (densities have lengths of their own): take pc-msun-kms or pc-msun-myr");
        return;
    }
    if (henon) {
        if (!given.empty())
            table.fail(given[0].first, given[0].first + " in Henon units (their virial radius is 1): leave it out");
        spec.length_unit = 1.0 / spec.model->virial_radius();
        return;
    }
    if (given.size() != 1)
        table.fail("", format("{} radii given (one sets the size: half_mass_radius, virial_radius, edge_radius or {})",
                              given.size(), solved.own_radius));
    const auto& [key, value] = given[0];
    if (!(value > 0.0 && std::isfinite(value))) table.fail(key, format("{} = {} (must be positive)", key, value));
    double own = 1.0;
    if (key == "half_mass_radius") {
        own = spec.model->half_mass_radius();
    } else if (key == "virial_radius") {
        own = spec.model->virial_radius();
    } else if (key == "edge_radius" && solved.own_radius != key) {
        own = spec.model->edge();
        if (!std::isfinite(own)) table.fail(key, "edge_radius (this model has no edge): take half_mass_radius or virial_radius");
    } else if (key != solved.own_radius) {
        table.fail(
            key, format("{} (the {} has none): take half_mass_radius, virial_radius or {}", key, solved.name, solved.own_radius));
    }
    spec.length_unit = value / own;
}

std::optional<MassFunction> read_masses(const io::ConfigTable& table, const io::Config& config, ClusterSpec& spec) {
    const bool single = table.has("mass");
    const bool listed = table.has("mass_file");
    if (single + listed + table.has("masses") > 1) table.fail("", "mass, masses and mass_file exclude each other: give one");
    if (single) return at(table, "mass", [&] { return MassFunction::single(table.require<double>("mass")); });
    if (listed) {
        const std::string path = (config.directory() / table.require<std::string>("mass_file")).string();
        const io::TextTable file = io::read_text_table(path);
        const auto column = table.get<std::string>("mass_column", file.names.empty() ? "1" : file.names[0]);
        spec.mass_list = file.columns[file.find(column, path)];
        for (std::size_t i = 0; i < spec.mass_list.size(); ++i)
            if (!(spec.mass_list[i] > 0.0 && std::isfinite(spec.mass_list[i])))
                throw DataError(format("{}: mass {} of star {} (masses must be positive)", path, spec.mass_list[i], i + 1));
        if (spec.mass_list.empty()) throw DataError(format("{}: no masses (the table is empty)", path));
        return std::nullopt;
    }
    const auto name = table.get<std::string>("masses", "kroupa");
    const double low = table.get("low_mass", name == "maschberger" ? 0.01 : 0.08);
    const double high = table.get("high_mass", 150.0);
    return at(table, "masses", [&] { return MassFunction::by_name(name, low, high); });
}

void read_stars(const io::ConfigTable& table, ClusterSpec& spec) {
    spec.stars = table.find<std::size_t>("n");
    spec.total_mass = table.find<double>("total_mass");
    spec.segregation = table.get("segregation", 0.0);
    spec.rotation = table.get("rotation", 0.0);
    spec.virial_ratio = table.find<double>("virial_ratio");
    spec.centre = table.get("centre", true);
    const auto method = table.get<std::string>("method", "exact");
    if (method == "table") {
        spec.method = DrawMethod::table;
    } else if (method == "quadrature") {
        spec.method = DrawMethod::quadrature;
    } else if (method != "exact") {
        const std::vector<std::string> known{"exact", "table", "quadrature"};
        table.fail("method", "method = \"" + method + "\" (no such way to draw)" + suggest(method, known));
    }
}

BinaryLaw read_binaries(const io::ConfigTable& table) {
    BinaryLaw law;
    law.fraction = table.get("fraction", 0.0);
    const auto period = table.get<std::string>("period", "duquennoy-mayor");
    law.period = at(table, "period", [&] { return period_law(period); });
    law.low_log_period = table.get("low_log_period_days", law.period == PeriodLaw::sana ? 0.15 : 0.0);
    law.high_log_period = table.get("high_log_period_days", law.period == PeriodLaw::sana ? 3.5 : 8.0);
    law.massive_above = table.get("sana_above_mass", law.massive_above);
    const auto eccentricity = table.get<std::string>("eccentricity", "thermal");
    law.eccentricity = at(table, "eccentricity", [&] { return eccentricity_law(eccentricity); });
    const auto pairs = table.get<std::string>("pairing", "uniform-ratio");
    law.pairing = at(table, "pairing", [&] { return pairing(pairs); });
    return law;
}

/// Mass of the stars that will be drawn, on average.
double expected_mass(const ClusterSpec& spec) {
    if (spec.unit_mass) return 1.0;
    if (spec.total_mass) return *spec.total_mass;
    const double bodies = spec.stars ? static_cast<double>(*spec.stars) : 1.0;
    if (!spec.mass_list.empty()) return std::accumulate(spec.mass_list.begin(), spec.mass_list.end(), 0.0);
    if (spec.masses) return bodies * spec.masses->mean();
    double number = 0.0;
    for (std::size_t j = 0; j < spec.component_mass.size(); ++j)
        number += spec.model->mass_fraction(j) / spec.component_mass[j];
    return bodies / number;
}

void warn(const ClusterSpec& spec, std::vector<std::string>& warnings) {
    const Energies energies = spec.model->energies();
    const double ratio = energies.tangential > 0.0 ? 2.0 * energies.radial / energies.tangential : 1.0;
    if (ratio > 1.7)
        warnings.push_back(
            format("2 K_r / K_t = {:.3g} (above 1.7 +- 0.25 orbits are so radial that the cluster forms a bar: Polyachenko & "
                   "Shukhman 1981)",
                   ratio));
    const double virial = energies.virial_ratio();
    if (!spec.model->cold() && !spec.virial_ratio && std::abs(virial - 0.5) > 1e-3)
        warnings.push_back(
            format("T / |U| = {:.4f} (a density that is cut where it is not zero has no equilibrium of its own)", virial));
    if (spec.segregation > 0.0)
        warnings.push_back("energy-ordered segregation is not an equilibrium (model.kind = \"segregated\" is one)");
}

}  // namespace

ClusterConfig read_cluster_config(io::Config& config) {
    const io::ConfigTable root = config.root();
    ClusterConfig result;
    ClusterSpec& spec = result.spec;
    result.title = root.get<std::string>("title", "");
    result.seed = root.get<std::size_t>("seed", 1);
    const io::ConfigTable stars = root.table("stars");
    spec.masses = read_masses(stars, config, spec);
    if (root.kind("model") == io::ConfigKind::none) root.fail("", "no [model] table (what cluster?)");
    const io::ConfigTable model = root.table("model");
    Solved solved = solve_model(model, spec.masses, spec);
    spec.model = solved.model;
    if (!solved.uses_masses) {
        for (const char* key : {"mass", "masses", "mass_file"})
            if (stars.has(key))
                stars.fail(key, std::string(key) + " (the components of this model bring their stellar_mass): leave it out");
        spec.masses.reset();
    }
    read_scale(root.table("scale"), solved, spec);
    read_stars(stars, spec);
    spec.binaries = read_binaries(root.table("binaries"));
    config.check_all_used();
    spec.name = solved.name;
    if (result.title.empty()) result.title = solved.name;
    result.expected_mass = expected_mass(spec);
    warn(spec, result.warnings);
    return result;
}

}  // namespace aliquot::cluster
