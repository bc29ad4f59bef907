#include "aliquot/cluster/profile_table.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "aliquot/cluster/projection.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/atomic_file.hpp"

namespace aliquot::cluster {

namespace {

constexpr std::size_t rows = 200;

std::vector<double> profile_radii(const Equilibrium& model) {
    const double half = model.half_mass_radius();
    const double first = 1e-3 * half;
    const double last = std::isfinite(model.edge()) ? model.edge() : 100.0 * half;
    std::vector<double> radii{0.0};
    for (std::size_t i = 0; i < rows; ++i)
        radii.push_back(first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(rows - 1)));
    radii.back() = last;
    return radii;
}

}  // namespace

ModelScale model_scale(const ClusterSpec& spec, double total_mass) {
    const Equilibrium& model = *spec.model;
    ModelScale scale;
    scale.length = spec.length_unit;
    scale.mass = total_mass / model.total_mass();
    scale.velocity = std::sqrt(spec.units.gravitational_constant / model.gravitational_constant() * scale.mass / scale.length);
    return scale;
}

void write_profile(const ClusterConfig& config, const std::filesystem::path& path) {
    const ClusterSpec& spec = config.spec;
    const Equilibrium& model = *spec.model;
    const ModelScale scale = model_scale(spec, config.expected_mass);
    const auto unit = [&](const std::string& name, const std::string& text) {
        return spec.units.length.empty() ? name : name + "[" + text + "]";
    };
    const Units& u = spec.units;
    std::string text = format("# aliquot {}: {}\n# units = {}, G = {}, total mass = {}\n", version, config.title, u.name,
                              u.gravitational_constant, config.expected_mass);
    text += unit("radius", u.length);
    const std::size_t parts = model.components();
    const auto names = [&](const std::string& suffix, bool whole) {
        text += "," + unit("mass" + suffix, u.mass) + "," + unit("density" + suffix, u.mass + "/" + u.length + "^3");
        if (whole) text += "," + unit("potential", u.velocity + "^2") + "," + unit("escape_speed", u.velocity);
        text += "," + unit("sigma_r" + suffix, u.velocity) + "," + unit("sigma_t" + suffix, u.velocity) + ",anisotropy" + suffix +
                "," + unit("surface_density" + suffix, u.mass + "/" + u.length + "^2");
        for (const char* name : {"sigma_los", "sigma_pm_r", "sigma_pm_t"})
            text += "," + unit(name + suffix, u.velocity);
    };
    names("", true);
    if (parts > 1)
        for (std::size_t j = 0; j < parts; ++j)
            names(format("_{}", j + 1), false);
    text += "\n";

    std::vector<Projection> projections;
    projections.emplace_back(model);
    if (parts > 1)
        for (std::size_t j = 0; j < parts; ++j)
            projections.emplace_back(model, j);
    for (const double r : profile_radii(model)) {
        text += format("{}", r * scale.length);
        for (std::size_t k = 0; k < projections.size(); ++k) {
            const std::optional<std::size_t> part = k == 0 ? std::nullopt : std::optional(k - 1);
            const Moments m = part ? model.moments(r, *part) : model.moments(r);
            const ProjectedMoments p = projections[k](r);
            text += format(",{},{}", (part ? model.enclosed_mass(r, *part) : model.enclosed_mass(r)) * scale.mass,
                           m.density * scale.density());
            if (!part)
                text += format(",{},{}", model.potential(r) * scale.velocity * scale.velocity,
                               model.escape_speed(r) * scale.velocity);
            text += format(",{},{},{},{},{},{},{}", std::sqrt(m.radial) * scale.velocity,
                           std::sqrt(0.5 * m.tangential) * scale.velocity, m.anisotropy(),
                           p.surface_density * scale.surface_density(), std::sqrt(p.line_of_sight) * scale.velocity,
                           std::sqrt(p.radial) * scale.velocity, std::sqrt(p.tangential) * scale.velocity);
        }
        text += "\n";
    }
    io::write_file(path, text);
}

}  // namespace aliquot::cluster
