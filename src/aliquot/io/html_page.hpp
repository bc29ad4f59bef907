#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aliquot::io {

/// Text as HTML: & < > " escaped.
[[nodiscard]] std::string escape_html(std::string_view text);

/// Numbers as a JSON array with six significant digits; what is not finite becomes null (a gap in a plot).
[[nodiscard]] std::string json_numbers(const std::vector<double>& values);
/// A JSON string, quoted and escaped.
[[nodiscard]] std::string json_string(std::string_view text);

/// A page that needs nothing but itself: style, plots and the plotting library (plotly.js) are inside.
class HtmlPage {
  public:
    explicit HtmlPage(std::string title);
    /// Begin a section with a heading, listed in the navigation under `id`.
    void section(const std::string& id, const std::string& heading);
    /// Add HTML as it is.
    void html(std::string_view text);
    /// Add a plot: plotly's "data" and "layout" as JSON texts, drawn `height` pixels high.
    void plot(const std::string& id, std::string_view data, std::string_view layout, int height);
    [[nodiscard]] std::string text() const;
    /// Write atomically. Throws ResourceError.
    void write(const std::filesystem::path& path) const;

  private:
    std::string title_;
    std::string navigation_;
    std::string body_;
    std::string script_;
    bool open_ = false;
};

}  // namespace aliquot::io
