#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "aliquot/core/format.hpp"
#include "aliquot/io/html_page.hpp"
#include "aliquot/spectra/report_parts.hpp"

namespace aliquot::spectra::report {

namespace {

using io::escape_html;

constexpr std::array commands{std::pair{"alpha", "α"},  std::pair{"beta", "β"},  std::pair{"gamma", "γ"}, std::pair{"delta", "δ"},
                              std::pair{"lambda", "λ"}, std::pair{"sigma", "σ"}, std::pair{"tau", "τ"},   std::pair{"Delta", "Δ"},
                              std::pair{"Lambda", "Λ"}, std::pair{"Sigma", "Σ"}, std::pair{"mu", "μ"},    std::pair{"AA", "Å"}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A whole number as superscript characters.
std::string superscript(std::string_view number) {
    static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out;
    for (const char c : number) {
        if (is_digit(c)) out += digits[static_cast<std::size_t>(c - '0')];
        if (c == '-') out += "⁻";
    }
    return out;
}

/// "-3" or "17" at the start of a text; "" where there is none.
std::string_view leading_integer(std::string_view text) {
    const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    std::size_t length = sign;
    while (length < text.size() && is_digit(text[length]))
        ++length;
    return text.substr(0, length > sign ? length : 0);
}

}  // namespace

std::string symbol_html(std::string_view symbol) {
    const std::size_t underscore = symbol.find('_');
    if (underscore == std::string::npos) return escape_html(symbol);
    return format("{}<sub>{}</sub>", escape_html(symbol.substr(0, underscore)), escape_html(symbol.substr(underscore + 1)));
}

std::string label_html(std::string_view label) {
    std::string out;
    for (std::size_t at = 0; at < label.size();) {
        const char c = label[at];
        if (c == '\\') {
            std::size_t end = at + 1;
            while (end < label.size() && is_letter(label[end]))
                ++end;
            const std::string_view name = label.substr(at + 1, end - at - 1);
            const auto* const known =
                std::find_if(commands.begin(), commands.end(), [&](const auto& command) { return command.first == name; });
            if (known != commands.end()) out += known->second;
            at = end;
        } else if ((c == '_' || c == '^') && at + 1 < label.size() && label[at + 1] == '{') {
            const std::size_t end = std::min(label.find('}', at), label.size());
            const char* tag = c == '_' ? "sub" : "sup";
            out += format("<{}>{}</{}>", tag, escape_html(label.substr(at + 2, end - at - 2)), tag);
            at = end + 1;
        } else {
            if (c != '$' && c != '{' && c != '}') out += escape_html(label.substr(at, 1));
            ++at;
        }
    }
    return out;
}

std::pair<std::string, std::string> split_label(const ParameterSummary& parameter) {
    const std::string_view label = parameter.label;
    const std::size_t colon = label.rfind(": ");
    if (colon == std::string_view::npos) return {"", symbol_html(label)};
    return {label_html(label.substr(0, colon)), symbol_html(label.substr(colon + 2))};
}

std::string typeset(std::string number) {
    if (!number.empty() && number.front() == '-') number.replace(0, 1, "−");
    return number;
}

std::string rounded(double value, double error) {
    if (!std::isfinite(value)) return "–";
    if (!(error > 0.0) || !std::isfinite(error)) return typeset(format("{:.6g}", value));
    const double last = std::floor(std::log10(error)) - 1.0;  // power of ten of the last digit that says something
    if (last >= -8.0 && std::abs(value) < 1e7) return typeset(format("{:.{}f}", value, static_cast<int>(std::max(0.0, -last))));
    const double first = value != 0.0 ? std::floor(std::log10(std::abs(value))) : last;
    return typeset(format("{:.{}g}", value, static_cast<int>(std::clamp(first - last + 1.0, 1.0, 15.0))));
}

std::string unit_text(const std::string& unit) {
    std::string out;
    std::string_view rest = unit;
    // "1e-17 erg/s" is 10^-17 erg/s
    if (rest.starts_with("1e") || rest.starts_with("1E")) {
        const std::string_view exponent = leading_integer(rest.substr(2));
        if (!exponent.empty()) {
            out = "10" + superscript(exponent);
            rest.remove_prefix(2 + exponent.size());
        }
    }
    while (!rest.empty()) {
        if (!is_letter(rest[0])) {
            out += rest[0];
            rest.remove_prefix(1);
            continue;
        }
        std::size_t length = 1;
        while (length < rest.size() && is_letter(rest[length]))
            ++length;
        const std::string_view word = rest.substr(0, length);
        out += word == "Angstrom" || word == "Ang" || word == "AA" ? "Å" : std::string(word);
        rest.remove_prefix(length);
        if (rest.starts_with("**")) {
            rest.remove_prefix(2);
        } else if (rest.starts_with("^")) {
            rest.remove_prefix(1);
        }
        const std::string_view power = leading_integer(rest);
        out += superscript(power);
        rest.remove_prefix(power.size());
    }
    return out;
}

std::string unit_of(const Fit& fit, const std::string& unit) {
    if (unit != "flux") return unit_text(unit);
    const Spectrum& s = fit.spectrum;
    return s.flux_unit.empty() ? "unit of the data" : unit_text(s.flux_unit);
}

}  // namespace aliquot::spectra::report
