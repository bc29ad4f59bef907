#include "aliquot/summary/collapse_report.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/io/png.hpp"
#include "aliquot/summary/collapse_run.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t grid_columns = 720;
constexpr std::size_t grid_rows = 360;
constexpr std::size_t most_mapped_layers = 8;
constexpr std::size_t stretch = std::size_t{1} << 15U;

using io::escape_html;

/// Whether the layer's values are shares of draws.
bool is_share(LayerKind kind) {
    return kind == LayerKind::any || kind == LayerKind::above || kind == LayerKind::above_float32 || kind == LayerKind::bimodal ||
           kind == LayerKind::covered || kind == LayerKind::pit;
}

/// 0 transparent, 1 for zero, then from pale yellow to dark purple.
io::Palette make_palette() {
    constexpr double stops[][3] = {{255, 244, 190}, {250, 190, 90}, {226, 100, 60}, {150, 40, 90}, {50, 10, 80}};
    io::Palette palette{};
    palette[1] = {228, 232, 236};
    for (std::size_t i = 2; i < palette.size(); ++i) {
        const double place = static_cast<double>(i - 2) / 253.0 * 4.0;
        const auto stop = std::min<std::size_t>(static_cast<std::size_t>(place), 3);
        const double part = place - static_cast<double>(stop);
        for (std::size_t c = 0; c < 3; ++c)
            palette[i][c] = static_cast<std::uint8_t>(std::lround(stops[stop][c] * (1.0 - part) + stops[stop + 1][c] * part));
    }
    return palette;
}

std::uint8_t colour(float value, bool share, float greatest) {
    if (std::isnan(value)) return 0;
    if (!(value > 0.0F) || !(greatest > 0.0F)) return 1;
    const double part =
        share ? static_cast<double>(value) : std::log1p(static_cast<double>(value)) / std::log1p(static_cast<double>(greatest));
    return static_cast<std::uint8_t>(2 + std::lround(253.0 * std::clamp(part, 0.0, 1.0)));
}

std::string card(const std::string& value, const std::string& what) {
    return format("<div class=\"card\"><b>{}</b><span>{}</span></div>", value, what);
}

std::string number(double value) {
    return std::isfinite(value) ? format("{:.6g}", value) : "–";
}

std::string range_table(std::span<const Layer> layers, const std::vector<LayerMaps::Range>& ranges) {
    std::string html =
        "<div class=\"scroll\"><table><tr><th>layer</th><th class=\"n\">rows</th><th class=\"n\">not zero</th>"
        "<th class=\"n\">least</th><th class=\"n\">mean</th><th class=\"n\">greatest</th></tr>\n";
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const LayerMaps::Range& r = ranges[l];
        html += format(
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td></tr>\n",
            escape_html(layers[l].name), r.count, r.not_zero, number(static_cast<double>(r.least)),
            number(r.sum / static_cast<double>(r.count)), number(static_cast<double>(r.greatest)));
    }
    return html + "</table></div>\n";
}

}  // namespace

std::vector<std::int64_t> map_times(const FrameIndex& index, std::span<const RowRange> rows) {
    std::vector<std::int64_t> seen;
    std::vector<std::int64_t> times(stretch);
    for (const RowRange& range : rows) {
        for (std::size_t done = 0; done < range.count; done += stretch) {
            const std::size_t part = std::min(stretch, range.count - done);
            index.read(range.first + done, std::span(times).first(part), {});
            for (std::size_t i = 0; i < part; ++i) {
                if (!seen.empty() && seen.back() == times[i]) continue;
                if (std::ranges::find(seen, times[i]) == seen.end()) seen.push_back(times[i]);
            }
        }
    }
    std::ranges::sort(seen);
    std::vector<std::int64_t> chosen;
    for (const std::size_t step : {1, 6, 12, 24, 36}) {
        if (step <= seen.size()) chosen.push_back(seen[step - 1]);
    }
    return chosen;
}

LayerMaps::LayerMaps(std::span<const Layer> layers, std::vector<std::int64_t> times)
    : times_(std::move(times)),
      ranges_(layers.size()),
      mapped_layers_(times_.empty() ? 0 : std::min(layers.size(), most_mapped_layers)),
      cells_(times_.size()),
      values_(mapped_layers_ * times_.size()) {}

void LayerMaps::take(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                     std::size_t stride) {
    for (std::size_t l = 0; l < ranges_.size(); ++l) {
        Range& range = ranges_[l];
        for (std::size_t r = 0; r < times.size(); ++r) {
            const float value = layers[l * stride + r];
            if (std::isnan(value)) continue;
            range.least = range.count == 0 ? value : std::min(range.least, value);
            range.greatest = range.count == 0 ? value : std::max(range.greatest, value);
            range.sum += static_cast<double>(value);
            range.not_zero += value != 0.0F ? 1 : 0;
            ++range.count;
        }
    }
    for (std::size_t r = 0; r < times.size() && !times_.empty(); ++r) {
        const auto time = std::ranges::find(times_, times[r]);
        if (time == times_.end() || units[r] < 1 || units[r] > static_cast<std::int64_t>(grid_columns * grid_rows)) continue;
        const auto t = static_cast<std::size_t>(time - times_.begin());
        cells_[t].push_back(static_cast<std::int32_t>(units[r]));
        for (std::size_t l = 0; l < mapped_layers_; ++l)
            values_[l * times_.size() + t].push_back(layers[l * stride + r]);
    }
}

std::span<const float> LayerMaps::values(std::size_t layer, std::size_t time) const {
    if (layer >= mapped_layers_) return {};
    return values_[layer * times_.size() + time];
}

std::string map_png(const LayerMaps& maps, std::size_t layer, std::size_t time, const Layer& what, float greatest) {
    static const io::Palette palette = make_palette();
    const auto cells = maps.cells(time);
    const auto values = maps.values(layer, time);
    if (values.empty()) return {};
    const auto [south, north] = std::ranges::minmax(cells);
    const std::size_t lowest = static_cast<std::size_t>(south - 1) / grid_columns;
    const std::size_t highest = static_cast<std::size_t>(north - 1) / grid_columns;
    std::vector<std::uint8_t> pixels(grid_columns * (highest - lowest + 1), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto cell = static_cast<std::size_t>(cells[i] - 1);
        const std::size_t from_top = highest - cell / grid_columns;
        pixels[from_top * grid_columns + cell % grid_columns] = colour(values[i], is_share(what.kind), greatest);
    }
    return io::encode_png(pixels, grid_columns, highest - lowest + 1, palette);
}

void CollapseReport::add(const TargetResult& target, const LayerMaps& maps) {
    std::string html = format("<p>{} rows of {} draws in {}, from <code>{}</code>.</p>\n", target.count.rows, target.count.draws,
                              format_duration(target.seconds), escape_html(target.path));
    const NonFiniteCount& bad = target.count.non_finite;
    if (bad.rows > 0)
        html += format(
            "<div class=\"warning\">{} rows had draws that are not finite ({} NaN, {} infinite); {} of them had no other."
            "</div>\n",
            bad.rows, bad.nan, bad.infinite, bad.empty_rows);
    html += range_table(layers_, maps.ranges());
    for (std::size_t l = 0; l < layers_.size() && !maps.times().empty(); ++l) {
        if (maps.values(l, 0).empty()) continue;
        const float greatest = maps.ranges()[l].greatest;
        html +=
            format("<h3>{}</h3><p class=\"note\">{}</p><div class=\"cards\">", escape_html(layers_[l].name),
                   is_share(layers_[l].kind) ? "linear from 0 (grey) to 1"
                                             : format("logarithmic from 0 (grey) to {}", number(static_cast<double>(greatest))));
        for (std::size_t t = 0; t < maps.times().size(); ++t)
            html += format(
                "<figure style=\"margin:0\"><img style=\"width:720px;max-width:100%\" "
                "alt=\"map "
                "of {} at time {}\" src=\"data:image/png;base64,{}\"><figcaption>time {}</figcaption></figure>",
                escape_html(layers_[l].name), maps.times()[t], io::base64(map_png(maps, l, t, layers_[l], greatest)),
                maps.times()[t]);
        html += "</div>\n";
    }
    sections_.push_back({target.name, std::move(html)});
}

void CollapseReport::write(const std::filesystem::path& path, const RunResult& result) const {
    io::HtmlPage page("Collapse");
    std::size_t rows = 0;
    for (const TargetResult& target : result.targets)
        rows += target.count.rows;
    page.html("<div class=\"cards\">" + card(format_count(static_cast<double>(rows)), "rows") +
              card(format("{}", layers_.size()), "layers") + card(format_duration(result.seconds), "from start to end") +
              card(format_count(static_cast<double>(rows) / std::max(result.seconds, 1e-9)) + "/s", "rows") +
              card(format_count(static_cast<double>(result.bytes_read)), "bytes read") + "</div>");
    for (const std::string& note : result.notes)
        page.html("<p class=\"note\">" + escape_html(note) + "</p>");
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        page.section(format("target-{}", i), sections_[i].name);
        page.html(sections_[i].html);
    }
    page.html(format("<p class=\"note\">aliquot {}. Layers are described in docs/collapse.md.</p>", version));
    page.write(path);
}

}  // namespace aliquot::summary
