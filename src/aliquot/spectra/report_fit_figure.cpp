#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "aliquot/core/format.hpp"
#include "aliquot/core/units.hpp"
#include "aliquot/spectra/report_drawing.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_columns = 4000;  // each drawn by the lowest and the highest pixel in it
constexpr double curve_tolerance = 3e-5;    // of the range of the flux axis
constexpr double widest_residual = 12.0;    // sigma, of the residual axis
constexpr const char* model_colour = "#d62728";
constexpr const char* data_colour = "#4d4d4d";

// Twenty-four colours, none near the model's red or the data's grey; neighbours differ most.
constexpr std::array<const char*, 24> palette{"#0072b2", "#009e73", "#e69f00", "#9467bd", "#56b4e9", "#8c564b",
                                              "#cc79a7", "#7f9a00", "#17becf", "#393b79", "#b8860b", "#31a354",
                                              "#7b4173", "#3182bd", "#c49c94", "#005f5f", "#a58fd8", "#66a61e",
                                              "#d4a6c8", "#8ca252", "#5254a3", "#a6761d", "#80b1a3", "#e7ba52"};

/// The part of a fit that a figure shows.
struct View {
    std::span<const double> wavelength;
    std::span<const double> flux;
    std::span<const double> error;
    std::vector<Stretch> stretches;
};

View view_of(const Spectrum& s, double low, double high) {
    const auto& w = s.wavelength_angstrom;
    const auto first = static_cast<std::size_t>(std::lower_bound(w.begin(), w.end(), low) - w.begin());
    const auto count = static_cast<std::size_t>(std::upper_bound(w.begin(), w.end(), high) - w.begin()) - first;
    View view{std::span(w).subspan(first, count),
              std::span(s.flux).subspan(first, count),
              std::span(s.error).subspan(first, count),
              {}};
    view.stretches = stretches_between_gaps(view.wavelength);
    return view;
}

Json line(const std::string& name, const Points& points, const Json& style) {
    return {
        {"type", "scatter"}, {"mode", "lines"}, {"name", name}, {"x", compact(points.x, 1e-6)}, {"y", compact(points.y, 1e-5)},
        {"line", style}};
}

/// Data and residuals: every pixel as a step where there is room for it, else the lowest and the highest of each column.
Json pixels(const std::string& name, const View& view, std::span<const double> y, double width) {
    const bool all = view.wavelength.size() <= 2 * most_columns;
    return line(name, envelope(view.wavelength, y, view.stretches, most_columns),
                {{"color", data_colour}, {"width", width}, {"shape", all ? "hvh" : "linear"}});
}

/// The 1-sigma band as one outline per stretch.
Json error_band(const View& view) {
    Points outline;
    for (const auto& [first, last] : view.stretches) {
        for (std::size_t i = first; i < last; ++i) {
            outline.x.push_back(view.wavelength[i]);
            outline.y.push_back(view.flux[i] + view.error[i]);
        }
        for (std::size_t i = last; i-- > first;) {
            outline.x.push_back(view.wavelength[i]);
            outline.y.push_back(view.flux[i] - view.error[i]);
        }
        outline.x.push_back(view.wavelength[first]);
        outline.y.push_back(std::nan(""));
    }
    Json band = line("± 1 σ", outline, {{"width", 0}, {"shape", "hvh"}});
    band.update({{"fill", "toself"}, {"fillcolor", "rgba(90,100,110,0.18)"}, {"hoverinfo", "skip"}, {"legendgroup", "data"}});
    return band;
}

struct Range {
    double low;
    double high;
};

/// Range of the flux axis: data and model with room, zero in sight, and no single bright pixel that flattens all others.
Range flux_range(const View& view, const std::vector<double>& model) {
    const double model_top = *std::max_element(model.begin(), model.end());
    const double model_bottom = *std::min_element(model.begin(), model.end());
    const double bottom = std::min({0.0, model_bottom, *std::min_element(view.flux.begin(), view.flux.end())});
    const double lowest = std::max(bottom, std::min(0.0, model_bottom) - 0.5 * (model_top - model_bottom));
    const double top = *std::max_element(view.flux.begin(), view.flux.end());
    const double highest = std::max(model_top, std::min(top, lowest + 1.6 * (model_top - lowest)));
    const double span = highest > lowest ? highest - lowest : 1.0;
    return {lowest - 0.03 * span, highest + 0.06 * span};
}

void add_curves(const Fit& fit, const CurveGrid& grid, double tolerance, bool legend, Json& traces) {
    const auto curve = [&](const Curve& c, const std::string& group, const Json& style) {
        Json trace = line(label_html(c.label), simplified(grid.wavelength, c.flux, grid.stretches, tolerance), style);
        trace["legendgroup"] = group;
        trace["showlegend"] = legend;
        return trace;
    };
    const std::vector<Curve> curves = component_curves(*fit.model, fit.theta_best, grid.wavelength);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const char* colour = palette[c % palette.size()];
        const char* dash = c < palette.size() ? "solid" : "dot";
        for (const Curve& part : curves[c].parts) {
            traces.push_back(curve(part, curves[c].name, {{"color", colour}, {"width", 1.0}, {"dash", "dash"}}));
            traces.back()["showlegend"] = false;
        }
        traces.push_back(curve(curves[c], curves[c].name, {{"color", colour}, {"width", 1.6}, {"dash", dash}}));
    }
}

Json residual_guides() {
    Json shapes = Json::array();
    for (const auto& [level, dash] : {std::pair{0.0, "solid"}, {1.0, "dot"}, {-1.0, "dot"}, {3.0, "dash"}, {-3.0, "dash"}}) {
        shapes.push_back({{"type", "line"},
                          {"xref", "x domain"},
                          {"x0", 0},
                          {"x1", 1},
                          {"yref", "y2"},
                          {"y0", level},
                          {"y1", level},
                          {"line", {{"color", level == 0.0 ? model_colour : "#8a6d3b"}, {"width", 1}, {"dash", dash}}}});
    }
    return shapes;
}

std::string flux_title(const Spectrum& s) {
    if (s.flux_unit.empty()) return s.flux_scale == 1.0 ? "flux density" : format("flux density × {:g}", s.flux_scale);
    const std::string unit = unit_text(s.flux_unit);
    return unit.find('(') == std::string::npos ? format("flux density ({})", unit) : format("flux density [{}]", unit);
}

Figure figure(const Fit& fit, double low, double high, bool legend) {
    const Spectrum& s = fit.spectrum;
    const View view = view_of(s, low, high);
    const CurveGrid grid = curve_grid(view.wavelength);
    const Curve model = model_curve(*fit.model, fit.theta_best, grid.wavelength);
    const Range range = flux_range(view, model.flux);
    const double tolerance = curve_tolerance * (range.high - range.low);

    Json traces = Json::array();
    if (view.wavelength.size() <= 2 * most_columns) {
        traces.push_back(error_band(view));
        traces.back()["showlegend"] = false;
    }
    traces.push_back(pixels("data", view, view.flux, 1.0));
    traces.back().update({{"legendgroup", "data"}, {"showlegend", legend}});
    add_curves(fit, grid, tolerance, legend, traces);
    traces.push_back(line("model", simplified(grid.wavelength, model.flux, grid.stretches, tolerance),
                          {{"color", model_colour}, {"width", 1.8}}));
    traces.back().update({{"showlegend", legend}, {"opacity", 0.85}});

    const Curve fitted = model_curve(*fit.model, fit.theta_best, {view.wavelength.begin(), view.wavelength.end()});
    std::vector<double> residual(fitted.flux.size());
    double worst = 0.0;
    std::size_t beyond = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
        residual[i] = (view.flux[i] - fitted.flux[i]) / view.error[i];
        worst = std::max(worst, std::abs(residual[i]));
        if (std::abs(residual[i]) > widest_residual) ++beyond;
    }
    traces.push_back(pixels("residual / σ", view, residual, 0.8));
    traces.back().update({{"yaxis", "y2"}, {"showlegend", false}});

    const double reach = std::clamp(1.1 * worst, 3.6, widest_residual);
    Json annotations = Json::array();
    if (beyond > 0)
        annotations.push_back({{"xref", "x domain"},
                               {"yref", "y2 domain"},
                               {"x", 1},
                               {"y", 1},
                               {"showarrow", false},
                               {"font", {{"size", 11}, {"color", "#9a2c10"}}},
                               {"text", format("{} pixel{} beyond ± {:g} σ", beyond, beyond == 1 ? "" : "s", widest_residual)}});
    const Json axis_style = {{"zeroline", false}, {"gridcolor", "#eceff2"}, {"ticks", "inside"}, {"tickcolor", "#8a929a"},
                             {"showline", true},  {"linecolor", "#8a929a"}, {"mirror", true}};
    const auto axis = [&](const Json& settings) {
        Json all = axis_style;
        all.update(settings);
        return all;
    };
    const std::string wavelength_title = format("{} wavelength (Å, {})", s.frame == Frame::rest ? "rest" : "observed",
                                                s.medium == Medium::vacuum ? "vacuum" : "air");
    const Json layout = {
        {"margin", {{"l", 70}, {"r", 10}, {"t", 30}, {"b", 46}}},
        {"hovermode", "closest"},
        {"legend", {{"x", 1.01}, {"y", 1}, {"font", {{"size", 12}}}, {"tracegroupgap", 0}}},
        {"xaxis", axis({{"title", {{"text", wavelength_title}}},
                        {"range", {view.wavelength.front(), view.wavelength.back()}},
                        {"anchor", "y2"},
                        {"mirror", "all"}})},
        {"yaxis", axis({{"domain", {0.29, 1}}, {"title", {{"text", flux_title(s)}}}, {"range", {range.low, range.high}}})},
        {"yaxis2", axis({{"domain", {0, 0.25}}, {"title", {{"text", "residual / σ"}}}, {"range", {-reach, reach}}})},
        {"shapes", residual_guides()},
        {"annotations", annotations}};
    return {traces.dump(), layout.dump(), legend ? 640 : 460};
}

/// How far from `centre` a curve stays above `visible` of its peak: first and last pixel.
Stretch visible_around(const std::vector<double>& flux, std::size_t centre, double visible) {
    double peak = 0.0;
    for (const double f : flux)
        peak = std::max(peak, std::abs(f));
    std::size_t first = centre;
    while (first > 0 && std::abs(flux[first - 1]) > visible * peak)
        --first;
    std::size_t last = centre;
    while (last + 1 < flux.size() && std::abs(flux[last + 1]) > visible * peak)
        ++last;
    return {first, last};
}

}  // namespace

Figure fit_figure(const Fit& fit) {
    return figure(fit, fit.spectrum.wavelength_angstrom.front(), fit.spectrum.wavelength_angstrom.back(), true);
}

Figure zoom_figure(const Fit& fit, const LineGroup& group) {
    return figure(fit, group.low, group.high, false);
}

std::vector<LineGroup> line_groups(const Fit& fit) {
    constexpr double visible = 0.05;  // of a line's peak: as far as that it is wide
    constexpr double least_km_s = 2500.0;
    constexpr double most_km_s = 9000.0;
    constexpr double most_of_spectrum = 0.6;
    constexpr std::ptrdiff_t fewest_pixels = 8;
    const auto& w = fit.spectrum.wavelength_angstrom;
    const std::vector<Curve> curves = component_curves(*fit.model, fit.theta_best, w);
    std::vector<LineGroup> lines;
    for (std::size_t leaf = 0; leaf < curves.size(); ++leaf) {
        const Model::Leaf& source = fit.model->leaves()[leaf];
        for (std::size_t p = source.first; p < source.first + source.count; ++p) {
            const Parameter& parameter = fit.model->parameters()[p];
            if (!parameter.name.starts_with("wavec") || parameter.value < w.front() || parameter.value > w.back()) continue;
            const auto centre = static_cast<std::size_t>(std::lower_bound(w.begin(), w.end(), parameter.value) - w.begin());
            const auto [first, last] = visible_around(curves[leaf].flux, centre, visible);
            const double unit = parameter.value / speed_of_light_km_s;
            const auto reach = [&](double edge) {
                return std::clamp(1.3 * std::abs(edge - parameter.value), least_km_s * unit, most_km_s * unit);
            };
            lines.push_back({std::max(w.front(), parameter.value - reach(w[first])),
                             std::min(w.back(), parameter.value + reach(w[last])), label_html(source.label)});
        }
    }
    std::sort(lines.begin(), lines.end(), [](const LineGroup& a, const LineGroup& b) { return a.low < b.low; });
    std::vector<LineGroup> groups;
    for (const LineGroup& next : lines) {
        if (groups.empty() || next.low > groups.back().high) {
            groups.push_back(next);
            continue;
        }
        groups.back().high = std::max(groups.back().high, next.high);
        if ((", " + groups.back().title + ",").find(", " + next.title + ",") == std::string::npos)
            groups.back().title += ", " + next.title;
    }
    std::erase_if(groups, [&](const LineGroup& group) {
        const auto inside = std::upper_bound(w.begin(), w.end(), group.high) - std::lower_bound(w.begin(), w.end(), group.low);
        return group.high - group.low > most_of_spectrum * (w.back() - w.front()) || inside < fewest_pixels;
    });
    return groups;
}

}  // namespace aliquot::spectra::report
