#include "aliquot/spectra/report.hpp"

#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t most_corner_parameters = 12;

// What the report adds to the page's own style.
constexpr const char* style = R"(<style>
.good { color: #1a7f37 !important; font-size: inherit !important; } .bad { color: #9a2c10 !important; font-size: inherit !important; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); } .warning ul { margin: 4px 0; padding-left: 20px; }
.zooms { display: grid; grid-template-columns: repeat(auto-fit, minmax(500px, 1fr)); gap: 8px 16px; } .zooms > div { min-width: 0; }
td.error { color: var(--soft); padding-left: 0; } td.wrap { white-space: normal; } tbody tr:hover { background: var(--wash); }
details { margin: 14px 0; } summary { cursor: pointer; color: var(--accent); } h3 { font-size: 16px; margin: 22px 0 4px; }
</style>)";

void add(io::HtmlPage& page, const std::string& id, const report::Figure& figure) {
    page.plot(id, figure.data, figure.layout, figure.height);
}

void note(io::HtmlPage& page, const char* text) {
    page.html(format("<p class=\"note\">{}</p>", text));
}

void add_fit(io::HtmlPage& page, const Fit& fit) {
    page.section("fit", "Fit");
    add(page, "plot-fit", report::fit_figure(fit));
    note(
        page,
        "Data grey with their 1 σ band, the model of highest likelihood red, every component in its own colour, the Gaussians of "
        "a profile dashed. Below, data minus model in units of the error, with guides at 1 and 3 σ. Drag to zoom, double-click "
        "to zoom out, click the legend to hide. More than 8000 pixels are drawn by the lowest and the highest in each of 4000 "
        "columns, without the band: no extreme is lost. Masked ranges are left blank.");
    const std::vector<report::LineGroup> groups = report::line_groups(fit);
    if (groups.empty()) return;
    page.section("lines", "Lines");
    page.html("<div class=\"zooms\">");
    for (std::size_t i = 0; i < groups.size(); ++i) {
        page.html(format("<div><h3>{}</h3>", groups[i].title));
        add(page, format("plot-lines-{}", i), report::zoom_figure(fit, groups[i]));
        page.html("</div>");
    }
    page.html("</div>");
}

void add_posterior(io::HtmlPage& page, const Fit& fit) {
    page.section("posterior", "Posterior");
    note(page,
         "Median (line), central 68 % (band) and the model of highest likelihood (red dots). Each view follows the posterior: ◂ "
         "and ▸ give the ends of the prior that lie outside it, a black line an end that lies within.");
    add(page, "plot-marginals", report::marginal_figure(fit));
    const std::size_t count = fit.parameters.size();
    if (count > 1 && count <= most_corner_parameters) {
        page.html("<h3>Pairs of parameters</h3>");
        note(page,
             "Lines enclose 39, 86 and 99 % of the posterior: 1, 2 and 3 σ where it is Gaussian. The cross is the model of "
             "highest likelihood.");
        add(page, "plot-corner", report::corner_figure(fit));
    } else if (count > 1) {
        page.html("<h3>Correlations</h3>");
        note(page, "How parameters trade against each other in the posterior.");
        add(page, "plot-correlations", report::correlation_figure(fit));
    }
}

void add_making(io::HtmlPage& page, const Fit& fit) {
    page.section("made", "How it was made");
    std::string steps = "<ol>";
    for (const std::string& step : fit.spectrum.history)
        steps += "<li>" + io::escape_html(step) + "</li>";
    page.html(steps + "</ol>");
    page.html(format("<p>aliquot {}, seed {}. Likelihood: {}.</p>", version, fit.run.seed, io::escape_html(fit.evaluation)));
    if (!fit.config_text.empty())
        page.html("<details><summary>Configuration</summary><pre>" + io::escape_html(fit.config_text) + "</pre></details>");
}

}  // namespace

void write_report(const Fit& fit, const std::string& path) {
    io::HtmlPage page(fit.title.empty() ? "Fit" : fit.title);
    page.html(style);
    page.html(report::headline(fit));
    add_fit(page, fit);
    page.section("parameters", "Parameters");
    page.html(report::parameter_table(fit));
    page.html(report::derived_table(fit));
    page.html(report::measured_table(fit));
    page.html(report::other_parameters_table(fit));
    add_posterior(page, fit);
    page.section("evidence", "Evidence and diagnostics");
    page.html(report::diagnostics_table(fit));
    add(page, "plot-run", report::run_figure(fit));
    add_making(page, fit);
    page.write(path);
}

}  // namespace aliquot::spectra
