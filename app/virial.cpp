#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "aliquot/cluster/energies.hpp"
#include "aliquot/cluster/snapshot.hpp"
#include "aliquot/cluster/tree_sum.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

namespace {

constexpr std::array fractions{0.1, 0.5, 0.9};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Energies {
    cluster::SnapshotHeader header;
    cluster::Stars stars;
    std::string method;
    double kinetic = 0.0;
    double drift = 0.0;  ///< kinetic energy of the centre of mass
    double potential = 0.0;
    double bound = nan;  ///< of the tree's error
    double ratio = nan;
    std::uint64_t pairs = 0;
    std::uint64_t coincident_pairs = 0;
    double seconds = 0.0;
    std::optional<cluster::PairForces> forces;  ///< of the direct sum
    std::vector<cluster::MassGroup> groups;
    std::vector<double> radii;
};

void check(const VirialCommand& command) {
    if (command.method != "direct" && command.method != "tree")
        throw Error(ExitCode::usage, format("--method {} (no such method): choose direct or tree", command.method));
    if (command.method == "direct") return;
    if (command.groups > 0 || !command.gradient.empty())
        throw Error(ExitCode::usage,
                    "--method tree with --groups or --gradient (they need accelerations, which the tree does not "
                    "give): leave them out or use --method direct");
}

Energies compute(const VirialCommand& command) {
    std::optional<cluster::Units> units;
    if (!command.units.empty()) units = cluster::units_by_name(command.units);
    const auto source = cluster::open_star_source(command.file, command.format, units);
    Energies e;
    e.stars = cluster::read_stars(*source);
    e.header = source->header();
    e.method = command.method;
    if (e.stars.size() == 0)
        throw DataError(format("{}: no stars (nothing but header and comments was found): name another file", command.file));
    Threads threads(command.threads);
    const double gravity = e.header.units.gravitational_constant;
    e.kinetic = cluster::kinetic_energy(e.stars);
    double mass = 0.0;
    for (const double m : e.stars.mass)
        mass += m;
    const cluster::CentreOfMass centre = cluster::centre_of_mass(e.stars);
    for (const double v : centre.velocity)
        e.drift += 0.5 * mass * v * v;
    e.radii = cluster::lagrangian_radii(e.stars, fractions);
    if (command.method == "tree") {
        const cluster::TreeSum sum =
            cluster::tree_potential_energy(e.stars, gravity, command.softening, command.tolerance, threads);
        e.potential = sum.energy;
        e.bound = sum.bound;
        e.pairs = sum.pairs;
        e.coincident_pairs = sum.coincident_pairs;
        e.seconds = sum.seconds;
    } else {
        e.forces = cluster::pair_forces(e.stars, gravity, command.softening, threads);
        e.potential = e.forces->sums.energy;
        e.pairs = e.forces->sums.pairs;
        e.coincident_pairs = e.forces->sums.coincident_pairs;
        e.seconds = e.forces->sums.seconds;
        if (command.groups > 0) e.groups = cluster::group_energies(e.stars, *e.forces, command.groups);
    }
    e.ratio = cluster::virial_ratio(e.kinetic, e.potential);
    return e;
}

/// One row per star, in the file's order.
void write_gradient(const Energies& e, const VirialCommand& command) {
    const cluster::VirialGradient q = cluster::virial_gradient(e.stars, *e.forces);
    const cluster::PairForces& f = *e.forces;
    std::string text = format("# aliquot {}: {}, units = {}, G = {}, softening = {}\n", version, command.file,
                              e.header.units.name, e.header.units.gravitational_constant, command.softening);
    text += "# accelerations (dU/dx = -mass * ax), potential (dU/dmass), gradient of the virial ratio\n";
    text += "ax,ay,az,potential,dq_dx,dq_dy,dq_dz,dq_dvx,dq_dvy,dq_dvz\n";
    io::AtomicFile file(command.gradient);
    for (std::size_t i = 0; i < e.stars.size(); ++i) {
        text += format("{},{},{},{},{},{},{},{},{},{}\n", f.ax[i], f.ay[i], f.az[i], f.potential[i], q.dx[i], q.dy[i], q.dz[i],
                       q.dvx[i], q.dvy[i], q.dvz[i]);
        if (text.size() > (1U << 18)) {
            file.write(text);
            text.clear();
        }
    }
    file.write(text);
    file.commit();
}

double pairs_per_second(const Energies& e) {
    return e.seconds > 0.0 ? static_cast<double>(e.pairs) / e.seconds : 0.0;
}

std::string json(const Energies& e, const VirialCommand& command) {
    nlohmann::ordered_json out = {{"version", version},
                                  {"file", command.file},
                                  {"n", e.stars.size()},
                                  {"binaries", e.header.binaries},
                                  {"units", e.header.units.name},
                                  {"gravitational_constant", e.header.units.gravitational_constant},
                                  {"softening", command.softening},
                                  {"kinetic_energy", e.kinetic},
                                  {"centre_of_mass_kinetic_energy", e.drift},
                                  {"potential_energy", e.potential},
                                  {"virial_ratio", e.ratio},
                                  {"half_mass_radius", e.radii[1]},
                                  {"lagrangian_radii", {{"0.1", e.radii[0]}, {"0.5", e.radii[1]}, {"0.9", e.radii[2]}}},
                                  {"method", e.method},
                                  {"bound", e.bound},
                                  {"force_sum", e.forces ? e.forces->force_sum : nan},
                                  {"clausius_error", e.forces ? e.forces->clausius_error : nan},
                                  {"coincident_pairs", e.coincident_pairs},
                                  {"pairs", e.pairs},
                                  {"seconds", e.seconds},
                                  {"pairs_per_second", pairs_per_second(e)}};
    if (!e.groups.empty()) {
        out["groups"] = nlohmann::ordered_json::array();
        for (const cluster::MassGroup& g : e.groups)
            out["groups"].push_back({{"n", g.stars},
                                     {"mass", g.mass},
                                     {"lowest_mass", g.lowest_mass},
                                     {"highest_mass", g.highest_mass},
                                     {"kinetic_energy", g.kinetic},
                                     {"virial", g.virial},
                                     {"virial_ratio", g.virial_ratio}});
    }
    return out.dump(2) + "\n";
}

void print_row(const char* name, double value, const std::string& unit, const std::string& note = "") {
    std::printf("%-18s %14.8g  %-14s %s\n", name, value, unit.c_str(), note.c_str());
}

void print_table(const Energies& e, const VirialCommand& command) {
    const cluster::Units& u = e.header.units;
    const std::string energy = u.mass.empty() ? "" : format("{} ({})^2", u.mass, u.velocity);
    std::printf("%s: %zu stars", command.file.c_str(), e.stars.size());
    if (e.header.binaries > 0) std::printf(", %zu binaries first", e.header.binaries);
    std::printf("; units %s, G = %.13g", u.name.c_str(), u.gravitational_constant);
    if (command.softening > 0.0) std::printf(", softening %g %s", command.softening, u.length.c_str());
    std::printf("\n\n");
    print_row("kinetic energy", e.kinetic, energy,
              e.drift > 0.01 * e.kinetic ? format("of it {:.3g} in the motion of the centre of mass", e.drift) : "");
    print_row("potential energy", e.potential, energy, e.forces ? "" : format("+- {:.2g} at most", e.bound));
    print_row("virial ratio", e.ratio, "", "T / |U|; 0.5 in equilibrium");
    print_row("radius of 10 %", e.radii[0], u.length);
    print_row("half-mass radius", e.radii[1], u.length);
    print_row("radius of 90 %", e.radii[2], u.length);
    if (!e.groups.empty()) {
        std::printf("\n%5s  %8s  %12s  %22s  %13s  %13s  %8s\n", "group", "stars", "mass", "masses", "T", "W", "T/|W|");
        for (std::size_t k = 0; k < e.groups.size(); ++k) {
            const cluster::MassGroup& g = e.groups[k];
            std::printf("%5zu  %8zu  %12.6g  %10.4g to %8.4g  %13.6g  %13.6g  %8.4f\n", k + 1, g.stars, g.mass, g.lowest_mass,
                        g.highest_mass, g.kinetic, g.virial, g.virial_ratio);
        }
    }
    std::printf("\n");
    if (e.forces) {
        std::printf("self-checks        sum of forces %.1e, Clausius %.1e%s\n", e.forces->force_sum, e.forces->clausius_error,
                    command.softening > 0.0 ? " (the share that softening has changed)" : "");
    }
    std::printf("work               %.4g pairs in %.3g s (%.3g pairs/s), %s\n", static_cast<double>(e.pairs), e.seconds,
                pairs_per_second(e), e.method.c_str());
    if (!command.gradient.empty()) std::printf("\nwrote %s\n", command.gradient.c_str());
}

}  // namespace

int run(const VirialCommand& command) {
    check(command);
    const Energies e = compute(command);
    if (!command.gradient.empty()) write_gradient(e, command);
    if (e.coincident_pairs > 0 && !command.quiet)
        std::fprintf(stderr,
                     "warning: %llu %s of stars at the same place (without softening their energy is infinite): left out; give "
                     "--softening or correct the file\n",
                     static_cast<unsigned long long>(e.coincident_pairs), e.coincident_pairs == 1 ? "pair" : "pairs");
    if (command.json) {
        std::fputs(json(e, command).c_str(), stdout);
    } else if (!command.quiet) {
        print_table(e, command);
    }
    return 0;
}

}  // namespace aliquot::app
