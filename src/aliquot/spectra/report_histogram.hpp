#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aliquot/spectra/fit.hpp"

/// Weighted histograms of the posterior; used by the report's figures.
namespace aliquot::spectra::report {

/// Posterior mass in even bins from `low` to `high`.
struct Histogram {
    double low;
    double high;
    std::vector<double> mass;

    [[nodiscard]] double width() const { return (high - low) / static_cast<double>(mass.size()); }
    [[nodiscard]] double centre(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width(); }
};

/// Marginal posterior of one parameter over its 0.1 % to 99.9 % quantiles with a margin that ends at the prior; as fine as the
/// effective number of samples allows, `most_bins` at most.
[[nodiscard]] Histogram marginal_histogram(const Fit& fit, std::size_t parameter, std::size_t most_bins = 40);

/// The outline of a histogram, highest bin 1, as a trace for plotly: a JSON text. Axes as axis_name() names them.
[[nodiscard]] std::string histogram_trace(const Histogram& h, const std::string& x_axis, const std::string& y_axis);

/// Joint posterior of two parameters over their marginals' ranges, smoothed by one bin, in units of "sigma": at a point whose
/// density is exceeded by a share m of the posterior, sqrt(-2 ln(1 - m)), which is the distance from the centre of a Gaussian.
/// Rows follow y; 4 at most, where there is nothing.
[[nodiscard]] std::vector<std::vector<double>> joint_levels(const Fit& fit, const Histogram& x, std::size_t x_parameter,
                                                            const Histogram& y, std::size_t y_parameter);

/// Correlation coefficients of all pairs of parameters under the posterior; rows and columns in theta's order.
[[nodiscard]] std::vector<std::vector<double>> posterior_correlations(const Fit& fit);

}  // namespace aliquot::spectra::report
