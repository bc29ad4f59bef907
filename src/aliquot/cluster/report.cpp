#include "aliquot/cluster/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "aliquot/cluster/profile_table.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/html_page.hpp"

namespace aliquot::cluster {

namespace {

constexpr std::size_t curve_points = 300;

struct Series {
    std::vector<double> x, y, error;
};

std::string line(const Series& series, const std::string& name, const std::string& colour, const char* dash = "solid") {
    return format(R"({{"x":{},"y":{},"mode":"lines","name":{},"line":{{"color":"{}","width":2,"dash":"{}"}}}})",
                  io::json_numbers(series.x), io::json_numbers(series.y), io::json_string(name), colour, dash);
}

std::string points(const Series& series, const std::string& name, const std::string& colour) {
    return format(R"({{"x":{},"y":{},"error_y":{{"type":"data","array":{},"thickness":1,"width":0}},"mode":"markers","name":{},)"
                  R"("marker":{{"color":"{}","size":5}}}})",
                  io::json_numbers(series.x), io::json_numbers(series.y), io::json_numbers(series.error), io::json_string(name),
                  colour);
}

std::string layout(const std::string& x, const std::string& y, const char* y_scale) {
    return format(
        R"({{"xaxis":{{"title":{{"text":{}}},"type":"log","exponentformat":"power"}},)"
        R"("yaxis":{{"title":{{"text":{}}},"type":"{}","exponentformat":"power"}},"legend":{{"orientation":"h","y":1.12}},)"
        R"("margin":{{"l":80,"r":20,"t":40,"b":60}}}})",
        io::json_string(x), io::json_string(y), y_scale);
}

std::string row(const std::string& name, const std::string& value) {
    return "<tr><td>" + io::escape_html(name) + "</td><td>" + io::escape_html(value) + "</td></tr>\n";
}

std::string in_units(double value, const std::string& unit) {
    return unit.empty() ? format("{:.5g}", value) : format("{:.5g} {}", value, unit);
}

}  // namespace

ShellSums::ShellSums(const Cluster& cluster, std::size_t shells) : paired_left_(2 * cluster.binaries()) {
    const Equilibrium& model = *cluster.spec().model;
    const auto radius = [&](double fraction) { return model.lagrangian_radius(fraction) * cluster.spec().length_unit; };
    double inner = 0.0;
    for (std::size_t k = 0; k < shells; ++k) {
        Shell shell;
        shell.inner = inner;
        const auto n = static_cast<double>(shells);
        const bool last = k + 1 == shells;
        shell.outer = last ? std::numeric_limits<double>::infinity() : radius((static_cast<double>(k) + 1.0) / n);
        shell.middle = radius((static_cast<double>(k) + 0.5) / n);
        shells_.push_back(shell);
        inner = shell.outer;
    }
}

void ShellSums::add(const Stars& block) {
    for (std::size_t i = 0; i < block.size();) {
        double mass = block.mass[i];
        std::array<double, 6> at{block.x[i], block.y[i], block.z[i], block.vx[i], block.vy[i], block.vz[i]};
        std::size_t bodies = 1;
        if (paired_left_ > 0) {
            const std::size_t j = i + 1;
            const double other = block.mass[j];
            const std::array<double, 6> second{block.x[j], block.y[j], block.z[j], block.vx[j], block.vy[j], block.vz[j]};
            for (std::size_t k = 0; k < at.size(); ++k)
                at[k] = (mass * at[k] + other * second[k]) / (mass + other);
            mass += other;
            bodies = 2;
            paired_left_ -= 2;
        }
        i += bodies;
        const double r = std::hypot(at[0], at[1], at[2]);
        const double v2 = at[3] * at[3] + at[4] * at[4] + at[5] * at[5];
        const double vr = r > 0.0 ? (at[0] * at[3] + at[1] * at[4] + at[2] * at[5]) / r : 0.0;
        const auto found =
            std::upper_bound(shells_.begin(), shells_.end() - 1, r, [](double value, const Shell& s) { return value < s.outer; });
        found->mass += mass;
        found->square_mass += mass * mass;
        found->radial += mass * vr * vr;
        found->tangential += mass * std::max(v2 - vr * vr, 0.0);
    }
}

void write_cluster_report(const ClusterConfig& config, const Cluster& cluster, const ShellSums& sums,
                          const std::filesystem::path& path) {
    const ClusterSpec& spec = cluster.spec();
    const Equilibrium& model = *spec.model;
    const ModelScale scale = model_scale(spec, cluster.total_mass());
    const Units& units = spec.units;
    const std::string blue = "#1f5fa8";
    const std::string red = "#c0392b";

    Series density, radial, tangential, anisotropy;
    const double half = model.half_mass_radius();
    const double last = std::isfinite(model.edge()) ? model.edge() : 50.0 * half;
    const double first = 0.01 * half;
    for (std::size_t i = 0; i < curve_points; ++i) {
        const double r = first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(curve_points));
        const Moments m = model.moments(r);
        const double x = r * scale.length;
        density.x.push_back(x);
        density.y.push_back(m.density * scale.density());
        radial.y.push_back(std::sqrt(m.radial) * scale.velocity);
        tangential.y.push_back(std::sqrt(0.5 * m.tangential) * scale.velocity);
        anisotropy.y.push_back(m.anisotropy());
    }
    radial.x = tangential.x = anisotropy.x = density.x;

    Series drawn_density, drawn_radial, drawn_tangential, drawn_anisotropy;
    for (const ShellSums::Shell& shell : sums.shells()) {
        if (shell.mass <= 0.0) continue;
        const double number = shell.mass * shell.mass / shell.square_mass;
        const double outer = std::isfinite(shell.outer) ? shell.outer : last * scale.length;
        // The mass drawn over the mass expected, times the model's density at the middle: wide shells are not biased by the slope
        // inside them.
        const double model_mass =
            (model.enclosed_mass(outer / scale.length) - model.enclosed_mass(shell.inner / scale.length)) * scale.mass;
        const double here = model.moments(shell.middle / scale.length).density * scale.density();
        const double ratio = shell.mass / model_mass;
        const double vr2 = shell.radial / shell.mass;
        const double vt2 = shell.tangential / shell.mass;
        const double root = std::sqrt(number);
        drawn_density.x.push_back(shell.middle);
        drawn_density.y.push_back(ratio * here);
        drawn_density.error.push_back(ratio * here / root);
        drawn_radial.y.push_back(std::sqrt(vr2));
        drawn_radial.error.push_back(std::sqrt(vr2) / (std::numbers::sqrt2 * root));
        drawn_tangential.y.push_back(std::sqrt(0.5 * vt2));
        drawn_tangential.error.push_back(std::sqrt(0.5 * vt2) / (2.0 * root));
        const double beta = vr2 > 0.0 ? 1.0 - vt2 / (2.0 * vr2) : 0.0;
        drawn_anisotropy.y.push_back(beta);
        drawn_anisotropy.error.push_back((1.0 - beta) * std::sqrt(3.0) / root);
    }
    drawn_radial.x = drawn_tangential.x = drawn_anisotropy.x = drawn_density.x;

    io::HtmlPage page(config.title);
    page.section("cluster", "The cluster");
    std::string table = "<table>\n";
    table += row("model", spec.name);
    table += row("stars", format("{}", cluster.stars()) +
                              (cluster.binaries() > 0 ? format(", {} of them in binaries", 2 * cluster.binaries()) : ""));
    table += row("total mass", in_units(cluster.total_mass(), units.mass));
    table += row("half-mass radius", in_units(half * scale.length, units.length));
    table += row("virial radius", in_units(model.virial_radius() * scale.length, units.length));
    if (std::isfinite(model.edge())) table += row("edge", in_units(model.edge() * scale.length, units.length));
    table += row("central escape speed", in_units(model.escape_speed(0.0) * scale.velocity, units.velocity));
    const Energies energies = model.energies();
    const std::string energy = units.mass.empty() ? "" : units.mass + " (" + units.velocity + ")²";
    table += row("kinetic energy of the model", in_units(energies.kinetic() * scale.energy(), energy));
    table += row("potential energy of the model", in_units(energies.potential * scale.energy(), energy));
    table += row("T / |U| of the model", format("{:.6f}", energies.virial_ratio()));
    if (spec.virial_ratio)
        table +=
            row("velocities multiplied by", format("{:.6g} for T / |U| = {:.4g}", cluster.virial_factor(), *spec.virial_ratio));
    table += row("units", units.name + format(", G = {}", units.gravitational_constant));
    table += row("seed", format("{}", config.seed));
    table += row("program", std::string("aliquot ") + version);
    page.html(table + "</table>\n");
    for (const std::string& warning : config.warnings)
        page.html("<p class=\"warning\">" + io::escape_html(warning) + "</p>\n");

    const std::string radius = units.length.empty() ? "radius" : "radius (" + units.length + ")";
    const auto labelled = [&](const std::string& name, const std::string& unit) {
        return unit.empty() ? name : name + " (" + unit + ")";
    };
    page.section("density", "Density");
    page.html(
        format("<p>Points: {} shells of equal mass, with the error of their effective number of stars; line: the model.</p>\n",
               sums.shells().size()));
    page.plot(
        "density-plot", "[" + line(density, "model", blue) + "," + points(drawn_density, "stars", red) + "]",
        layout(radius, labelled("density", units.mass.empty() ? "" : units.mass + "/" + units.length + "<sup>3</sup>"), "log"),
        420);
    page.section("dispersion", "Velocity dispersion");
    page.plot("dispersion-plot",
              "[" + line(radial, "σ radial, model", blue) + "," + line(tangential, "σ tangential, model", red, "dash") + "," +
                  points(drawn_radial, "σ radial, stars", blue) + "," + points(drawn_tangential, "σ tangential, stars", red) +
                  "]",
              layout(radius, labelled("dispersion", units.velocity), "linear"), 420);
    page.section("anisotropy", "Anisotropy");
    page.html("<p>β = 1 − ⟨v<sub>t</sub>²⟩ / 2⟨v<sub>r</sub>²⟩: 0 isotropic, 1 radial orbits.</p>\n");
    page.plot("anisotropy-plot", "[" + line(anisotropy, "model", blue) + "," + points(drawn_anisotropy, "stars", red) + "]",
              layout(radius, "β", "linear"), 360);
    page.write(path);
}

}  // namespace aliquot::cluster
