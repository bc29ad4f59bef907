#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/progress.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/fit.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "app/commands.hpp"
#include "app/fit_output.hpp"
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
    if (!command.effective_samples.empty())
        config.set(format("sampler.ess={}", parse_whole_number("--ess", command.effective_samples)));
    return spectra::read_fit_config(config, command.data);
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

void say_where_it_starts(const FitCommand& command, const std::filesystem::path& checkpoint) {
    const bool there = std::filesystem::exists(checkpoint);
    if (command.resume && !there) std::fprintf(stderr, "no %s: starting from the beginning\n", checkpoint.c_str());
    if (!command.resume && there)
        std::fprintf(stderr, "starting from the beginning: --resume would continue from %s\n", checkpoint.c_str());
}

}  // namespace

int run(const FitCommand& command) {
    spectra::FitConfig config = read(command);
    const std::filesystem::path out =
        command.out.empty() ? std::filesystem::path(command.config).stem().string() + "_fit" : command.out;
    io::ensure_directory(out);
    const std::filesystem::path checkpoint = out / "checkpoint.bin";
    io::remove_abandoned(checkpoint);
    if (!command.quiet && !command.quick) say_where_it_starts(command, checkpoint);
    if (!command.resume) io::write_file(out / "config.toml", config.text);
    if (!command.quiet) {
        for (const std::string& warning : config.warnings)
            std::fprintf(stderr, "warning: %s\n", warning.c_str());
    }

    config.options.verify = command.verify;
    config.options.quick = command.quick;
    Threads threads(command.threads);
    ProgressPrinter printer(stderr, isatty(STDERR_FILENO) != 0);
    std::signal(SIGINT, ask_to_stop);
    std::signal(SIGTERM, ask_to_stop);
    spectra::Fit fit = spectra::run_fit(config.model, std::move(config.spectrum), config.options, threads,
                                        command.quiet ? ProgressCallback{} : std::ref(printer), [] { return stop_asked.load(); },
                                        {checkpoint, command.resume, {{"configuration", config.run_text}}});
    printer.finish();
    fit.title = config.title;
    fit.config_text = config.text;
    fit.warnings.insert(fit.warnings.begin(), config.warnings.begin(), config.warnings.end());

    if (command.resume)
        io::write_file(out / "config.toml", config.text);  // not before the checkpoint was found to be of this run
    write_and_tell(fit, out, {command.json, command.quiet, config.warnings.size()});
    if (command.quick) return static_cast<int>(ExitCode::ok);
    if (fit.run.status == infer::Status::converged) {
        std::error_code not_there;
        std::filesystem::remove(checkpoint, not_there);
    } else {
        std::fprintf(stderr,
                     "aliquot: stopped before it converged (%s): run the same command with --resume%s to continue from %s\n",
                     std::string(infer::to_string(fit.run.status)).c_str(),
                     fit.run.status == infer::Status::call_limit ? " and a larger sampler.max_calls" : "", checkpoint.c_str());
    }
    return static_cast<int>(exit_code(fit.run.status));
}

}  // namespace aliquot::app
