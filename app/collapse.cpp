#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/summary/collapse_run.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

namespace {

std::atomic<bool> stop_asked{false};

/// The first Ctrl-C stops between blocks of rows and removes what is unfinished; a second one ends the program.
void ask_to_stop(int signal) {
    stop_asked = true;
    std::signal(signal, SIG_DFL);
}

[[noreturn]] void refuse(const std::string& option, const std::string& text, const char* expected) {
    throw Error(ExitCode::usage, format("{} {} (expected {}): mend it", option, text, expected));
}

/// Two whole numbers with a separator between them.
std::optional<std::pair<std::size_t, std::size_t>> parse_pair(const std::string& text, char separator) {
    std::pair<std::size_t, std::size_t> pair;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, pair.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != separator) return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, pair.second);
    if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
    return pair;
}

std::size_t parse_memory(const std::string& text) {
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    std::size_t shift = 0;
    const bool unit = error == std::errc() && rest + 1 == end;
    if (unit && (*rest == 'K' || *rest == 'k')) shift = 10;
    if (unit && (*rest == 'M' || *rest == 'm')) shift = 20;
    if (unit && (*rest == 'G' || *rest == 'g')) shift = 30;
    if (error != std::errc() || (rest != end && shift == 0) || value == 0 || value > (std::size_t{1} << 40U) >> shift)
        refuse("--memory", text, "a size such as 64M, 256M or 1G");
    return value << shift;
}

std::vector<summary::RowRange> parse_times(const std::vector<std::string>& texts) {
    std::vector<summary::RowRange> times;
    for (const std::string& text : texts) {
        if (const auto range = parse_pair(text, ':');
            range && range->second >= range->first && range->second - range->first < 1000000) {
            times.push_back({range->first, range->second - range->first + 1});
        } else if (const auto single = parse_pair(text + ":0", ':')) {
            times.push_back({single->first, 1});
        } else {
            refuse("--times", text, "a whole number, or first:last");
        }
    }
    return times;
}

std::optional<summary::Level> parse_level(const std::string& text) {
    if (text == "auto") return std::nullopt;
    if (text == "pgm") return summary::Level::priogrid;
    if (text == "cm") return summary::Level::country;
    if (text != "none") refuse("--level", text, "pgm, cm, none or auto");
    return summary::Level::unknown;
}

summary::RunOptions options_of(const CollapseCommand& command) {
    summary::RunOptions options;
    options.paths = command.paths;
    options.out = command.out;
    const std::vector<std::string> names =
        command.layers.empty() ? summary::preset_layers(command.preset.empty() ? "report" : command.preset) : command.layers;
    options.collapse.layers = summary::parse_layers(names);
    options.collapse.memory_bytes = parse_memory(command.memory);
    options.collapse.summary.non_finite = summary::parse_non_finite(command.non_finite);
    options.collapse.summary.tip_mass = command.tip_mass;
    options.collapse.summary.zero_cutoff = command.zero_cutoff;
    if (!command.shape.empty()) {
        options.frames.shape = parse_pair(command.shape, ',');
        if (!options.frames.shape) refuse("--shape", command.shape, "ROWS,DRAWS");
    }
    if (command.sample_axis != "last" && command.sample_axis != "first")
        refuse("--sample-axis", command.sample_axis, "last or first");
    options.frames.sample_axis = command.sample_axis == "last" ? summary::SampleAxis::last : summary::SampleAxis::first;
    options.frames.level = parse_level(command.level);
    options.targets = command.targets;
    options.times = parse_times(command.times);
    if (!command.rows.empty()) {
        const auto rows = parse_pair(command.rows, ':');
        if (!rows || rows->second <= rows->first) refuse("--rows", command.rows, "FIRST:END with the end above the first");
        options.rows = summary::RowRange{rows->first, rows->second - rows->first};
    }
    options.format = summary::parse_output_format(command.format);
    options.observed = command.observed;
    options.mapping = command.mapping;
    options.totals = command.totals;
    options.report = !command.no_report;
    return options;
}

void print_table(const summary::RunOptions& options, const summary::RunResult& result) {
    std::size_t width = 6;
    for (const auto& target : result.targets)
        width = std::max(width, target.name.size());
    std::printf("%-*s  %10s  %8s  %10s  %10s  %s\n", static_cast<int>(width), "target", "rows", "draws", "rows/s", "not finite",
                "time");
    for (const auto& target : result.targets)
        std::printf("%-*s  %10zu  %8zu  %10s  %10llu  %s\n", static_cast<int>(width), target.name.c_str(), target.count.rows,
                    target.count.draws,
                    format_count(static_cast<double>(target.count.rows) / std::max(target.seconds, 1e-9)).c_str(),
                    static_cast<unsigned long long>(target.count.non_finite.nan + target.count.non_finite.infinite),
                    format_duration(target.seconds).c_str());
    std::printf("\n%zu layers from %.3f GB in %s, at most %llu MB of memory; wrote %s\n", options.collapse.layers.size(),
                static_cast<double>(result.bytes_read) * 1e-9, format_duration(result.seconds).c_str(),
                static_cast<unsigned long long>(summary::peak_resident_bytes()) >> 20U, options.out.c_str());
}

}  // namespace

int run(const CollapseCommand& command) {
    const summary::RunOptions options = options_of(command);
    Threads threads(command.threads);
    ProgressPrinter printer(stderr, isatty(STDERR_FILENO) != 0);
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
    const summary::RunResult result = summary::run_collapse(
        options, threads, command.quiet ? ProgressCallback{} : std::ref(printer), [] { return stop_asked.load(); });
    printer.finish();
    if (command.json) {
        std::fputs(summary::run_json(options, result).c_str(), stdout);
    } else if (!command.quiet) {
        print_table(options, result);
    }
    if (!command.quiet) {
        for (const std::string& note : result.notes)
            std::fprintf(stderr, "note: %s\n", note.c_str());
    }
    return 0;
}

}  // namespace aliquot::app
