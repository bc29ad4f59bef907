#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "aliquot/core/error.hpp"
#include "aliquot/core/nearest.hpp"
#include "evidence/calibration.hpp"
#include "evidence/problems.hpp"

namespace {

using namespace aliquot;

constexpr const char* usage =
    "bench_evidence [--problem NAME]... [--seeds N] [--threads N] [--live N] [--slices X] [--second-opinion] [--json] [--list]\n"
    "Run the nested sampler on problems whose evidence is known and compare. 20 seeds and all problems by default.";

struct Options {
    std::vector<std::string> problems;
    std::size_t seeds = 20;
    std::size_t threads = 0;
    std::size_t live_points = 0;
    double slices = 0.0;  ///< per new point and dimension; 0 = the sampler's default
    bool second_opinion = false;
    bool json = false;
    bool list = false;
};

std::size_t number(const char* option, const char* text) {
    char* end = nullptr;
    const unsigned long value = std::strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0') throw Error(ExitCode::usage, std::string(option) + " takes a whole number, not " + text);
    return value;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&] {
            if (i + 1 == argc) throw Error(ExitCode::usage, argument + " needs a value");
            return argv[++i];
        };
        if (argument == "--problem") {
            options.problems.emplace_back(value());
        } else if (argument == "--seeds") {
            options.seeds = number("--seeds", value());
        } else if (argument == "--threads") {
            options.threads = number("--threads", value());
        } else if (argument == "--live") {
            options.live_points = number("--live", value());
        } else if (argument == "--slices") {
            options.slices = std::strtod(value(), nullptr);
        } else if (argument == "--second-opinion") {
            options.second_opinion = true;
        } else if (argument == "--json") {
            options.json = true;
        } else if (argument == "--list") {
            options.list = true;
        } else if (argument == "--help") {
            std::puts(usage);
            std::exit(0);
        } else {
            throw Error(ExitCode::usage, "unknown option " + argument + "\n" + usage);
        }
    }
    return options;
}

int run(const Options& options) {
    std::vector<bench::EvidenceProblem> problems = bench::analytic_problems();
    for (bench::EvidenceProblem& problem : bench::linear_problems())
        problems.push_back(std::move(problem));
    for (bench::EvidenceProblem& problem : bench::spectral_problems())
        problems.push_back(std::move(problem));
    std::vector<std::string> names;
    for (const bench::EvidenceProblem& problem : problems)
        names.push_back(problem.name);
    if (options.list) {
        for (const std::string& name : names)
            std::puts(name.c_str());
        return 0;
    }
    for (const std::string& wanted : options.problems) {
        if (std::find(names.begin(), names.end(), wanted) == names.end())
            throw Error(ExitCode::usage, "unknown problem \"" + wanted + "\"" + suggest(wanted, names) +
                                             " (spectral problems need ALIQUOT_TEST_DATA)");
    }
    Threads threads(options.threads);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    if (!options.json)
        std::printf("%-16s %5s %12s %9s %8s %8s %8s %10s %8s %8s %7s\n", "problem", "nlive", "truth", "mean-true", "+-", "quoted",
                    "scatter/q", "calls", "seconds", "us/call", "flagged");
    for (bench::EvidenceProblem& problem : problems) {
        if (!options.problems.empty() &&
            std::find(options.problems.begin(), options.problems.end(), problem.name) == options.problems.end())
            continue;
        if (options.live_points > 0) problem.live_points = options.live_points;
        const bench::Calibration c = bench::calibrate(problem, options.seeds, threads, options.slices, options.second_opinion);
        if (options.json) {
            rows.push_back({{"problem", problem.name},
                            {"live_points", problem.live_points},
                            {"seeds", options.seeds},
                            {"truth", problem.truth},
                            {"mean_error", c.mean_error},
                            {"standard_error", c.standard_error},
                            {"quoted_error", c.quoted_error},
                            {"scatter_over_quoted", c.scatter_over_quoted},
                            {"calls", c.calls},
                            {"seconds", c.seconds},
                            {"flagged", c.flagged}});
            if (options.second_opinion)
                rows.back()["second_opinion"] = {{"mean_error", c.opinion_mean_error},
                                                 {"quoted_error", c.opinion_quoted_error},
                                                 {"right", c.opinion_right},
                                                 {"trusted", c.opinion_trusted},
                                                 {"trusted_right", c.opinion_trusted_right}};
            if (options.second_opinion)
                rows.back()["verdict"] = {
                    {"trusted", c.trusted}, {"trusted_right", c.trusted_right}, {"doubted_wrong", c.doubted_wrong}};
        } else {
            std::printf("%-16s %5zu %12.4f %+9.3f %8.3f %8.3f %8.2f %10.3g %8.2f %8.2f %4zu/%zu\n", problem.name.c_str(),
                        problem.live_points, problem.truth, c.mean_error, c.standard_error, c.quoted_error, c.scatter_over_quoted,
                        c.calls, c.seconds, 1e6 * c.seconds * static_cast<double>(threads.count()) / c.calls, c.flagged,
                        options.seeds);
            if (options.second_opinion)
                std::printf("%-16s %5s %12s %+9.4f %8s %8.4f   right within 3 errors %zu/%zu, trusted %zu, of these right %zu\n",
                            "  importance", "", "", c.opinion_mean_error, "", c.opinion_quoted_error, c.opinion_right,
                            options.seeds, c.opinion_trusted, c.opinion_trusted_right);
            if (options.second_opinion)
                std::printf("%-16s trusted %zu, of these right %zu; not trusted %zu, of these wrong %zu\n", "  verdict",
                            c.trusted, c.trusted_right, options.seeds - c.trusted, c.doubted_wrong);
            std::fflush(stdout);
        }
    }
    if (options.json) std::printf("%s\n", rows.dump(2).c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(parse(argc, argv));
    } catch (const aliquot::Error& error) {
        std::fprintf(stderr, "bench_evidence: %s\n", error.what());
        return static_cast<int>(error.exit_code());
    }
}
