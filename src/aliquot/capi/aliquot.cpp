#include "aliquot/capi/aliquot.h"

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/top_up.hpp"
#include "aliquot/infer/verdict.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/problem.hpp"

namespace infer = aliquot::infer;
namespace spectra = aliquot::spectra;
namespace io = aliquot::io;
using aliquot::ConfigError;
using aliquot::Error;
using aliquot::ExitCode;
using aliquot::format;
using aliquot::MatrixView;
using aliquot::NumericError;
using aliquot::Progress;
using aliquot::ProgressCallback;
using aliquot::Threads;

struct aliquot_run {
    infer::NestedResult run;
    infer::Verdict verdict;
    std::uint64_t second_opinion_calls = 0;
};

struct aliquot_fit {
    spectra::FitConfig config;
    spectra::SpectralProblem problem;
    explicit aliquot_fit(spectra::FitConfig read) : config(std::move(read)), problem(*config.model, config.spectrum) {}
};

namespace {

struct Failure {
    int code = ALIQUOT_OK;
    std::string text;
};

Failure& failure() {
    thread_local Failure last;
    return last;
}

/// A callback that said it failed.
class CallbackError : public std::exception {
  public:
    explicit CallbackError(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::string text_;
};

int code_of(const Error& error) {
    switch (error.exit_code()) {
        case ExitCode::usage:
        case ExitCode::config:
            return ALIQUOT_CONFIG;
        case ExitCode::data:
        case ExitCode::no_input:
        case ExitCode::io:
            return ALIQUOT_DATA;
        case ExitCode::interrupted:
            return ALIQUOT_INTERRUPTED;
        case ExitCode::ok:
        case ExitCode::stopped:
        case ExitCode::internal:
            break;
    }
    return ALIQUOT_INTERNAL;
}

/// Run `body`; what it throws becomes the thread's failure, and `otherwise` the result.
template <typename Body, typename Result>
Result guarded(Result otherwise, const Body& body) noexcept {
    try {
        return body();
    } catch (const NumericError& error) {
        failure() = {ALIQUOT_NUMERIC, error.what()};
    } catch (const Error& error) {
        failure() = {code_of(error), error.what()};
    } catch (const CallbackError& error) {
        failure() = {ALIQUOT_CALLBACK, error.what()};
    } catch (const std::bad_alloc&) {
        failure() = {ALIQUOT_INTERNAL, "out of memory (the run's points do not fit): use fewer live points"};
    } catch (const std::exception& error) {
        failure() = {ALIQUOT_INTERNAL, error.what()};
    }
    return otherwise;
}

class CallbackProblem final : public infer::Problem {
  public:
    CallbackProblem(std::size_t dimension, aliquot_transform to_parameters, aliquot_log_likelihood value, void* user,
                    std::span<const std::size_t> periodic)
        : dimension_(dimension), transform_(to_parameters), log_likelihood_(value), user_(user), periodic_(periodic) {}
    [[nodiscard]] std::size_t dimension() const override { return dimension_; }
    [[nodiscard]] std::span<const std::size_t> periodic() const override { return periodic_; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        check("transform", transform_(user_, unit.rows(), dimension_, unit.data(), parameters.data()));
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        check("log_likelihood", log_likelihood_(user_, values.size(), dimension_, parameters.data(), values.data()));
    }

  private:
    static void check(const char* name, int code) {
        if (code != 0) throw CallbackError(format("{} returned {} (0 means done): the run was given up", name, code));
    }

    std::size_t dimension_;
    aliquot_transform transform_;
    aliquot_log_likelihood log_likelihood_;
    void* user_;
    std::span<const std::size_t> periodic_;
};

/// The problem of a fit that is called with so many parameters.
const spectra::SpectralProblem& problem_of(void* fit, std::size_t dimension) {
    if (fit == nullptr)
        throw ConfigError("a fit that is NULL (aliquot_fit_open failed): look at aliquot_error() after opening it");
    const auto& problem = static_cast<const aliquot_fit*>(fit)->problem;
    if (dimension != problem.dimension())
        throw ConfigError(format("dimension = {} (the fit has {} free parameters): give aliquot_fit_dimension()", dimension,
                                 problem.dimension()));
    return problem;
}

const char* text_at(const std::vector<std::string>& all, std::size_t index) {
    return index < all.size() ? all[index].c_str() : nullptr;
}

}  // namespace

extern "C" {

const char* aliquot_version(void) {
    static const std::string text(aliquot::version);
    return text.c_str();
}
int aliquot_abi(void) {
    return ALIQUOT_ABI;
}
const char* aliquot_error(void) {
    return failure().text.c_str();
}
int aliquot_error_code(void) {
    return failure().code;
}

void aliquot_options_init(aliquot_options* options) {
    const infer::NestedOptions defaults;
    *options = {.live_points = defaults.live_points,
                .dlogz = defaults.dlogz,
                .seed = defaults.seed,
                .batch = defaults.batch,
                .slices_per_dimension = defaults.slices_per_dimension,
                .max_calls = defaults.max_calls,
                .max_seconds = defaults.max_seconds,
                .threads = 0,
                .effective_samples = 0.0,
                .second_opinion = 1,
                .periodic = nullptr,
                .periodic_count = 0};
}

aliquot_run* aliquot_sample(size_t dimension, aliquot_transform transform, aliquot_log_likelihood log_likelihood, void* user,
                            const aliquot_options* options, aliquot_progress progress) {
    return guarded(static_cast<aliquot_run*>(nullptr), [&] {
        if (dimension == 0 || transform == nullptr || log_likelihood == nullptr || options == nullptr)
            throw ConfigError("aliquot_sample without dimension, transform, log_likelihood or options: give all four");
        const std::span<const std::size_t> periodic(options->periodic,
                                                    options->periodic != nullptr ? options->periodic_count : 0);
        for (const std::size_t j : periodic) {
            if (j >= dimension)
                throw ConfigError(format("periodic coordinate {} (of {} parameters): count them from 0", j, dimension));
        }
        const CallbackProblem problem(dimension, transform, log_likelihood, user, periodic);
        infer::NestedOptions nested;
        nested.live_points = options->live_points;
        nested.dlogz = options->dlogz;
        nested.seed = options->seed;
        nested.batch = options->batch;
        nested.slices_per_dimension = options->slices_per_dimension;
        nested.max_calls = options->max_calls;
        nested.max_seconds = options->max_seconds;
        Threads threads(options->threads);
        bool stop = false;
        ProgressCallback told;
        if (progress != nullptr)
            told = [&](const Progress& p) {
                stop = stop || progress(user, p.fraction, static_cast<std::uint64_t>(p.count), p.detail.c_str()) != 0;
            };
        auto result = std::make_unique<aliquot_run>();
        const auto stop_requested = [&] { return stop; };
        result->run = infer::run_nested(problem, nested, threads, told, stop_requested);
        if (options->effective_samples != 0.0)
            result->run =
                infer::top_up(problem, std::move(result->run), nested, options->effective_samples, threads, told, stop_requested);
        std::optional<infer::SecondOpinion> opinion;
        if (options->second_opinion != 0 && result->run.status == infer::Status::converged) {
            infer::ImportanceOptions importance;
            importance.seed = options->seed;
            opinion = infer::second_opinion(problem, result->run, importance, threads);
        }
        if (opinion) result->second_opinion_calls = opinion->likelihood_calls;
        result->verdict = infer::judge(result->run, opinion, {});
        return result.release();
    });
}

void aliquot_run_free(aliquot_run* run) {
    delete run;
}

void aliquot_run_summary(const aliquot_run* run, aliquot_summary* summary) {
    const infer::NestedResult& r = run->run;
    *summary = {.dimension = r.dimension,
                .samples = r.log_likelihood.size(),
                .log_evidence = r.log_evidence,
                .log_evidence_error = r.log_evidence_error,
                .quoted_log_evidence = run->verdict.log_evidence,
                .quoted_log_evidence_error = run->verdict.log_evidence_error,
                .information = r.information,
                .effective_samples = r.diagnostics.effective_samples,
                .rank_correlation = r.diagnostics.rank_correlation,
                .insertion_rank_p_value = r.diagnostics.insertion_rank_p_value,
                .likelihood_calls = r.likelihood_calls,
                .second_opinion_calls = run->second_opinion_calls,
                .seconds = r.seconds,
                .converged = r.status == infer::Status::converged ? 1 : 0,
                .trusted = run->verdict.trusted ? 1 : 0};
}

const double* aliquot_run_samples(const aliquot_run* run) {
    return run->run.samples.data();
}
const double* aliquot_run_unit_samples(const aliquot_run* run) {
    return run->run.unit_samples.data();
}
const double* aliquot_run_log_likelihood(const aliquot_run* run) {
    return run->run.log_likelihood.data();
}
const double* aliquot_run_log_birth(const aliquot_run* run) {
    return run->run.log_birth.data();
}
const double* aliquot_run_log_volume(const aliquot_run* run) {
    return run->run.log_volume.data();
}
const double* aliquot_run_log_weight(const aliquot_run* run) {
    return run->run.log_weight.data();
}
const char* aliquot_run_warning(const aliquot_run* run, size_t index) {
    return text_at(run->run.diagnostics.warnings, index);
}
const char* aliquot_run_reason(const aliquot_run* run, size_t index) {
    return text_at(run->verdict.reasons, index);
}

aliquot_fit* aliquot_fit_open(const char* configuration, const char* data_folder) {
    return guarded(static_cast<aliquot_fit*>(nullptr), [&] {
        if (configuration == nullptr) throw ConfigError("aliquot_fit_open without a configuration: name a file");
        const io::Config config = io::Config::parse_file(configuration);
        return new aliquot_fit(spectra::read_fit_config(config, data_folder != nullptr ? data_folder : ""));
    });
}
void aliquot_fit_free(aliquot_fit* fit) {
    delete fit;
}
size_t aliquot_fit_dimension(const aliquot_fit* fit) {
    return fit->problem.dimension();
}
const char* aliquot_fit_parameter(const aliquot_fit* fit, size_t index) {
    const spectra::Model& model = *fit->config.model;
    return index < model.dimension() ? model.parameters()[model.free()[index]].full_name.c_str() : nullptr;
}
int aliquot_fit_transform(void* fit, size_t count, size_t dimension, const double* unit, double* parameters) {
    return guarded(static_cast<int>(ALIQUOT_INTERNAL), [&] {
        problem_of(fit, dimension).transform({unit, count, dimension}, {parameters, count, dimension});
        return static_cast<int>(ALIQUOT_OK);
    });
}
int aliquot_fit_log_likelihood(void* fit, size_t count, size_t dimension, const double* parameters, double* values) {
    return guarded(static_cast<int>(ALIQUOT_INTERNAL), [&] {
        problem_of(fit, dimension).log_likelihood({parameters, count, dimension}, {values, count});
        return static_cast<int>(ALIQUOT_OK);
    });
}
}
