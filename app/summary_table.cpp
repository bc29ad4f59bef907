#include "app/summary_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "aliquot/core/progress.hpp"

namespace aliquot::app {

namespace {

using Json = nlohmann::json;

/// null stands for what is not finite.
double number(const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text(const Json& value) {
    return value.get<std::string>();
}

/// Median, distances to the 16 and 84 % quantiles, best fit and unit of one quantity.
void print_quantiles(const Json& row, int width, const std::string& rest) {
    const double median = number(row["median"]);
    std::printf("%-*s  %12.6g  %11.3g  %11.3g  %12.6g  %-8s  %s\n", width, text(row["name"]).c_str(), median,
                median - number(row["p16"]), number(row["p84"]) - median, number(row["best"]), text(row["unit"]).c_str(),
                rest.c_str());
}

void print_presence(const Json& row, int width) {
    if (!row.contains("presence")) return;
    const Json& presence = row["presence"];
    const std::string name = text(row["name"]);
    const std::string prior = text(row["prior"]);
    if (presence["bayes_factor"].is_number())
        std::printf("%-*s  is there with probability %.4g, Bayes factor %.3g against %s\n", width, name.c_str(),
                    number(presence["probability"]), number(presence["bayes_factor"]), prior.c_str());
    else
        std::printf("%-*s  is there in every sample: its Bayes factor is larger than they can tell, against %s\n", width,
                    name.c_str(), prior.c_str());
}

/// "12.3 +0.4 -0.3", or a dash for what could not be measured.
std::string with_errors(const Json& row) {
    const double median = number(row["median"]);
    if (!std::isfinite(median)) return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.5g +%.3g -%.3g", median, number(row["p84"]) - median, median - number(row["p16"]));
    return text;
}

/// One row per line, profile and continuum.
void print_measured(const Json& measured) {
    if (measured.empty()) return;
    constexpr int column = 24;
    std::size_t longest = 8;
    for (const Json& row : measured)
        longest = std::max(longest, text(row["of"]).size());
    const int width = static_cast<int>(longest);
    std::printf("\n%-*s", width, "measured");
    for (const char* heading : {"flux", "FWHM, km/s", "velocity, km/s", "EW, Angstrom"})
        std::printf("  %-*s", column, heading);
    std::string last;
    for (const Json& row : measured) {
        const std::string of = text(row["of"]);
        const std::string quantity = text(row["quantity"]);
        if (quantity == "dispersion") continue;
        if (of != last) std::printf("\n%-*s", width, of.c_str());
        last = of;
        std::printf("  %-*s", column, with_errors(row).c_str());
    }
    std::printf("\n");
}

void print_estimate(const Json& estimate, const std::string& what) {
    std::printf("          %.3f +- %.3f   by %s\n", number(estimate["log_evidence"]), number(estimate["log_evidence_error"]),
                what.c_str());
}

void print_evidence(const Json& summary) {
    const Json& evidence = summary["evidence"];
    const std::string source = text(evidence["source"]);
    std::printf("\nln Z      %.3f +- %.3f   by %s, %s   (information %.2f nats)\n", number(evidence["log_evidence"]),
                number(evidence["log_evidence_error"]), source.c_str(),
                evidence["trusted"].get<bool>() ? "trusted" : "not trusted", number(summary["information"]));
    if (source != "nested sampling" && evidence.contains("nested")) print_estimate(evidence["nested"], "nested sampling");
    if (source != "importance sampling" && evidence.contains("importance")) {
        char what[64];
        std::snprintf(what, sizeof what, "importance sampling (Pareto k %.2f)", number(evidence["importance"]["pareto_k"]));
        print_estimate(evidence["importance"], what);
    }
    if (evidence.contains("verification")) print_estimate(evidence["verification"], "a run with twice the slices");
    for (const Json& reason : evidence["reasons"])
        std::printf("          not trusted: %s\n", text(reason).c_str());
}

}  // namespace

void print_summary(const Json& summary) {
    std::printf("%s\n", text(summary["title"]).c_str());
    std::printf("%zu pixels, %zu parameters; %s\n\n", summary["n_pixels"].get<std::size_t>(), summary["parameters"].size(),
                text(summary["evaluation"]).c_str());
    std::size_t longest = 9;
    for (const char* list : {"parameters", "derived"}) {
        for (const Json& row : summary[list])
            longest = std::max(longest, text(row["name"]).size());
    }
    const int width = static_cast<int>(longest);
    std::printf("%-*s  %12s  %11s  %11s  %12s  %-8s  %s\n", width, "parameter", "median", "-1 sigma", "+1 sigma", "best fit",
                "unit", "flag");
    for (const Json& row : summary["parameters"])
        print_quantiles(row, width, text(row["flag"]));
    for (const Json& row : summary["parameters"])
        print_presence(row, width);
    for (const Json& row : summary["derived"])
        print_quantiles(row, width, "= " + text(row["expression"]));
    print_measured(summary["measured"]);
    print_evidence(summary);
    std::printf("best fit  chi2 %.2f for %zu pixels, ln L %.3f\n", number(summary["chi2_best"]),
                summary["n_pixels"].get<std::size_t>(), number(summary["log_likelihood_best"]));
    std::printf("work      %llu likelihood calls, %s\n",
                static_cast<unsigned long long>(summary["likelihood_calls"].get<std::uint64_t>()),
                format_duration(number(summary["seconds"])).c_str());
}

}  // namespace aliquot::app
