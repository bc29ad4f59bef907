#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aliquot/spectra/fit.hpp"

/// Pieces of the report page; used by report.cpp only.
namespace aliquot::spectra::report {

/// A plot as plotly takes it.
struct Figure {
    std::string data;
    std::string layout;
    int height;
};

/// Data, model, components and residuals in [low, high] Angstrom.
[[nodiscard]] Figure fit_figure(const Fit& fit, double low, double high, bool legend);
/// Ranges around groups of lines that deserve a closer look, at most six.
[[nodiscard]] std::vector<std::pair<double, double>> line_groups(const Fit& fit);
/// ln L and posterior weight against -ln X.
[[nodiscard]] Figure run_figure(const Fit& fit);
/// One weighted histogram per free parameter.
[[nodiscard]] Figure marginal_figure(const Fit& fit);
/// Pairs of parameters as scattered equal-weight draws.
[[nodiscard]] Figure corner_figure(const Fit& fit);

/// Cards with the main numbers.
[[nodiscard]] std::string headline(const Fit& fit);
[[nodiscard]] std::string parameter_table(const Fit& fit);
/// Fixed and tied parameters; "" where there are none.
[[nodiscard]] std::string other_parameters_table(const Fit& fit);
[[nodiscard]] std::string diagnostics_table(const Fit& fit);

/// A symbol with its subscript as HTML: "A_c0" becomes A<sub>c0</sub>.
[[nodiscard]] std::string symbol_html(const std::string& symbol);
/// The value with as many digits as two significant ones of `error` leave sensible.
[[nodiscard]] std::string rounded(double value, double error);
/// "flux" is replaced by the data's unit.
[[nodiscard]] std::string unit_text(const Fit& fit, const std::string& unit);

}  // namespace aliquot::spectra::report
