#include "aliquot/spectra/report.hpp"

#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t most_corner_parameters = 12;

void add(io::HtmlPage& page, const std::string& id, const report::Figure& figure) {
    page.plot(id, figure.data, figure.layout, figure.height);
}

}  // namespace

void write_report(const Fit& fit, const std::string& path) {
    const auto& w = fit.spectrum.wavelength_angstrom;
    io::HtmlPage page(fit.title.empty() ? "Fit" : fit.title);
    page.html(report::headline(fit));

    page.section("fit", "Fit");
    add(page, "plot-fit", report::fit_figure(fit, w.front(), w.back(), true));
    page.html(
        "<p class=\"note\">Data grey, best-fitting model red, components coloured, the Gaussians of a profile dashed. Drag to "
        "zoom, double-click to zoom out, click the "
        "legend to hide. Dense spectra are drawn by the lowest and the highest pixel of each screen column.</p>");
    const auto groups = report::line_groups(fit);
    if (!groups.empty()) page.section("lines", "Lines");
    for (std::size_t i = 0; i < groups.size(); ++i)
        add(page, format("plot-lines-{}", i), report::fit_figure(fit, groups[i].first, groups[i].second, false));

    page.section("parameters", "Parameters");
    page.html(report::parameter_table(fit));
    page.html(report::other_parameters_table(fit));

    page.section("posterior", "Posterior");
    page.html(
        "<p class=\"note\">Median (line) and central 68 % (band). The view follows the posterior; an end of the prior outside it "
        "is written in the corner.</p>");
    add(page, "plot-marginals", report::marginal_figure(fit));
    if (fit.parameters.size() > 1 && fit.parameters.size() <= most_corner_parameters)
        add(page, "plot-corner", report::corner_figure(fit));

    page.section("evidence", "Evidence and diagnostics");
    page.html(report::diagnostics_table(fit));
    add(page, "plot-run", report::run_figure(fit));

    page.section("made", "How it was made");
    std::string steps = "<ol>";
    for (const std::string& step : fit.spectrum.history)
        steps += "<li>" + io::escape_html(step) + "</li>";
    page.html(steps + "</ol>");
    page.html(format("<p>aliquot {}, seed {}.</p>", version, fit.run.seed));
    if (!fit.config_text.empty())
        page.html("<details><summary>Configuration</summary><pre>" + io::escape_html(fit.config_text) + "</pre></details>");
    page.write(path);
}

}  // namespace aliquot::spectra
