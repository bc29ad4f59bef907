#include "aliquot/spectra/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/core/units.hpp"

namespace aliquot::spectra {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double reach_sigma = 10.0;
constexpr double reach_gamma = 100.0;
constexpr double reach_e_fold = 40.0;
constexpr double reach_template_km_s = 10000.0;  // of a line without widths of its own
constexpr double steps_per_width = 6.0;
constexpr double most_steps = 20000.0;
constexpr double fewest_steps = 400.0;
constexpr std::size_t draw_block = 32;

/// One emission line of a component, by the places of its parameters among the component's own.
struct Line {
    std::size_t leaf;
    std::size_t amplitude;
    std::size_t wavec;
    std::vector<std::size_t> other_amplitudes;  ///< of the component's other lines
};

std::vector<std::string> names_of(const Component& component) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : component.parameters())
        names.push_back(spec.name);
    return names;
}

/// Lines are known by their parameters: an amplitude and a rest wavelength, or pairs of them.
std::vector<Line> lines_of(const Component& component, std::size_t leaf) {
    const std::vector<std::string> names = names_of(component);
    const auto place = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<Line> lines;
    for (const char* suffix : {"", "0", "1"}) {
        const std::size_t wavec = place(std::string("wavec") + suffix);
        std::size_t amplitude = place(std::string("amp_c") + suffix);
        if (amplitude == names.size() && *suffix == '\0') amplitude = place("amplitude");
        if (wavec < names.size() && amplitude < names.size()) lines.push_back({leaf, amplitude, wavec, {}});
    }
    for (Line& line : lines) {
        for (const Line& other : lines) {
            if (other.amplitude != line.amplitude) line.other_amplitudes.push_back(other.amplitude);
        }
    }
    return lines;
}

/// What is measured together, around the first line's rest wavelength.
struct Profile {
    std::string name;
    std::vector<Line> lines;
};

bool is_sum(const Model& model) {
    return std::none_of(model.expression().begin(), model.expression().end(),
                        [](const ExpressionOp& op) { return op.kind == ExpressionOp::Kind::multiply; });
}

class Meter {
  public:
    Meter(const MeasureDefinition& definition, const Model& model) : model_(model), continuum_at_(definition.continuum) {
        for (std::size_t leaf = 0; leaf < model.leaves().size(); ++leaf) {
            const std::vector<Line> lines = lines_of(model.leaves()[leaf].component->intrinsic(), leaf);
            if (lines.empty()) continuum_.push_back(leaf);
            for (const Line& line : lines) {
                const double wavec = model.parameters()[model.leaves()[leaf].first + line.wavec].value;
                if (definition.lines) profiles_.push_back({format("{} {:.1f}", model.leaves()[leaf].name, wavec), {line}});
            }
        }
        for (const ProfileDefinition& wanted : definition.profiles) {
            Profile profile{wanted.name, {}};
            for (std::size_t leaf = 0; leaf < model.leaves().size(); ++leaf) {
                const std::string& name = model.leaves()[leaf].name;
                if (std::find(wanted.components.begin(), wanted.components.end(), name) == wanted.components.end()) continue;
                for (const Line& line : lines_of(model.leaves()[leaf].component->intrinsic(), leaf))
                    profile.lines.push_back(line);
            }
            profiles_.push_back(std::move(profile));
        }
        with_ew_ = is_sum(model) && !continuum_.empty();
    }

    [[nodiscard]] std::vector<Measured> empty(std::size_t draws) const {
        std::vector<Measured> all;
        for (const Profile& profile : profiles_) {
            all.push_back({profile.name, "flux", "flux Angstrom", std::vector<double>(draws)});
            all.push_back({profile.name, "fwhm", "km/s", std::vector<double>(draws)});
            all.push_back({profile.name, "velocity", "km/s", std::vector<double>(draws)});
            all.push_back({profile.name, "dispersion", "km/s", std::vector<double>(draws)});
            if (with_ew_) all.push_back({profile.name, "ew", "Angstrom", std::vector<double>(draws)});
        }
        for (const double wavelength : continuum_at_)
            all.push_back({format("continuum {:.1f}", wavelength), "flux", "flux", std::vector<double>(draws)});
        return all;
    }

    void measure(std::span<const double> theta, std::size_t draw, std::vector<Measured>& all) const {
        const std::vector<double> values = model_.expand(theta);
        std::size_t at = 0;
        for (const Profile& profile : profiles_) {
            const Shape shape = shape_of(profile, values);
            all[at++].values[draw] = shape.flux;
            all[at++].values[draw] = shape.fwhm;
            all[at++].values[draw] = shape.velocity;
            all[at++].values[draw] = shape.dispersion;
            if (with_ew_) all[at++].values[draw] = shape.flux / continuum(shape.wavec, values);
        }
        for (const double wavelength : continuum_at_)
            all[at++].values[draw] = continuum(wavelength, values);
    }

  private:
    struct Shape {
        double wavec;
        double flux;
        double fwhm;
        double velocity;
        double dispersion;
    };
    /// Velocities that a line's profile needs, around its own rest wavelength.
    struct Extent {
        double reach = 0.0;
        double narrowest = std::numeric_limits<double>::infinity();
    };

    [[nodiscard]] Extent extent_of(const Line& line, std::span<const double> own) const {
        Extent extent;
        double shift = 0.0;
        double widths = 0.0;
        const std::vector<std::string> names = names_of(*model_.leaves()[line.leaf].component);
        for (std::size_t i = 0; i < names.size(); ++i) {
            double width = 0.0;
            if (names[i].starts_with("dv")) shift += std::abs(own[i]);
            if (names[i].starts_with("sigma")) width = reach_sigma * own[i];
            if (names[i] == "gamma") width = reach_gamma * own[i];
            if (names[i] == "w") width = reach_e_fold * own[i];
            if (!(width > 0.0)) continue;
            widths = std::max(widths, width);
            extent.narrowest = std::min(extent.narrowest, own[i]);
        }
        extent.reach = shift + (widths > 0.0 ? widths : reach_template_km_s);
        return extent;
    }

    [[nodiscard]] Shape shape_of(const Profile& profile, std::span<const double> values) const {
        const auto own_of = [&](const Line& line) { return model_.leaf_values(line.leaf, values); };
        Shape shape{own_of(profile.lines[0])[profile.lines[0].wavec], 0.0, missing, missing, missing};
        double low = 0.0;
        double high = 0.0;
        double narrowest = std::numeric_limits<double>::infinity();
        for (const Line& line : profile.lines) {
            const auto own = own_of(line);
            const Extent extent = extent_of(line, own);
            const double offset = (own[line.wavec] / shape.wavec - 1.0) * speed_of_light_km_s;
            low = std::min(low, offset - extent.reach);
            high = std::max(high, offset + extent.reach);
            narrowest = std::min(narrowest, extent.narrowest);
        }
        const double steps = std::clamp(steps_per_width * (high - low) / narrowest, fewest_steps, most_steps);
        const auto n = static_cast<std::size_t>(steps) + 1;
        const double step = (high - low) / static_cast<double>(n - 1);
        std::vector<double> wavelength(n);
        for (std::size_t i = 0; i < n; ++i)
            wavelength[i] = shape.wavec * (1.0 + (low + step * static_cast<double>(i)) / speed_of_light_km_s);
        std::vector<double> flux(n, 0.0);
        std::vector<double> one(n);
        for (const Line& line : profile.lines) {
            const auto from = own_of(line);
            std::vector<double> own(from.begin(), from.end());
            for (const std::size_t other : line.other_amplitudes)
                own[other] = 0.0;
            model_.leaves()[line.leaf].component->intrinsic().evaluate(wavelength, own, one);
            for (std::size_t i = 0; i < n; ++i)
                flux[i] += one[i];
        }
        fill(flux, low, step, shape);
        return shape;
    }

    static void fill(const std::vector<double>& flux, double low, double step, Shape& shape) {
        double sum = 0.0;
        double first = 0.0;
        double second = 0.0;
        std::size_t top = 0;
        for (std::size_t i = 0; i < flux.size(); ++i) {
            const double v = low + step * static_cast<double>(i);
            const double weight = i == 0 || i + 1 == flux.size() ? 0.5 : 1.0;
            sum += weight * flux[i];
            first += weight * flux[i] * v;
            second += weight * flux[i] * v * v;
            if (flux[i] > flux[top]) top = i;
        }
        shape.flux = sum * step * shape.wavec / speed_of_light_km_s;
        if (!(flux[top] > 0.0) || !(sum > 0.0)) return;
        shape.velocity = first / sum;
        shape.dispersion = std::sqrt(std::max(0.0, second / sum - shape.velocity * shape.velocity));
        const double half = 0.5 * flux[top];
        std::size_t left = 0;
        while (flux[left] < half)
            ++left;
        std::size_t right = flux.size() - 1;
        while (flux[right] < half)
            --right;
        if (left == 0 || right + 1 == flux.size()) return;
        const double from = static_cast<double>(left) - (flux[left] - half) / (flux[left] - flux[left - 1]);
        const double to = static_cast<double>(right) + (flux[right] - half) / (flux[right] - flux[right + 1]);
        shape.fwhm = (to - from) * step;
    }

    [[nodiscard]] double continuum(double wavelength, std::span<const double> values) const {
        double sum = 0.0;
        for (const std::size_t leaf : continuum_) {
            double one = 0.0;
            model_.leaves()[leaf].component->evaluate({&wavelength, 1}, model_.leaf_values(leaf, values), {&one, 1});
            sum += one;
        }
        return sum;
    }

    const Model& model_;
    std::vector<Profile> profiles_;
    std::vector<std::size_t> continuum_;  // leaves without lines
    std::vector<double> continuum_at_;
    bool with_ew_ = false;
};

}  // namespace

MeasureDefinition read_measure(const io::ConfigTable& table, const Model& model) {
    MeasureDefinition definition;
    definition.lines = table.get<bool>("lines", true);
    definition.continuum = table.get<std::vector<double>>("continuum", {});
    for (const double wavelength : definition.continuum) {
        if (!(wavelength > 0.0 && std::isfinite(wavelength)))
            table.fail("continuum", format("continuum at {} Angstrom (a wavelength is positive): change it", wavelength));
    }
    if (!definition.continuum.empty() && !is_sum(model))
        table.fail("continuum",
                   "a continuum of a model with products (what multiplies it is not known to be its own): leave it out");
    std::vector<std::string> names;
    for (const Model::Leaf& leaf : model.leaves())
        names.push_back(leaf.name);
    for (const io::ConfigTable& row : table.tables("profile")) {
        ProfileDefinition profile{row.require<std::string>("name"), row.require<std::vector<std::string>>("components")};
        row.finish();
        if (profile.components.empty()) row.fail("components", "a profile without components: name one or more");
        for (const std::string& component : profile.components) {
            const auto found = std::find(names.begin(), names.end(), component);
            if (found == names.end())
                row.fail("components", format("unknown component \"{}\"{}", component, suggest(component, names)));
            const auto leaf = static_cast<std::size_t>(found - names.begin());
            if (lines_of(model.leaves()[leaf].component->intrinsic(), leaf).empty())
                row.fail("components", format("\"{}\" is a {}, no emission line: name components with a wavec and an amplitude",
                                              component, model.leaves()[leaf].component->type()));
        }
        definition.profiles.push_back(std::move(profile));
    }
    table.finish();
    return definition;
}

std::vector<Measured> measure(const MeasureDefinition& definition, const Model& model, MatrixView<const double> theta,
                              Threads& threads) {
    const Meter meter(definition, model);
    std::vector<Measured> all = meter.empty(theta.rows());
    threads.for_each_block((theta.rows() + draw_block - 1) / draw_block, [&](std::size_t block) {
        for (std::size_t i = block * draw_block; i < std::min(theta.rows(), (block + 1) * draw_block); ++i)
            meter.measure(theta.row(i), i, all);
    });
    return all;
}

}  // namespace aliquot::spectra
