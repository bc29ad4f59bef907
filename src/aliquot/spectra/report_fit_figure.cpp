#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "aliquot/core/format.hpp"
#include "aliquot/core/units.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using io::json_numbers;
using io::json_string;

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_columns = 2400;       // drawn across a panel; each shows the lowest and the highest pixel in it
constexpr std::size_t most_curve_points = 2400;  // of a component

// Twenty-four colours, none of them the model's red.
constexpr std::array<const char*, 24> palette{"#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#bcbd22",
                                              "#17becf", "#ff7f0e", "#393b79", "#637939", "#8c6d31", "#7b4173",
                                              "#3182bd", "#31a354", "#756bb1", "#636363", "#6baed6", "#74c476",
                                              "#9e9ac8", "#c49c94", "#e6a100", "#5254a3", "#8ca252", "#bd9e39"};

struct Points {
    std::vector<double> x;
    std::vector<double> y;
};

/// First and one past the last pixel in [low, high].
std::pair<std::size_t, std::size_t> pixel_range(const Spectrum& s, double low, double high) {
    const auto& w = s.wavelength_angstrom;
    return {static_cast<std::size_t>(std::lower_bound(w.begin(), w.end(), low) - w.begin()),
            static_cast<std::size_t>(std::upper_bound(w.begin(), w.end(), high) - w.begin())};
}

double median_step(const std::vector<double>& wavelength) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < wavelength.size(); ++i)
        steps.push_back(wavelength[i] - wavelength[i - 1]);
    if (steps.empty()) return 1.0;
    std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
    return steps[steps.size() / 2];
}

/// Pixels for drawing: all of them, or the lowest and highest per column; gaps in the wavelengths stay gaps.
Points thin_out(const std::vector<double>& x, const std::vector<double>& y, std::size_t first, std::size_t last, double step) {
    Points out;
    const std::size_t per_column = std::max<std::size_t>(1, (last - first + most_columns - 1) / most_columns);
    for (std::size_t begin = first; begin < last;) {
        std::size_t end = begin + 1;
        while (end < last && end < begin + per_column && x[end] - x[end - 1] < 5.0 * step)
            ++end;
        std::size_t low = begin;
        std::size_t high = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (y[i] < y[low]) low = i;
            if (y[i] > y[high]) high = i;
        }
        const auto draw = [&](std::size_t i) {
            out.x.push_back(x[i]);
            out.y.push_back(y[i]);
        };
        draw(std::min(low, high));
        if (low != high) draw(std::max(low, high));
        if (end < last && x[end] - x[end - 1] >= 5.0 * step) {
            out.x.push_back(x[end - 1]);
            out.y.push_back(gap);
        }
        begin = end;
    }
    return out;
}

/// Wavelengths at which curves are drawn, and NaN where the data have a gap.
std::vector<double> curve_grid(const Spectrum& s, double low, double high, std::size_t first, std::size_t last) {
    const std::size_t n = std::clamp<std::size_t>(2 * (last - first), 200, most_curve_points);
    const double begin = std::max(low, s.wavelength_angstrom[first]);
    const double end = std::min(high, s.wavelength_angstrom[last - 1]);
    std::vector<double> grid(n);
    for (std::size_t i = 0; i < n; ++i)
        grid[i] = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(n - 1);
    return grid;
}

void blank_gaps(const Spectrum& s, const std::vector<double>& grid, double step, std::vector<double>& flux) {
    const auto& w = s.wavelength_angstrom;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const auto above = std::lower_bound(w.begin(), w.end(), grid[i]);
        if (above == w.begin() || above == w.end()) continue;
        const double width = *above - *(above - 1);
        if (width > 5.0 * step) flux[i] = gap;
    }
}

std::string trace(const std::string& name, const std::string& x, const std::string& y, const std::string& style, bool legend) {
    return format(R"({{"type":"scatter","mode":"lines","name":{},"x":{},"y":{},"showlegend":{},{}}})", json_string(name), x, y,
                  legend, style);
}

/// Range of the flux axis: the data's, with room, and zero in sight where it is near.
std::pair<double, double> flux_range(const Spectrum& s, std::size_t first, std::size_t last) {
    std::vector<double> sorted(s.flux.begin() + static_cast<std::ptrdiff_t>(first),
                               s.flux.begin() + static_cast<std::ptrdiff_t>(last));
    std::sort(sorted.begin(), sorted.end());
    const double high = sorted.back();
    const double low = sorted[sorted.size() / 1000];
    const double bottom = low > 0.0 ? 0.0 : low;
    return {bottom - 0.03 * (high - bottom), high + 0.06 * (high - bottom)};
}

}  // namespace

Figure fit_figure(const Fit& fit, double low, double high, bool legend) {
    const Spectrum& s = fit.spectrum;
    const auto [first, last] = pixel_range(s, low, high);
    const double step = median_step(s.wavelength_angstrom);
    const Points data = thin_out(s.wavelength_angstrom, s.flux, first, last, step);
    std::vector<double> traces_x = curve_grid(s, low, high, first, last);
    const std::string grid = json_numbers(traces_x);
    std::string traces =
        trace("data", json_numbers(data.x), json_numbers(data.y), R"("line":{"color":"#777","width":1,"shape":"hvh"})", legend);

    std::vector<Curve> curves = component_curves(*fit.model, fit.theta_best, traces_x);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const char* colour = palette[c % palette.size()];
        const std::string group = json_string(curves[c].name);
        blank_gaps(s, traces_x, step, curves[c].flux);
        traces += "," + trace(curves[c].label, grid, json_numbers(curves[c].flux),
                              format(R"("legendgroup":{},"line":{{"color":"{}","width":1.4}})", group, colour), legend);
        for (Curve& part : curves[c].parts) {
            blank_gaps(s, traces_x, step, part.flux);
            traces += "," + trace(part.label, grid, json_numbers(part.flux),
                                  format(R"("legendgroup":{},"line":{{"color":"{}","width":0.9,"dash":"dash"}})", group, colour),
                                  false);
        }
    }
    Curve model = model_curve(*fit.model, fit.theta_best, traces_x);
    blank_gaps(s, traces_x, step, model.flux);
    traces += "," + trace("model", grid, json_numbers(model.flux), R"("line":{"color":"#d62728","width":1.8})", legend);

    std::vector<double> wavelength(s.wavelength_angstrom.begin() + static_cast<std::ptrdiff_t>(first),
                                   s.wavelength_angstrom.begin() + static_cast<std::ptrdiff_t>(last));
    const Curve fitted = model_curve(*fit.model, fit.theta_best, wavelength);
    std::vector<double> residual(wavelength.size());
    double worst = 3.5;
    for (std::size_t i = 0; i < residual.size(); ++i) {
        residual[i] = (s.flux[first + i] - fitted.flux[i]) / s.error[first + i];
        worst = std::max(worst, std::abs(residual[i]));
    }
    const Points residuals = thin_out(wavelength, residual, 0, residual.size(), step);
    traces += "," + trace("residual", json_numbers(residuals.x), json_numbers(residuals.y),
                          R"("yaxis":"y2","line":{"color":"#555","width":1,"shape":"hvh"})", false);

    const auto [bottom, top] = flux_range(s, first, last);
    const double reach = std::min(worst * 1.1, 12.0);
    std::string guides;
    for (const auto& [level, dash, width] :
         {std::tuple{0.0, "solid", 1.0}, {1.0, "dot", 0.8}, {-1.0, "dot", 0.8}, {3.0, "dash", 0.8}, {-3.0, "dash", 0.8}})
        guides += format(
            R"({}{{"type":"line","xref":"paper","x0":0,"x1":1,"yref":"y2","y0":{},"y1":{},"line":{{"color":"#b22","width":{},"dash":"{}"}}}})",
            guides.empty() ? "" : ",", level, level, width, dash);
    const std::string x_title = format("{} wavelength (Å, {})", s.frame == Frame::rest ? "rest" : "observed",
                                       s.medium == Medium::vacuum ? "vacuum" : "air");
    const std::string layout = format(
        R"({{"margin":{{"l":70,"r":10,"t":10,"b":46}},"hovermode":"closest","legend":{{"x":1.01,"y":0.94,"font":{{"size":12}}}},)"
        R"("xaxis":{{"title":{{"text":{}}},"range":[{:.6g},{:.6g}],"anchor":"y2","zeroline":false,"gridcolor":"#eee"}},)"
        R"("yaxis":{{"domain":[0.27,1],"title":{{"text":{}}},"range":[{:.6g},{:.6g}],"zeroline":false,"gridcolor":"#eee"}},)"
        R"("yaxis2":{{"domain":[0,0.22],"title":{{"text":"residual / σ"}},"range":[{:.6g},{:.6g}],"zeroline":false,"gridcolor":"#eee"}},"shapes":[{}]}})",
        json_string(x_title), std::max(low, s.wavelength_angstrom.front()), std::min(high, s.wavelength_angstrom.back()),
        json_string("flux density" + (s.flux_unit.empty() ? "" : " (" + s.flux_unit + ")")), bottom, top, -reach, reach, guides);
    return {"[" + traces + "]", layout, legend ? 620 : 480};
}

std::vector<std::pair<double, double>> line_groups(const Fit& fit) {
    constexpr double margin_km_s = 5000.0;
    const double first = fit.spectrum.wavelength_angstrom.front();
    const double last = fit.spectrum.wavelength_angstrom.back();
    std::vector<double> centres;
    for (const Parameter& parameter : fit.model->parameters()) {
        if (parameter.name.starts_with("wavec") && parameter.value > first && parameter.value < last)
            centres.push_back(parameter.value);
    }
    std::sort(centres.begin(), centres.end());
    std::vector<std::pair<double, double>> groups;
    for (const double centre : centres) {
        const double margin = centre * margin_km_s / speed_of_light_km_s;
        const std::pair<double, double> range{std::max(first, centre - margin), std::min(last, centre + margin)};
        if (!groups.empty() && range.first < groups.back().second) {
            groups.back().second = std::max(groups.back().second, range.second);
        } else {
            groups.push_back(range);
        }
    }
    std::erase_if(groups, [&](const auto& group) { return group.second - group.first > 0.6 * (last - first); });
    if (groups.size() > 6) groups.resize(6);
    return groups;
}

}  // namespace aliquot::spectra::report
