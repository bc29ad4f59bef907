#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aliquot/spectra/fit.hpp"

/// Pieces of the report page; report.cpp puts them together.
namespace aliquot::spectra::report {

/// A plot as plotly takes it: "data" and "layout" as JSON texts.
struct Figure {
    std::string data;
    std::string layout;
    int height;  ///< pixels
};

/// A range of wavelengths (Angstrom) that deserves a look of its own.
struct LineGroup {
    double low;
    double high;
    std::string title;  ///< labels of the lines in it, HTML
};

/// Data, model, components and residuals of the whole spectrum, with the legend.
[[nodiscard]] Figure fit_figure(const Fit& fit);
/// The same within one group of lines.
[[nodiscard]] Figure zoom_figure(const Fit& fit, const LineGroup& group);
/// Groups of lines that overlap, each with some continuum around it; none that would show most of the spectrum again.
[[nodiscard]] std::vector<LineGroup> line_groups(const Fit& fit);
/// ln L and posterior weight against -ln X.
[[nodiscard]] Figure run_figure(const Fit& fit);
/// One weighted histogram per free parameter.
[[nodiscard]] Figure marginal_figure(const Fit& fit);
/// Joint densities of all pairs of parameters, with their marginals.
[[nodiscard]] Figure corner_figure(const Fit& fit);
/// Posterior correlations of all pairs, for models too large for a corner.
[[nodiscard]] Figure correlation_figure(const Fit& fit);

/// What the fit says in one glance: cards, the verdict on chi-square, warnings.
[[nodiscard]] std::string headline(const Fit& fit);
[[nodiscard]] std::string parameter_table(const Fit& fit);
/// Empty where there are no derived quantities.
[[nodiscard]] std::string derived_table(const Fit& fit);
/// Empty where nothing was measured.
[[nodiscard]] std::string measured_table(const Fit& fit);
/// Fixed and tied parameters; "" where there are none.
[[nodiscard]] std::string other_parameters_table(const Fit& fit);
[[nodiscard]] std::string diagnostics_table(const Fit& fit);

/// A symbol with its subscript as HTML: "A_c0" becomes A<sub>c0</sub>.
[[nodiscard]] std::string symbol_html(std::string_view symbol);
/// A component's label as HTML; the little LaTeX that labels hold ($, Greek letters, _{}, ^{}) is translated.
[[nodiscard]] std::string label_html(std::string_view label);
/// Component and symbol of "OIII: A_c0", both as HTML.
[[nodiscard]] std::pair<std::string, std::string> split_label(const ParameterSummary& parameter);
/// A number with a minus sign instead of a hyphen.
[[nodiscard]] std::string typeset(std::string number);
/// The value with as many digits as two significant ones of `error` leave sensible.
[[nodiscard]] std::string rounded(double value, double error);
/// "1e-17 erg/cm^2/s/Ang" as "10⁻¹⁷ erg/cm²/s/Å".
[[nodiscard]] std::string unit_text(const std::string& unit);
/// unit_text, "flux" replaced by the unit of the data.
[[nodiscard]] std::string unit_of(const Fit& fit, const std::string& unit);

}  // namespace aliquot::spectra::report
