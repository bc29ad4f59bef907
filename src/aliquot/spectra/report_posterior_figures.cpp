#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "aliquot/core/format.hpp"
#include "aliquot/spectra/report_drawing.hpp"
#include "aliquot/spectra/report_histogram.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns = 4;
constexpr std::size_t most_run_points = 3000;
// Heights of a small panel, in pixels.
constexpr double heading = 40.0;
constexpr double plot = 112.0;
constexpr double footing = 36.0;

Json text(const std::string& x, const std::string& y, std::string what, double size) {
    return {{"xref", x}, {"yref", y}, {"showarrow", false}, {"text", std::move(what)}, {"font", {{"size", size}}}};
}

/// "1135 +523 −658 km/s"
std::string value_text(const Fit& fit, const ParameterSummary& p) {
    const double error = 0.5 * (p.p84 - p.p16);
    const std::string unit = p.unit == "flux" ? "" : " " + unit_of(fit, p.unit);
    return format("<b>{}</b> <span style=\"color:#57606a\">+{} −{}</span>{}", rounded(p.median, error),
                  rounded(p.p84 - p.median, error), rounded(p.median - p.p16, error), unit);
}

}  // namespace

Figure run_figure(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const std::size_t stride = std::max<std::size_t>(1, run.log_volume.size() / most_run_points);
    std::vector<double> x;
    std::vector<double> log_likelihood;
    std::vector<double> mass;  // L X: the posterior per unit of ln X
    const double best = *std::max_element(run.log_likelihood.begin(), run.log_likelihood.end());
    // The steep beginning would hide the rest: what lies far below the best point is left out.
    const double floor = best - std::max(50.0, 6.0 * run.information);
    double highest = 0.0;
    for (std::size_t i = 0; i < run.log_volume.size(); i += stride) {
        x.push_back(-run.log_volume[i]);
        log_likelihood.push_back(run.log_likelihood[i] < floor ? std::nan("") : run.log_likelihood[i]);
        mass.push_back(std::exp(run.log_likelihood[i] + run.log_volume[i] - run.log_evidence));
        highest = std::max(highest, mass.back());
    }
    for (double& m : mass)
        m /= highest > 0.0 ? highest : 1.0;
    const auto trace = [&](const char* name, const std::vector<double>& y, const char* y_axis, const Json& line) -> Json {
        return {{"type", "scatter"},     {"mode", "lines"}, {"name", name}, {"x", compact(x, 1e-5)},
                {"y", compact(y, 1e-5)}, {"yaxis", y_axis}, {"line", line}};
    };
    Json data = {trace("posterior weight", mass, "y2", {{"color", "#e69f00"}, {"width", 1}}),
                 trace("ln L", log_likelihood, "y", {{"color", "#0072b2"}, {"width", 1.8}})};
    data[0].update({{"fill", "tozeroy"}, {"fillcolor", "rgba(230,159,0,0.3)"}});
    const Json layout = {
        {"margin", {{"l", 90}, {"r", 70}, {"t", 30}, {"b", 46}}},
        {"legend", {{"x", 0.02}, {"y", 0.98}}},
        {"xaxis", {{"title", {{"text", "−ln X: how far the prior is compressed (nats)"}}}, {"gridcolor", "#eceff2"}}},
        {"yaxis", {{"title", {{"text", "ln L"}}}, {"gridcolor", "#eceff2"}, {"tickformat", ".1~f"}, {"zeroline", false}}},
        {"yaxis2",
         {{"title", {{"text", "weight / largest"}}},
          {"overlaying", "y"},
          {"side", "right"},
          {"range", {0, 1.05}},
          {"showgrid", false}}}};
    return {data.dump(), layout.dump(), 380};
}

Figure marginal_figure(const Fit& fit) {
    const std::size_t count = fit.parameters.size();
    const std::size_t rows = (count + columns - 1) / columns;
    const double height = static_cast<double>(rows) * (heading + plot + footing);
    Json data = Json::array();
    Json annotations = Json::array();
    Json shapes = Json::array();
    Json layout = {{"margin", {{"l", 10}, {"r", 10}, {"t", 34}, {"b", 10}}}, {"showlegend", false}};
    for (std::size_t p = 0; p < count; ++p) {
        const ParameterSummary& summary = fit.parameters[p];
        const infer::Prior& prior = *fit.model->parameters()[fit.model->free()[p]].prior;
        const Histogram h = marginal_histogram(fit, p);
        const std::size_t row = p / columns;
        const double left = static_cast<double>(p % columns) / static_cast<double>(columns);
        const double right = left + 0.9 / static_cast<double>(columns);
        const double top = 1.0 - static_cast<double>(row) * (heading + plot + footing) / height;
        const double head = top - heading / height;
        const double bottom = head - plot / height;
        const std::string x = axis_name("x", p);
        const std::string y = axis_name("y", p);

        data.push_back(Json::parse(histogram_trace(h, x, y)));
        layout["xaxis" + x.substr(1)] = {{"domain", {left, right}},
                                         {"anchor", y},
                                         {"range", {h.low, h.high}},
                                         {"nticks", 5},
                                         {"showgrid", false},
                                         {"zeroline", false},
                                         {"tickfont", {{"size", 10}}},
                                         {"ticks", "outside"},
                                         {"ticklen", 3},
                                         {"showline", true},
                                         {"linecolor", "#8a929a"}};
        layout["yaxis" + y.substr(1)] = {{"domain", {bottom, head}}, {"anchor", x}, {"range", {0, 1.12}}, {"visible", false}};

        const auto mark = [&](const char* type, double from, double to, const Json& style) {
            Json shape = {{"type", type}, {"xref", x}, {"yref", y + " domain"}, {"x0", from}, {"x1", to},
                          {"y0", 0.0},    {"y1", 1.0}, {"layer", "below"}};
            shape.update(style);
            shapes.push_back(std::move(shape));
        };
        mark("rect", summary.p16, summary.p84, {{"line", {{"width", 0}}}, {"fillcolor", "rgba(230,159,0,0.22)"}});
        mark("line", summary.median, summary.median, {{"line", {{"color", "#b86e00"}, {"width", 1.6}}}, {"layer", "above"}});
        mark("line", summary.best, summary.best,
             {{"line", {{"color", "#d62728"}, {"width", 1.2}, {"dash", "dot"}}}, {"layer", "above"}});
        for (const double end : {prior.lower(), prior.upper()}) {
            if (end >= h.low && end <= h.high) mark("line", end, end, {{"line", {{"color", "#1b1f24"}, {"width", 3}}}});
        }

        const auto [component, symbol] = split_label(summary);
        Json name = text("paper", "paper", format("{} {}<br>{}", component, symbol, value_text(fit, summary)), 12);
        name.update({{"x", left}, {"y", top}, {"xanchor", "left"}, {"yanchor", "top"}, {"align", "left"}});
        annotations.push_back(std::move(name));
        const auto corner = [&](double at, const char* anchor, const std::string& what) {
            Json end = text(x + " domain", y + " domain", what, 9.5);
            end.update({{"x", at}, {"y", 1}, {"xanchor", anchor}, {"yanchor", "top"}});
            end["font"]["color"] = "#57606a";
            annotations.push_back(std::move(end));
        };
        if (prior.has_lower_end() && prior.lower() < h.low) corner(0.0, "left", "◂ " + typeset(format("{:.4g}", prior.lower())));
        if (prior.has_upper_end() && prior.upper() > h.high)
            corner(1.0, "right", typeset(format("{:.4g}", prior.upper())) + " ▸");
    }
    layout["shapes"] = std::move(shapes);
    layout["annotations"] = std::move(annotations);
    return {data.dump(), layout.dump(), static_cast<int>(height) + 44};
}

}  // namespace aliquot::spectra::report
