#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "aliquot/cluster/cluster_config.hpp"
#include "aliquot/cluster/profile_table.hpp"
#include "aliquot/cluster/report.hpp"
#include "aliquot/cluster/snapshot.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/core/version.hpp"
#include "app/commands.hpp"
#include "app/numbers.hpp"

namespace aliquot::app {

namespace {

constexpr std::size_t report_shells = 40;

/// Stars that go nowhere: a report needs them drawn, not kept.
class NoSink final : public cluster::StarSink {
  public:
    void write(const cluster::Stars& /*block*/) override {}
    void finish() override {}
};

cluster::ClusterConfig read(const ClusterCommand& command) {
    if (!std::filesystem::exists(command.config))
        throw DataError(format("{}: no such file (the configuration of a cluster): check the path", command.config),
                        ExitCode::no_input);
    io::Config config = io::Config::parse_file(command.config);
    for (const std::string& assignment : command.overrides)
        config.set(assignment);
    if (!command.n.empty()) config.set(format("stars.n={}", parse_whole_number("--n", command.n)));
    if (!command.seed.empty()) config.set(format("seed={}", parse_whole_number("--seed", command.seed)));
    return cluster::read_cluster_config(config);
}

/// "king.csv" and 3 of 12: "king_03.csv".
std::string numbered(const std::string& path, std::size_t index, std::size_t count) {
    if (count == 1) return path;
    const std::filesystem::path whole(path);
    const std::size_t digits = std::to_string(count).size();
    return (whole.parent_path() / format("{}_{:0{}}{}", whole.stem().string(), index + 1, digits, whole.extension().string()))
        .string();
}

struct Written {
    std::string path;
    std::uint64_t seed;
    std::size_t stars, binaries;
    double mass, virial_factor, seconds;
};

Written draw(const ClusterCommand& command, const cluster::ClusterConfig& config, std::size_t index, Threads& threads) {
    const auto start = std::chrono::steady_clock::now();
    cluster::ClusterConfig one = config;
    one.seed = config.seed + index;
    const cluster::Cluster stars(one.spec, one.seed, threads);
    cluster::SnapshotHeader header = stars.header();
    header.description = format("{} (aliquot {})", header.description, version);
    const std::string path = numbered(command.out, index, command.realizations);
    NoSink nowhere;
    std::unique_ptr<cluster::StarSink> file;
    if (!command.out.empty()) file = cluster::open_star_sink(path, command.format, header);
    cluster::StarSink* sink = file ? file.get() : &nowhere;
    std::optional<cluster::ShellSums> sums;
    std::optional<cluster::SummingSink> summing;
    if (!command.report.empty()) {
        sums.emplace(stars, report_shells);
        summing.emplace(*sink, *sums);
        sink = &*summing;
    }
    ProgressPrinter printer(stderr, isatty(STDERR_FILENO) != 0);
    stars.write(*sink, command.quiet ? ProgressCallback{} : std::ref(printer));
    printer.finish();
    if (sums) cluster::write_cluster_report(one, stars, *sums, numbered(command.report, index, command.realizations));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {path, one.seed, stars.stars(), stars.binaries(), stars.total_mass(), stars.virial_factor(), seconds};
}

nlohmann::ordered_json model_json(const cluster::ClusterConfig& config) {
    const cluster::Equilibrium& model = *config.spec.model;
    const cluster::ModelScale scale = cluster::model_scale(config.spec, config.expected_mass);
    const cluster::Energies energies = model.energies();
    const double edge = model.edge();
    return {{"name", config.spec.name},
            {"total_mass", config.expected_mass},
            {"half_mass_radius", model.half_mass_radius() * scale.length},
            {"virial_radius", model.virial_radius() * scale.length},
            {"edge_radius", std::isfinite(edge) ? nlohmann::ordered_json(edge * scale.length) : nlohmann::ordered_json()},
            {"central_escape_speed", model.escape_speed(0.0) * scale.velocity},
            {"kinetic_energy", energies.kinetic() * scale.energy()},
            {"potential_energy", energies.potential * scale.energy()},
            {"virial_ratio", energies.virial_ratio()},
            {"radial_orbit_ratio", energies.tangential > 0.0 ? nlohmann::ordered_json(2.0 * energies.radial / energies.tangential)
                                                             : nlohmann::ordered_json()}};
}

void print_json(const ClusterCommand& command, const cluster::ClusterConfig& config, const std::vector<Written>& written) {
    nlohmann::ordered_json out = {{"version", version},
                                  {"title", config.title},
                                  {"units", config.spec.units.name},
                                  {"gravitational_constant", config.spec.units.gravitational_constant},
                                  {"model", model_json(config)},
                                  {"clusters", nlohmann::ordered_json::array()},
                                  {"warnings", config.warnings}};
    for (const Written& one : written)
        out["clusters"].push_back({{"file", command.out.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(one.path)},
                                   {"seed", one.seed},
                                   {"n", one.stars},
                                   {"binaries", one.binaries},
                                   {"total_mass", one.mass},
                                   {"virial_factor", one.virial_factor},
                                   {"seconds", one.seconds}});
    std::puts(out.dump(2).c_str());
}

void print_table(const ClusterCommand& command, const cluster::ClusterConfig& config, const std::vector<Written>& written) {
    const cluster::Equilibrium& model = *config.spec.model;
    const double mass = written.empty() ? config.expected_mass : written[0].mass;
    const cluster::ModelScale scale = cluster::model_scale(config.spec, mass);
    const cluster::Units& units = config.spec.units;
    const auto line = [](const char* name, double value, const std::string& unit) {
        std::printf("%-22s %.6g %s\n", name, value, unit.c_str());
    };
    std::printf("%s\n", config.title.c_str());
    if (config.title != config.spec.name) std::printf("%s\n", config.spec.name.c_str());
    line("total mass", mass, units.mass);
    line("half-mass radius", model.half_mass_radius() * scale.length, units.length);
    line("virial radius", model.virial_radius() * scale.length, units.length);
    if (std::isfinite(model.edge())) line("edge", model.edge() * scale.length, units.length);
    line("central escape speed", model.escape_speed(0.0) * scale.velocity, units.velocity);
    line("T / |U| of the model", model.energies().virial_ratio(), "");
    for (const Written& one : written) {
        if (one.virial_factor != 1.0) line("velocities times", one.virial_factor, "");
        const std::string binaries = one.binaries > 0 ? format(", {} of them in binaries", 2 * one.binaries) : "";
        if (!command.out.empty())
            std::printf("wrote %s: %zu stars%s, seed %llu, %s\n", one.path.c_str(), one.stars, binaries.c_str(),
                        static_cast<unsigned long long>(one.seed), format_duration(one.seconds).c_str());
    }
    if (!command.profile.empty()) std::printf("wrote %s\n", command.profile.c_str());
    if (!command.report.empty()) std::printf("wrote %s\n", command.report.c_str());
}

}  // namespace

int run(const ClusterCommand& command) {
    if (command.out.empty() && command.profile.empty() && command.report.empty())
        throw Error(ExitCode::usage, "nothing to write (no --out, --profile or --report): say where the stars or the profile go");
    const cluster::ClusterConfig config = read(command);
    if (!command.quiet)
        for (const std::string& warning : config.warnings)
            std::fprintf(stderr, "warning: %s\n", warning.c_str());
    if (!command.profile.empty()) cluster::write_profile(config, command.profile);
    std::vector<Written> written;
    if (!command.out.empty() || !command.report.empty()) {
        Threads threads(command.threads);
        for (std::size_t i = 0; i < command.realizations; ++i)
            written.push_back(draw(command, config, i, threads));
    }
    if (command.json) {
        print_json(command, config, written);
    } else if (!command.quiet) {
        print_table(command, config, written);
    }
    return 0;
}

}  // namespace aliquot::app
