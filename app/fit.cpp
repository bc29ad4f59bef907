#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/fit.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/fit_file.hpp"
#include "aliquot/spectra/report.hpp"
#include "app/commands.hpp"
#include "app/numbers.hpp"

namespace aliquot::app {

namespace {

std::atomic<bool> stop_asked{false};

/// The first Ctrl-C asks the fit to finish with what it has; a second one ends the program.
void ask_to_stop(int signal) {
    stop_asked = true;
    std::signal(signal, SIG_DFL);
}

spectra::FitConfig read(const FitCommand& command) {
    if (!std::filesystem::exists(command.config))
        throw DataError(format("{}: no such file (the configuration to fit): check the path", command.config),
                        ExitCode::no_input);
    io::Config config = io::Config::parse_file(command.config);
    for (const std::string& assignment : command.overrides)
        config.set(assignment);
    if (!command.seed.empty()) config.set(format("sampler.seed={}", parse_whole_number("--seed", command.seed)));
    return spectra::read_fit_config(config, command.data);
}

/// Columns line up; one row per parameter.
void print_table(const spectra::Fit& fit, const std::filesystem::path& out) {
    std::printf("%s\n", fit.title.c_str());
    std::printf("%zu pixels, %zu parameters; %s\n\n", fit.spectrum.size(), fit.parameters.size(), fit.evaluation.c_str());
    std::size_t width = 9;
    for (const auto& p : fit.parameters)
        width = std::max(width, p.name.size());
    std::printf("%-*s  %12s  %11s  %11s  %12s  %-8s  %s\n", static_cast<int>(width), "parameter", "median", "-1 sigma",
                "+1 sigma", "best fit", "unit", "flag");
    for (const auto& p : fit.parameters) {
        std::printf("%-*s  %12.6g  %11.3g  %11.3g  %12.6g  %-8s  %s\n", static_cast<int>(width), p.name.c_str(), p.median,
                    p.median - p.p16, p.p84 - p.median, p.best, p.unit.c_str(), p.flag.c_str());
    }
    std::printf("\nln Z      %.3f +- %.3f   (information %.2f nats)\n", fit.run.log_evidence, fit.run.log_evidence_error,
                fit.run.information);
    std::printf("best fit  chi2 %.2f for %zu pixels, ln L %.3f\n", fit.chi2_best, fit.spectrum.size(), fit.log_likelihood_best);
    std::printf("work      %llu likelihood calls, %s\n", static_cast<unsigned long long>(fit.run.likelihood_calls),
                format_duration(fit.run.seconds).c_str());
    std::printf("\nwrote %s, %s and %s\n", (out / "fit.fits").c_str(), (out / "summary.json").c_str(),
                (out / "report.html").c_str());
}

ExitCode exit_code(infer::Status status) {
    switch (status) {
        case infer::Status::converged:
            return ExitCode::ok;
        case infer::Status::interrupted:
            return ExitCode::interrupted;
        case infer::Status::call_limit:
        case infer::Status::time_limit:
            break;
    }
    return ExitCode::stopped;
}

}  // namespace

int run(const FitCommand& command) {
    spectra::FitConfig config = read(command);
    const std::filesystem::path out =
        command.out.empty() ? std::filesystem::path(command.config).stem().string() + "_fit" : command.out;
    io::ensure_directory(out);
    io::write_file(out / "config.toml", config.text);
    if (!command.quiet) {
        for (const std::string& warning : config.warnings)
            std::fprintf(stderr, "warning: %s\n", warning.c_str());
    }

    Threads threads(command.threads);
    ProgressPrinter printer(stderr, isatty(STDERR_FILENO) != 0);
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
    spectra::Fit fit = spectra::run_fit(config.model, std::move(config.spectrum), config.sampler, threads,
                                        command.quiet ? ProgressCallback{} : std::ref(printer), [] { return stop_asked.load(); });
    printer.finish();
    const std::size_t known_warnings = config.warnings.size();
    fit.title = config.title;
    fit.config_text = config.text;
    fit.warnings.insert(fit.warnings.begin(), config.warnings.begin(), config.warnings.end());

    spectra::write_fit(fit, (out / "fit.fits").string());
    io::write_file(out / "summary.json", spectra::summary_json(fit));
    spectra::write_report(fit, (out / "report.html").string());
    if (command.json) {
        std::fputs(spectra::summary_json(fit).c_str(), stdout);
    } else if (!command.quiet) {
        print_table(fit, out);
    }
    if (!command.quiet) {
        for (std::size_t i = known_warnings; i < fit.warnings.size(); ++i)
            std::fprintf(stderr, "warning: %s\n", fit.warnings[i].c_str());
    }
    return static_cast<int>(exit_code(fit.run.status));
}

}  // namespace aliquot::app
