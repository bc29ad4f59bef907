#include "aliquot/spectra/report_histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "aliquot/infer/posterior.hpp"
#include "aliquot/spectra/report_drawing.hpp"

namespace aliquot::spectra::report {

namespace {

constexpr double farthest = 4.0;  // sigma
constexpr double fewest_bins = 12.0;

/// Bin of a value, or the number of bins where it lies outside.
std::size_t bin_of(const Histogram& h, double value) {
    const double bin = (value - h.low) / h.width();
    if (bin >= 0.0 && bin < static_cast<double>(h.mass.size())) return static_cast<std::size_t>(bin);
    return value == h.high ? h.mass.size() - 1 : h.mass.size();
}

/// (1 2 1) / 4 along one direction; ends are mirrored.
void smooth(std::vector<std::vector<double>>& z, bool along_rows) {
    const std::size_t rows = z.size();
    const std::size_t columns = z.front().size();
    const std::vector<std::vector<double>> old = z;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            const double before = along_rows ? old[r][c > 0 ? c - 1 : 0] : old[r > 0 ? r - 1 : 0][c];
            const double after = along_rows ? old[r][std::min(c + 1, columns - 1)] : old[std::min(r + 1, rows - 1)][c];
            z[r][c] = 0.25 * before + 0.5 * old[r][c] + 0.25 * after;
        }
    }
}

}  // namespace

Histogram marginal_histogram(const Fit& fit, std::size_t parameter, std::size_t most_bins) {
    const infer::Prior& prior = *fit.model->parameters()[fit.model->free()[parameter]].prior;
    const std::vector<double> values = infer::column(fit.run.samples, parameter);
    const auto view = infer::weighted_quantiles(values, fit.run.log_weight, std::array{0.001, 0.999});
    const double margin = 0.05 * (view[1] - view[0]);
    const double effective = infer::effective_samples(fit.run.log_weight);
    const double bins = std::clamp(2.0 * std::cbrt(effective), fewest_bins, static_cast<double>(most_bins));
    Histogram h{std::max(prior.lower(), view[0] - margin), std::min(prior.upper(), view[1] + margin),
                std::vector<double>(static_cast<std::size_t>(bins), 0.0)};
    if (!(h.high > h.low)) {  // all of the weight on one point
        h.low = prior.lower();
        h.high = prior.upper();
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const std::size_t bin = bin_of(h, values[i]); bin < h.mass.size()) h.mass[bin] += std::exp(fit.run.log_weight[i]);
    }
    return h;
}

std::string histogram_trace(const Histogram& h, const std::string& x_axis, const std::string& y_axis) {
    const double highest = std::max(1e-300, *std::max_element(h.mass.begin(), h.mass.end()));
    // Every bin's height at its left edge, and down to zero at the end.
    Points outline;
    for (std::size_t b = 0; b <= h.mass.size(); ++b) {
        outline.x.push_back(h.low + static_cast<double>(b) * h.width());
        outline.y.push_back(b < h.mass.size() ? h.mass[b] / highest : 0.0);
    }
    const nlohmann::ordered_json trace = {{"type", "scatter"},
                                          {"mode", "lines"},
                                          {"x", compact(outline.x, 1e-4)},
                                          {"y", compact(outline.y, 1e-3)},
                                          {"xaxis", x_axis},
                                          {"yaxis", y_axis},
                                          {"line", {{"color", "#0b5cad"}, {"width", 1.2}, {"shape", "hv"}}},
                                          {"fill", "tozeroy"},
                                          {"fillcolor", "rgba(11,92,173,0.22)"},
                                          {"hoverinfo", "x"}};
    return trace.dump();
}

std::vector<std::vector<double>> joint_levels(const Fit& fit, const Histogram& x, std::size_t x_parameter, const Histogram& y,
                                              std::size_t y_parameter) {
    const infer::NestedResult& run = fit.run;
    std::vector<std::vector<double>> z(y.mass.size(), std::vector<double>(x.mass.size(), 0.0));
    for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
        const std::size_t column = bin_of(x, run.samples(i, x_parameter));
        const std::size_t row = bin_of(y, run.samples(i, y_parameter));
        if (column < x.mass.size() && row < y.mass.size()) z[row][column] += std::exp(run.log_weight[i]);
    }
    smooth(z, true);
    smooth(z, false);
    std::vector<double*> cells;
    double total = 0.0;
    for (auto& row : z) {
        for (double& cell : row) {
            cells.push_back(&cell);
            total += cell;
        }
    }
    std::sort(cells.begin(), cells.end(), [](const double* a, const double* b) { return *a > *b; });
    double above = 0.0;
    for (double* cell : cells) {
        // A cell's own mass counts half: its centre is halfway down it.
        const double share = total > 0.0 ? (above + 0.5 * *cell) / total : 1.0;
        above += *cell;
        *cell = *cell > 0.0 && share < 1.0 ? std::min(farthest, std::sqrt(-2.0 * std::log1p(-share))) : farthest;
    }
    return z;
}

std::vector<std::vector<double>> posterior_correlations(const Fit& fit) {
    const infer::NestedResult& run = fit.run;
    const std::size_t d = run.dimension;
    std::vector<double> mean(d, 0.0);
    for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
        const double w = std::exp(run.log_weight[i]);
        for (std::size_t p = 0; p < d; ++p)
            mean[p] += w * run.samples(i, p);
    }
    std::vector<std::vector<double>> c(d, std::vector<double>(d, 0.0));
    for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
        const double w = std::exp(run.log_weight[i]);
        for (std::size_t p = 0; p < d; ++p) {
            for (std::size_t q = 0; q <= p; ++q)
                c[p][q] += w * (run.samples(i, p) - mean[p]) * (run.samples(i, q) - mean[q]);
        }
    }
    std::vector<double> deviation(d);
    for (std::size_t p = 0; p < d; ++p)
        deviation[p] = std::sqrt(c[p][p]);
    for (std::size_t p = 0; p < d; ++p) {
        for (std::size_t q = 0; q <= p; ++q) {
            const double scale = deviation[p] * deviation[q];
            c[p][q] = scale > 0.0 ? c[p][q] / scale : 0.0;
            c[q][p] = c[p][q];
        }
    }
    return c;
}

}  // namespace aliquot::spectra::report
