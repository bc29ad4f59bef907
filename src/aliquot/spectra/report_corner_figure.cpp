#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "aliquot/spectra/report_drawing.hpp"
#include "aliquot/spectra/report_histogram.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t corner_bins = 28;
constexpr double filled = 0.93;  // of a cell, the rest keeps panels apart

std::string name_of(const ParameterSummary& parameter, const char* between) {
    const auto [component, symbol] = split_label(parameter);
    return component.empty() ? symbol : component + between + symbol;
}

Json rounded_rows(std::vector<std::vector<double>> rows) {
    for (auto& row : rows) {
        for (double& value : row)
            value = std::round(value * 100.0) / 100.0;
    }
    return rows;
}

std::vector<double> centres(const Histogram& h) {
    std::vector<double> values;
    for (std::size_t b = 0; b < h.mass.size(); ++b)
        values.push_back(h.centre(b));
    return compact(values, 1e-4);
}

Json joint_trace(const Histogram& x, const Histogram& y, std::vector<std::vector<double>> levels) {
    return {{"type", "contour"},
            {"x", centres(x)},
            {"y", centres(y)},
            {"z", rounded_rows(std::move(levels))},
            {"contours", {{"start", 1}, {"end", 3}, {"size", 1}}},
            {"line", {{"color", "#0b5cad"}, {"width", 0.8}}},
            {"colorscale", {{0, "#3a76b8"}, {0.334, "#8fb3d9"}, {0.667, "#d3e1f1"}, {1, "#ffffff"}}},
            {"zmin", 0.5},
            {"zmax", 3.5},
            {"showscale", false},
            {"hoverinfo", "x+y"}};
}

Json best_trace(double x, double y) {
    const Json line = {{"color", "#d62728"}, {"width", 1.2}};
    return {{"type", "scatter"},
            {"mode", "markers"},
            {"x", {x}},
            {"y", {y}},
            {"marker", {{"color", "#d62728"}, {"size", 5}, {"symbol", "cross-thin"}, {"line", line}}},
            {"hoverinfo", "x+y"}};
}

}  // namespace

Figure corner_figure(const Fit& fit) {
    const std::size_t n = fit.parameters.size();
    const double cell = 1.0 / static_cast<double>(n);
    std::vector<Histogram> marginals;
    for (std::size_t p = 0; p < n; ++p)
        marginals.push_back(marginal_histogram(fit, p, corner_bins));
    // Axes x1..xn belong to the columns, y1..yn to the rows, y(n+1)..y(2n) to the histograms on the diagonal.
    Json data = Json::array();
    Json shapes = Json::array();
    Json layout = {{"margin", {{"l", 96}, {"r", 10}, {"t", 30}, {"b", 84}}}, {"showlegend", false}};
    const Json bare = {{"showgrid", false},      {"zeroline", false}, {"showline", true},
                       {"linecolor", "#8a929a"}, {"mirror", true},    {"ticks", ""}};
    Json frame = bare;
    frame.update({{"mirror", "all"}, {"nticks", 4}, {"tickangle", -40}, {"tickfont", {{"size", 9}}}});
    for (std::size_t p = 0; p < n; ++p) {
        const double left = static_cast<double>(p) * cell;
        const double bottom = 1.0 - static_cast<double>(p + 1) * cell;
        const Json title = {{"text", name_of(fit.parameters[p], "<br>")}, {"font", {{"size", 11}}}, {"standoff", 4}};
        const Json rows = {bottom, bottom + filled * cell};
        Json x = frame;
        x.update({{"domain", {left, left + filled * cell}},
                  {"anchor", axis_name("y", p + 1 == n ? 2 * n - 1 : n - 1)},
                  {"range", {marginals[p].low, marginals[p].high}},
                  {"title", title}});
        Json y = frame;
        y.update({{"domain", rows}, {"anchor", "x"}, {"range", {marginals[p].low, marginals[p].high}}, {"title", title}});
        if (p == 0) y["visible"] = false;
        Json diagonal = bare;
        diagonal.update({{"domain", rows}, {"anchor", axis_name("x", p)}, {"rangemode", "tozero"}, {"showticklabels", false}});
        layout[axis_name("xaxis", p)] = std::move(x);
        layout[axis_name("yaxis", p)] = std::move(y);
        layout[axis_name("yaxis", n + p)] = std::move(diagonal);

        data.push_back(Json::parse(histogram_trace(marginals[p], axis_name("x", p), axis_name("y", n + p))));
        shapes.push_back({{"type", "line"},
                          {"xref", axis_name("x", p)},
                          {"yref", axis_name("y", n + p) + " domain"},
                          {"x0", fit.parameters[p].best},
                          {"x1", fit.parameters[p].best},
                          {"y0", 0},
                          {"y1", 1},
                          {"line", {{"color", "#d62728"}, {"width", 1}, {"dash", "dot"}}}});
        for (std::size_t q = 0; q < p; ++q) {
            const Json axes = {{"xaxis", axis_name("x", q)}, {"yaxis", axis_name("y", p)}};
            data.push_back(joint_trace(marginals[q], marginals[p], joint_levels(fit, marginals[q], q, marginals[p], p)));
            data.back().update(axes);
            data.push_back(best_trace(fit.parameters[q].best, fit.parameters[p].best));
            data.back().update(axes);
        }
    }
    layout["shapes"] = std::move(shapes);
    return {data.dump(), layout.dump(), std::clamp(static_cast<int>(94 * n) + 124, 440, 1170)};
}

Figure correlation_figure(const Fit& fit) {
    std::vector<std::string> names;
    for (const ParameterSummary& parameter : fit.parameters)
        names.push_back(name_of(parameter, " "));
    const int count = static_cast<int>(names.size());
    const Json data = {{{"type", "heatmap"},
                        {"x", names},
                        {"y", names},
                        {"z", rounded_rows(posterior_correlations(fit))},
                        {"zmin", -1},
                        {"zmax", 1},
                        {"xgap", 1},
                        {"ygap", 1},
                        {"colorscale", {{0, "#0072b2"}, {0.5, "#ffffff"}, {1, "#b86e00"}}},
                        {"colorbar", {{"title", {{"text", "correlation"}}}, {"thickness", 12}}},
                        {"hovertemplate", "%{x}<br>%{y}<br>%{z}<extra></extra>"}}};
    const Json ticks = {
        {"tickfont", {{"size", 11}}}, {"dtick", 1}, {"automargin", true}, {"type", "category"}, {"showgrid", false}};
    Json x = ticks;
    x.update({{"tickangle", -60}});
    Json y = ticks;
    y.update({{"autorange", "reversed"}, {"scaleanchor", "x"}, {"constrain", "domain"}});
    const Json layout = {{"margin", {{"l", 10}, {"r", 10}, {"t", 30}, {"b", 10}}}, {"xaxis", x}, {"yaxis", y}};
    return {data.dump(), layout.dump(), 18 * count + 240};
}

}  // namespace aliquot::spectra::report
