#include "aliquot/spectra/fit_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/infer/merge_runs.hpp"
#include "aliquot/io/config.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/spectra/data_paths.hpp"
#include "aliquot/spectra/fit_config.hpp"
#include "aliquot/spectra/fit_file.hpp"
#include "aliquot/spectra/model_config.hpp"
#include "aliquot/spectra/problem.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t checked_samples = 64;  // of each file, against the model
constexpr double relative_tolerance = 1e-8;  // of their ln L: instruction sets differ by less, models by more
constexpr double absolute_tolerance = 1e-3;

/// The parts of one file, with messages that say which is wrong.
class Parts {
  public:
    explicit Parts(const std::string& path) : file_(path) {
        if (!file_.key_string(0, "ALIQUOT")) fail("its header says nothing of aliquot");
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw DataError(format("{}: not a fit of this version ({}): name a fit.fits, or make it again", file_.path(), why));
    }
    [[nodiscard]] double number(const char* key) const { return given(file_.key_double(0, key), key); }
    [[nodiscard]] std::size_t count(const char* key) const {
        const std::int64_t value = given(file_.key_integer(0, key), key);
        if (value < 0) fail(format("{} = {}", key, value));
        return static_cast<std::size_t>(value);
    }
    [[nodiscard]] std::string text_key(const char* key) const { return given(file_.key_string(0, key), key); }
    [[nodiscard]] std::vector<double> image(const char* name, std::size_t size) const {
        std::vector<double> values = file_.image(hdu(name));
        if (values.size() != size) fail(format("{} has {} values instead of {}", name, values.size(), size));
        return values;
    }
    [[nodiscard]] std::vector<double> image(const char* name) const { return file_.image(hdu(name)); }
    [[nodiscard]] Matrix<double> matrix(const char* name, std::size_t rows, std::size_t columns) const {
        const std::vector<double> values = image(name, rows * columns);
        Matrix<double> all(rows, columns);
        std::copy(values.begin(), values.end(), all.data());
        return all;
    }
    [[nodiscard]] std::string text(const char* name) const {
        const std::vector<std::uint8_t> bytes = file_.bytes(hdu(name));
        return {bytes.begin(), bytes.end()};
    }
    [[nodiscard]] std::size_t hdu(const char* name) const {
        const auto found = file_.find(name);
        if (!found) fail(format("it has no HDU {}", name));
        return *found;
    }
    [[nodiscard]] const io::FitsReader& file() const { return file_; }

  private:
    template <typename T>
    T given(std::optional<T> value, const char* key) const {
        if (!value) fail(format("its header has no {}", key));
        return *std::move(value);
    }

    io::FitsReader file_;
};

infer::Status parse_status(const Parts& parts, const std::string& text) {
    using infer::Status;
    for (const Status status : {Status::converged, Status::interrupted, Status::call_limit, Status::time_limit}) {
        if (to_string(status) == text) return status;
    }
    parts.fail(format("STATUS = {}", text));
}

infer::Method parse_method(const Parts& parts, const std::string& text) {
    if (text == nested_method) return infer::Method::nested;
    if (text == quick_method) return infer::Method::quick;
    parts.fail(format("SAMPLE_METHOD = {}", text));
}

/// The diagnostics of summary.json, in which null stands for what is not finite.
infer::Diagnostics read_diagnostics(const nlohmann::json& json) {
    const auto number = [&](const char* key) {
        const nlohmann::json& value = json.at(key);
        return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    };
    infer::Diagnostics d;
    d.insertion_rank_p_value = number("insertion_rank_p_value");
    d.rank_correlation = number("rank_correlation");
    d.rank_correlation_error = number("rank_correlation_error");
    d.calls_per_slice = number("calls_per_slice");
    d.slices_per_point = number("slices_per_point");
    d.live_fraction = number("live_fraction");
    d.effective_samples = number("effective_samples");
    d.nan_likelihoods = json.at("nan_likelihoods").get<std::uint64_t>();
    d.failed_slices = json.at("failed_slices").get<std::uint64_t>();
    d.amplitude_rounds = json.at("amplitude_rounds").get<std::uint64_t>();
    d.leaps = json.at("leaps").get<std::uint64_t>();
    d.plateau_points = json.at("plateau_points").get<std::uint64_t>();
    d.warnings = json.at("warnings").get<std::vector<std::string>>();
    return d;
}

infer::NestedResult read_run(const Parts& parts) {
    infer::NestedResult run;
    run.dimension = parts.count("NDIM");
    run.live_points = parts.count("NLIVE");
    run.dlogz = parts.number("DLOGZ");
    run.seed = std::stoull("0" + parts.text_key("SEED"));
    run.status = parse_status(parts, parts.text_key("STATUS"));
    run.method = parse_method(parts, parts.text_key("SAMPLE_METHOD"));
    run.log_evidence = parts.number("LOG_EVIDENCE");
    run.log_evidence_error = parts.number("LOG_EVIDENCE_ERR");
    run.log_start_volume = parts.number("LOGVOL0");
    run.log_start_volume_sd = parts.number("LOGVOL0E");
    run.information = parts.number("INFORM");
    run.iterations = parts.count("NITER");
    run.likelihood_calls = parts.count("NCALL");
    run.seconds = parts.number("RUNTIME");
    run.log_likelihood = parts.image("LOGL");
    const std::size_t n = run.log_likelihood.size();
    run.samples = parts.matrix("SAMPLES", n, run.dimension);
    run.unit_samples = parts.matrix("SAMPLES_U", n, run.dimension);
    run.log_weight = parts.image("LOGWT", n);
    run.log_birth = parts.image("LOGBIRTH", n);
    run.live_count = parts.image("NLIVES", n);
    run.log_volume = parts.image("LOGVOL", n);
    if (n == 0 || run.dimension == 0) parts.fail("it has no samples");
    return run;
}

Spectrum read_pixels(const Parts& parts) {
    Spectrum spectrum;
    spectrum.wavelength_angstrom = parts.image("WAVE_USE");
    spectrum.flux = parts.image("FLUX_USE", spectrum.size());
    spectrum.error = parts.image("FERR", spectrum.size());
    spectrum.flux_unit = parts.text_key("FLUXUNIT");
    spectrum.flux_scale = parts.number("FLUXSCAL");
    spectrum.redshift = parts.number("REDSHIFT");
    spectrum.frame = parts.text_key("FRAME") == "rest" ? Frame::rest : Frame::observed;
    spectrum.medium = parts.text_key("MEDIUM") == "vacuum" ? Medium::vacuum : Medium::air;
    std::string line;
    for (const char c : parts.text("HISTORY")) {
        if (c != '\n') {
            line += c;
        } else {
            spectrum.history.push_back(std::exchange(line, ""));
        }
    }
    return spectrum;
}

std::vector<infer::ChainParameter> read_parameters(const Parts& parts, std::size_t dimension) {
    const io::FitsReader& file = parts.file();
    const std::vector<std::string> names = file.column_strings(parts.hdu("FULL_PARAM"), "FULL_PARAM_NAME");
    const std::vector<double> lower = file.column(parts.hdu("PARAM_BOUNDS"), "BOUND_LOWER");
    const std::vector<double> upper = file.column(parts.hdu("PARAM_BOUNDS"), "BOUND_UPPER");
    const std::vector<bool> logarithmic = file.column_bools(parts.hdu("LOG_SCALE_PARAMS"), "LOG_SCALE");
    if (names.size() != dimension || lower.size() != dimension || upper.size() != dimension || logarithmic.size() != dimension)
        parts.fail("its tables of parameters have another length than its samples have columns");
    std::vector<infer::ChainParameter> parameters;
    for (std::size_t i = 0; i < dimension; ++i) {
        const auto bound = [&](double value) { return logarithmic[i] ? std::pow(10.0, value) : value; };
        parameters.push_back({names[i], bound(lower[i]), bound(upper[i])});
    }
    return parameters;
}

[[noreturn]] void refuse(const FitFile& first, const FitFile& other, const std::string& what) {
    throw DataError(format("{} and {} are fits of different problems ({}): merge fits of the same data with the same model",
                           first.path, other.path, what));
}

void check_same(const FitFile& first, const FitFile& other) {
    if (first.spectrum.size() != other.spectrum.size())
        refuse(first, other, format("{} and {} pixels", first.spectrum.size(), other.spectrum.size()));
    for (std::size_t i = 0; i < first.spectrum.size(); ++i) {
        if (first.spectrum.wavelength_angstrom[i] != other.spectrum.wavelength_angstrom[i] ||
            first.spectrum.flux[i] != other.spectrum.flux[i] || first.spectrum.error[i] != other.spectrum.error[i])
            refuse(first, other, format("pixel {} differs", i + 1));
    }
    if (first.parameters.size() != other.parameters.size())
        refuse(first, other, format("{} and {} free parameters", first.parameters.size(), other.parameters.size()));
    for (std::size_t i = 0; i < first.parameters.size(); ++i) {
        const infer::ChainParameter& a = first.parameters[i];
        const infer::ChainParameter& b = other.parameters[i];
        if (a.name != b.name) refuse(first, other, format("parameter {} is {} and {}", i + 1, a.name, b.name));
        if (a.lower != b.lower || a.upper != b.upper)
            refuse(first, other,
                   format("the prior of {} ends at {:g} and {:g} in one, {:g} and {:g} in the other", a.name, a.lower, a.upper,
                          b.lower, b.upper));
    }
}

/// The model must map a file's unit samples to its samples and give their ln L: nothing that decides the likelihood escapes this.
void check_model(const FitFile& first, const FitFile& file, const SpectralProblem& problem) {
    const infer::NestedResult& run = file.run;
    const std::size_t n = run.samples.rows();
    const std::size_t count = std::min(checked_samples, n);
    Matrix<double> unit(0, run.dimension);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < count; ++i) {
        rows.push_back((i + 1) * n / count - 1);
        unit.append_row(run.unit_samples.row(rows.back()));
    }
    Matrix<double> parameters(count, run.dimension);
    std::vector<double> log_likelihood(count);
    problem.transform(std::as_const(unit).view(), parameters.view());
    problem.log_likelihood(std::as_const(parameters).view(), log_likelihood);
    for (std::size_t i = 0; i < count; ++i) {
        const double kept = run.log_likelihood[rows[i]];
        if (std::abs(log_likelihood[i] - kept) <= absolute_tolerance + relative_tolerance * std::abs(kept)) continue;
        const std::string what = format("sample {} has ln L = {} in {}, and {} under the configuration of {}", rows[i] + 1, kept,
                                        file.path, log_likelihood[i], first.path);
        if (&first != &file) refuse(first, file, what);
        throw DataError(format("{}: its model cannot be made again ({}): give the folder of the files it was made with by --data",
                               first.path, what));
    }
}

}  // namespace

FitFile read_fit(const std::string& path) {
    const Parts parts(path);
    FitFile fit;
    fit.path = path;
    fit.run = read_run(parts);
    fit.spectrum = read_pixels(parts);
    fit.parameters = read_parameters(parts, fit.run.dimension);
    if (const auto table = parts.file().find("DERIVED")) {
        for (const std::string& name : parts.file().column_names(*table)) {
            fit.derived.push_back({name, parts.file().column(*table, name)});
            if (fit.derived.back().values.size() != fit.run.samples.rows())
                parts.fail(
                    format("DERIVED has {} rows for {} samples", fit.derived.back().values.size(), fit.run.samples.rows()));
        }
    }
    fit.config_text = parts.text("CONFIG");
    try {
        fit.summary_text = parts.text("SUMMARY");
        const nlohmann::json summary = nlohmann::json::parse(fit.summary_text);
        fit.title = summary.at("title").get<std::string>();
        fit.spectrum.source = summary.at("source").get<std::string>();
        fit.run.diagnostics = read_diagnostics(summary.at("diagnostics"));
    } catch (const nlohmann::json::exception& error) {
        parts.fail(format("SUMMARY: {}", error.what()));
    }
    return fit;
}

Fit merge_fits(const std::vector<FitFile>& files, const std::filesystem::path& data_directory, Threads& threads) {
    if (files.size() < 2) throw DataError(format("{} fit to merge (merging takes two or more): name more", files.size()));
    const FitFile& first = files.front();
    const io::Config config = io::Config::parse(first.config_text, first.path + "[CONFIG]");
    const auto model =
        std::make_shared<const Model>(read_model(config.root().table("model"), DataPaths(config.directory(), data_directory)));
    if (model->dimension() != first.run.dimension)
        throw DataError(
            format("{}: its configuration has {} free parameters, its samples {} (they do not belong together): make it "
                   "again",
                   first.path, model->dimension(), first.run.dimension));
    const SpectralProblem problem(*model, first.spectrum);
    std::vector<infer::NestedResult> runs;
    std::string seeds;
    for (const FitFile& file : files) {
        if (file.run.method == infer::Method::quick)
            throw DataError(
                format("{} is a quick fit (merging counts the deaths of nested sampling): fit without --quick", file.path));
        check_same(first, file);
        check_model(first, file, problem);
        runs.push_back(file.run);
        seeds += format("{}{}", seeds.empty() ? "" : ", ", file.run.seed);
    }
    Fit fit = summarise_fit(model, first.spectrum, infer::merge_runs(runs, threads),
                            read_derived(config.root().table("derived"), *model),
                            read_measure(config.root().table("measure"), *model), threads);
    fit.title = first.title;
    fit.config_text = first.config_text;
    fit.spectrum.history.push_back(format("merged {} runs with the seeds {}", files.size(), seeds));
    const std::vector<std::string> coverage = coverage_warnings(*model, fit.spectrum);
    fit.warnings.insert(fit.warnings.begin(), coverage.begin(), coverage.end());
    return fit;
}

}  // namespace aliquot::spectra
