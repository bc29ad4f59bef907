#include "aliquot/io/html_page.hpp"

#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/io/atomic_file.hpp"

extern "C" {
extern const char aliquot_plotly_begin[];
extern const char aliquot_plotly_end[];
}

namespace aliquot::io {

namespace {

constexpr std::string_view style = R"(
:root { --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --paper: #ffffff; --wash: #f6f8fa; --accent: #0b5cad; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 0 24px 64px; }
nav { position: sticky; top: 0; z-index: 10; background: rgba(255,255,255,.95); border-bottom: 1px solid var(--line); padding: 8px 24px; }
nav a { color: var(--accent); text-decoration: none; margin-right: 18px; white-space: nowrap; }
h1 { font-size: 28px; margin: 28px 0 4px; } h2 { font-size: 20px; margin: 40px 0 10px; scroll-margin-top: 52px; }
p.note, figcaption { color: var(--soft); font-size: 13.5px; } p { margin: 6px 0 10px; }
.headline { font-size: 18px; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line); padding: 4px 14px 4px 0; white-space: nowrap; }
td { border-bottom: 1px solid var(--line); padding: 4px 14px 4px 0; white-space: nowrap; } td.n, th.n { text-align: right; }
.warning { background: #fff8e6; border-left: 4px solid #d69e00; padding: 8px 14px; margin: 8px 0; }
.badge { border-radius: 9px; padding: 1px 9px; font-size: 12.5px; background: #fde8e4; color: #9a2c10; } .badge.quiet { background: #eaeef2; color: #424a53; }
code, pre { font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; } pre { background: var(--wash); padding: 12px; overflow-x: auto; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; margin: 14px 0; } .card { background: var(--wash); border-radius: 8px; padding: 8px 16px; }
.card b { display: block; font-size: 19px; } .card span { color: var(--soft); font-size: 13px; }
)";

}  // namespace

std::string escape_html(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string json_numbers(const std::vector<double>& values) {
    std::string out = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ',';
        out += std::isfinite(values[i]) ? format("{:.6g}", values[i]) : "null";
    }
    return out + "]";
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || c == '<') {  // "<" too, so that no text can end the script
            out += format("\\u{:04x}", byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

HtmlPage::HtmlPage(std::string title) : title_(std::move(title)) {}

void HtmlPage::section(const std::string& id, const std::string& heading) {
    if (open_) body_ += "</section>\n";
    open_ = true;
    navigation_ += format("<a href=\"#{}\">{}</a>", id, escape_html(heading));
    body_ += format("<section><h2 id=\"{}\">{}</h2>\n", id, escape_html(heading));
}

void HtmlPage::html(std::string_view text) {
    body_ += text;
    body_ += '\n';
}

void HtmlPage::plot(const std::string& id, std::string_view data, std::string_view layout, int height) {
    body_ += format("<div class=\"plot\" id=\"{}\" style=\"height:{}px\"></div>\n", id, height);
    script_ += format("Plotly.newPlot({}, {}, {}, {{responsive: true, displaylogo: false}});\n", json_string(id), data, layout);
}

std::string HtmlPage::text() const {
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n";
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n";
    page += format("<title>{}</title>\n<style>{}</style>\n<script>", escape_html(title_), style);
    page.append(aliquot_plotly_begin, aliquot_plotly_end);
    page += format("</script></head>\n<body><nav>{}</nav><main><h1>{}</h1>\n{}{}</main>\n<script>\n{}</script>\n</body></html>\n",
                   navigation_, escape_html(title_), body_, open_ ? "</section>" : "", script_);
    return page;
}

void HtmlPage::write(const std::filesystem::path& path) const {
    write_file(path, text());
}

}  // namespace aliquot::io
