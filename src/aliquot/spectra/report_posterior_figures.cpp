#include <algorithm>
#include <array>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using io::json_numbers;
using io::json_string;

constexpr std::size_t bins = 36;
constexpr std::size_t columns = 4;
constexpr std::size_t most_run_points = 3000;
constexpr std::size_t corner_draws = 1500;

/// "OIII" from "OIII: A_c0", with the symbol behind it as HTML.
std::string label_html(const ParameterSummary& p) {
    const std::size_t colon = p.label.rfind(": ");
    if (colon == std::string::npos) return symbol_html(p.label);
    return io::escape_html(p.label.substr(0, colon)) + " " + symbol_html(p.label.substr(colon + 2));
}

/// Number of an axis as plotly counts them: "" for the first, then "2", "3", ...
std::string axis_number(std::size_t i) {
    return i == 0 ? "" : format("{}", i + 1);
}

}  // namespace

Figure run_figure(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const std::size_t stride = std::max<std::size_t>(1, run.log_volume.size() / most_run_points);
    std::vector<double> x;
    std::vector<double> log_likelihood;
    std::vector<double> mass;
    double highest = 0.0;
    const double best = *std::max_element(run.log_likelihood.begin(), run.log_likelihood.end());
    for (std::size_t i = 0; i < run.log_volume.size(); i += stride) {
        x.push_back(-run.log_volume[i]);
        log_likelihood.push_back(run.log_likelihood[i]);
        mass.push_back(std::exp(run.log_likelihood[i] + run.log_volume[i] - run.log_evidence));
        highest = std::max(highest, mass.back());
    }
    for (double& m : mass)
        m /= highest > 0.0 ? highest : 1.0;
    // The steep beginning would hide the rest: show what lies within a few hundred nats of the best point.
    const double floor = best - std::max(50.0, 6.0 * run.information);
    const std::string data = format(
        R"([{{"type":"scatter","mode":"lines","name":"ln L","x":{},"y":{},"line":{{"color":"#1f77b4","width":1.5}}}},)"
        R"({{"type":"scatter","mode":"lines","name":"posterior weight","x":{},"y":{},"yaxis":"y2","fill":"tozeroy","line":{{"color":"#e6a100","width":1}}}}])",
        json_numbers(x), json_numbers(log_likelihood), json_numbers(x), json_numbers(mass));
    const std::string layout = format(
        R"({{"margin":{{"l":80,"r":60,"t":10,"b":46}},"legend":{{"x":0.02,"y":0.98}},)"
        R"("xaxis":{{"title":{{"text":"−ln X, compression of the prior in nats"}},"gridcolor":"#eee"}},)"
        R"("yaxis":{{"title":{{"text":"ln L"}},"range":[{:.8g},{:.8g}],"gridcolor":"#eee"}},)"
        R"("yaxis2":{{"title":{{"text":"weight / largest"}},"overlaying":"y","side":"right","range":[0,1.05],"showgrid":false}}}})",
        floor, best + 0.03 * (best - floor));
    return {data, layout, 360};
}

Figure marginal_figure(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const std::size_t count = fit.parameters.size();
    const std::size_t rows = (count + columns - 1) / columns;
    std::string data;
    std::string axes;
    std::string annotations;
    std::string shapes;
    const double cell_width = 1.0 / static_cast<double>(columns);
    const double cell_height = 1.0 / static_cast<double>(rows);
    for (std::size_t p = 0; p < count; ++p) {
        const ParameterSummary& summary = fit.parameters[p];
        const infer::Prior& prior = *fit.model->parameters()[fit.model->free()[p]].prior;
        const std::vector<double> values = infer::column(run.samples, p);
        const auto view = infer::weighted_quantiles(values, run.log_weight, std::array{0.001, 0.999});
        const double pad = 0.05 * (view[1] - view[0]);
        const double low = std::max(prior.lower(), view[0] - pad);
        const double high = std::min(prior.upper(), view[1] + pad);
        const double width = (high > low ? high - low : 1.0) / static_cast<double>(bins);
        std::vector<double> centres(bins);
        std::vector<double> density(bins, 0.0);
        for (std::size_t b = 0; b < bins; ++b)
            centres[b] = low + (static_cast<double>(b) + 0.5) * width;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double bin = (values[i] - low) / width;
            if (bin >= 0.0 && bin < static_cast<double>(bins))
                density[static_cast<std::size_t>(bin)] += std::exp(run.log_weight[i]);
        }
        const double highest = std::max(1e-300, *std::max_element(density.begin(), density.end()));
        for (double& d : density)
            d /= highest;
        const std::string n = axis_number(p);
        const double left = static_cast<double>(p % columns) * cell_width;
        const std::size_t row = p / columns;
        const double top = 1.0 - static_cast<double>(row) * cell_height;
        const double right = left + 0.88 * cell_width;
        const double bottom = top - 0.62 * cell_height;
        const double head = top - 0.13 * cell_height;
        data += format(
            R"({}{{"type":"bar","x":{},"y":{},"width":{:.6g},"xaxis":"x{}","yaxis":"y{}","marker":{{"color":"#8fb3d9"}},"hoverinfo":"x","showlegend":false}})",
            p == 0 ? "" : ",", json_numbers(centres), json_numbers(density), width, n, n);
        axes += format(
            R"(,"xaxis{}":{{"domain":[{:.5f},{:.5f}],"anchor":"y{}","range":[{:.8g},{:.8g}],"nticks":4,"tickfont":{{"size":10}},"zeroline":false}})"
            R"(,"yaxis{}":{{"domain":[{:.5f},{:.5f}],"anchor":"x{}","range":[0,1.05],"visible":false}})",
            n, left, right, n, low, high, n, bottom, head, n);
        shapes += format(
            R"j({}{{"type":"rect","xref":"x{}","yref":"y{} domain","x0":{:.8g},"x1":{:.8g},"y0":0,"y1":1,"line":{{"width":0}},)j"
            R"j("fillcolor":"rgba(230,161,0,0.18)"}})j"
            R"(,{{"type":"line","xref":"x{}","yref":"y{} domain","x0":{:.8g},"x1":{:.8g},"y0":0,"y1":1,"line":{{"color":"#b86e00","width":1.5}}}})",
            p == 0 ? "" : ",", n, n, summary.p16, summary.p84, n, n, summary.median, summary.median);
        const double error = 0.5 * (summary.p84 - summary.p16);
        const std::string unit = unit_text(fit, summary.unit);
        const std::string value =
            format("{}<br><b>{}</b> <sup>+{}</sup><sub>−{}</sub> {}", label_html(summary), rounded(summary.median, error),
                   rounded(summary.p84 - summary.median, error), rounded(summary.median - summary.p16, error),
                   summary.unit == "flux" ? "" : io::escape_html(unit));
        annotations += format(
            R"({}{{"xref":"paper","yref":"paper","x":{:.5f},"y":{:.5f},"xanchor":"left","yanchor":"top","align":"left","showarrow":false,"font":{{"size":12}},"text":{}}})",
            p == 0 ? "" : ",", left, top, json_string(value));
        std::string edges;
        if (prior.lower() < low) edges += format("prior from {:.4g}", prior.lower());
        if (prior.upper() > high) edges += format("{}{:.4g}", edges.empty() ? "prior to " : " to ", prior.upper());
        if (!edges.empty())
            annotations += format(
                R"(,{{"xref":"paper","yref":"paper","x":{:.5f},"y":{:.5f},"xanchor":"right","yanchor":"top","showarrow":false,"font":{{"size":9,"color":"#57606a"}},"text":{}}})",
                right, head, json_string(edges));
    }
    const std::string layout =
        format(R"({{"margin":{{"l":20,"r":10,"t":10,"b":30}},"bargap":0,"showlegend":false,"shapes":[{}],"annotations":[{}]{}}})",
               shapes, annotations, axes);
    return {"[" + data + "]", layout, static_cast<int>(40 + 200 * rows)};
}

Figure corner_figure(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const auto draws =
        std::min(corner_draws, std::max<std::size_t>(100, static_cast<std::size_t>(run.diagnostics.effective_samples)));
    const std::vector<std::size_t> rows = infer::equal_weight_rows(run.log_weight, draws, run.seed);
    std::string dimensions;
    std::string axes;
    for (std::size_t p = 0; p < fit.parameters.size(); ++p) {
        std::vector<double> values;
        for (const std::size_t row : rows)
            values.push_back(run.samples(row, p));
        dimensions += format(R"({}{{"label":{},"values":{}}})", p == 0 ? "" : ",", json_string(label_html(fit.parameters[p])),
                             json_numbers(values));
        const std::string n = axis_number(p);
        axes += format(
            R"(,"xaxis{}":{{"tickfont":{{"size":9}},"nticks":4,"title":{{"font":{{"size":11}}}},"gridcolor":"#eee","zeroline":false}})"
            R"(,"yaxis{}":{{"tickfont":{{"size":9}},"nticks":4,"title":{{"font":{{"size":11}}}},"gridcolor":"#eee","zeroline":false}})",
            n, n);
    }
    const std::string data = format(
        R"([{{"type":"splom","dimensions":[{}],"showupperhalf":false,"diagonal":{{"visible":false}},"marker":{{"size":2.5,"color":"#1f5f99","opacity":0.25}}}}])",
        dimensions);
    return {data, R"({"margin":{"l":80,"r":10,"t":10,"b":60},"dragmode":"select")" + axes + "}",
            static_cast<int>(120 + 84 * fit.parameters.size())};
}

}  // namespace aliquot::spectra::report
