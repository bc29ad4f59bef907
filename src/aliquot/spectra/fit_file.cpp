#include "aliquot/spectra/fit_file.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/io/fits.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t equal_weight_draws = 10000;  // at most; fewer where the effective size is smaller

/// ln Z and H as they stood after each dead point.
struct Trajectory {
    std::vector<double> log_evidence;
    std::vector<double> error;
    std::vector<double> information;
};

Trajectory trajectory(const infer::NestedResult& run) {
    Trajectory t;
    double sum = 0.0;
    double weighted = 0.0;
    for (std::size_t i = 0; i < run.log_weight.size(); ++i) {
        const double weight = std::exp(run.log_weight[i]);
        sum += weight;
        weighted += weight > 0.0 ? weight * run.log_likelihood[i] : 0.0;
        const double log_evidence = run.log_evidence + std::log(sum);
        const double information = sum > 0.0 ? std::max(0.0, weighted / sum - log_evidence) : 0.0;
        t.log_evidence.push_back(log_evidence);
        t.information.push_back(information);
        t.error.push_back(std::sqrt(information / static_cast<double>(run.live_points)));
    }
    return t;
}

std::vector<io::FitsColumn> model_parameter_columns(const Fit& fit) {
    std::vector<std::string> names;
    std::vector<double> values = fit.model->expand(fit.theta_best);
    std::vector<bool> fixed;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<std::string> tied;
    const auto& parameters = fit.model->parameters();
    for (const Parameter& parameter : parameters) {
        names.push_back(parameter.full_name);
        fixed.push_back(parameter.fixed);
        low.push_back(parameter.lower);
        high.push_back(parameter.upper);
        tied.push_back(parameter.tied_to ? format("{} / {} + {}", parameters[*parameter.tied_to].full_name, parameter.tie_ratio,
                                                  parameter.tie_offset)
                                         : "");
    }
    return {{"PARAM_NAME", names, ""}, {"VALUE", values, ""},  {"FIXED", fixed, ""},
            {"BOUND_LOW", low, ""},    {"BOUND_UP", high, ""}, {"TIED", tied, ""}};
}

void write_parameters(const Fit& fit, io::FitsWriter& file) {
    std::vector<std::string> short_names;
    std::vector<std::string> full_names;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<bool> log_scale;
    for (const std::size_t index : fit.model->free()) {
        const Parameter& parameter = fit.model->parameters()[index];
        short_names.push_back(parameter.short_name);
        full_names.push_back(parameter.full_name);
        const bool log10_scale = parameter.prior->logarithmic();
        log_scale.push_back(log10_scale);
        low.push_back(log10_scale ? std::log10(parameter.prior->lower()) : parameter.prior->lower());
        high.push_back(log10_scale ? std::log10(parameter.prior->upper()) : parameter.prior->upper());
    }
    file.table("PARAM_NAMES", std::vector<io::FitsColumn>{{"PARAM_NAME", short_names, ""}});
    file.table("FULL_PARAM", std::vector<io::FitsColumn>{{"FULL_PARAM_NAME", full_names, ""}});
    file.table("PARAM_BOUNDS", std::vector<io::FitsColumn>{{"BOUND_LOWER", low, ""}, {"BOUND_UPPER", high, ""}});
    file.table("LOG_SCALE_PARAMS", std::vector<io::FitsColumn>{{"LOG_SCALE", log_scale, ""}});
    file.table("MODEL_PARAM", model_parameter_columns(fit));
    std::vector<std::string> components;
    std::vector<std::string> classes;
    for (const Model::Leaf& leaf : fit.model->leaves()) {
        components.push_back(leaf.name);
        classes.emplace_back(leaf.component->type());
    }
    file.table("SUBMODELS", std::vector<io::FitsColumn>{{"SUBMODEL_NAME", components, ""}, {"CLASS_NAME", classes, ""}});
}

}  // namespace

void write_fit(const Fit& fit, const std::string& path) {
    const infer::NestedResult& run = fit.run;
    io::FitsWriter file(path);
    file.card("ALIQUOT", std::string(version), "version of aliquot that made this file");
    file.card("NDIM", static_cast<std::int64_t>(run.dimension), "free parameters");
    file.card("NLIVE", static_cast<std::int64_t>(run.live_points), "live points");
    file.card("SAMPLE_METHOD", std::string(run.method == infer::Method::quick ? quick_method : nested_method),
              "slice: nested sampling; importance: a quick fit");
    file.card("SEED", format("{}", run.seed), "of all random numbers");
    file.card("DLOGZ", run.dlogz, "stopping tolerance");
    file.card("STATUS", std::string(infer::to_string(run.status)), "how the run ended");
    file.card("LOG_EVIDENCE", run.log_evidence, "ln Z");
    file.card("LOG_EVIDENCE_ERR", run.log_evidence_error, "its standard deviation");
    file.card("LNZQUOTE", fit.verdict.log_evidence, "ln Z that is quoted");
    file.card("LNZQERR", fit.verdict.log_evidence_error, "its standard deviation");
    file.card("LNZFROM", std::string(infer::to_string(fit.verdict.source)), "where it comes from");
    file.card("TRUSTED", fit.verdict.trusted, "diagnostics clean and a second estimate agrees");
    file.card("LOGVOL0", run.log_start_volume, "ln of the prior's share with finite ln L");
    file.card("LOGVOL0E", run.log_start_volume_sd, "its standard deviation");
    file.card("INFORM", run.information, "information H, nats");
    file.card("NITER", static_cast<std::int64_t>(run.iterations), "iterations (dead points)");
    file.card("NCALL", static_cast<std::int64_t>(run.likelihood_calls), "likelihood calls");
    file.card("RUNTIME", run.seconds, "seconds");
    file.card("CHI2BEST", fit.chi2_best, "chi-square of THETA_BEST");
    file.card("LNLBEST", fit.log_likelihood_best, "ln L of THETA_BEST");
    file.card("FLUXUNIT", fit.spectrum.flux_unit, "unit of FLUX_USE and FERR");
    file.card("FLUXSCAL", fit.spectrum.flux_scale, "factor on the flux of the input file");
    file.card("REDSHIFT", fit.spectrum.redshift, "of the source");
    file.card("FRAME", std::string(fit.spectrum.frame == Frame::rest ? "rest" : "observed"), "of WAVE_USE");
    file.card("MEDIUM", std::string(fit.spectrum.medium == Medium::vacuum ? "vacuum" : "air"), "of WAVE_USE");

    file.image("WAVE_USE", fit.spectrum.wavelength_angstrom);
    file.image("FLUX_USE", fit.spectrum.flux);
    file.image("FERR", fit.spectrum.error);
    file.image("THETA_INIT", fit.model->theta());
    file.image("THETA_BEST", fit.theta_best);
    file.image("SAMPLES", run.samples.view());
    file.image("SAMPLES_U", run.unit_samples.view());
    file.image("LOGWT", run.log_weight);
    file.image("LOGL", run.log_likelihood);
    file.image("LOGBIRTH", run.log_birth);
    file.image("NLIVES", run.live_count);
    file.image("LOGVOL", run.log_volume);
    const Trajectory t = trajectory(run);
    file.image("LOGZ", t.log_evidence);
    file.image("LOGZERR", t.error);
    file.image("INFORMATION", t.information);
    const auto draws =
        std::clamp(static_cast<std::size_t>(run.diagnostics.effective_samples), std::size_t{1}, equal_weight_draws);
    const std::vector<std::size_t> rows = infer::equal_weight_rows(run.log_weight, draws, run.seed);
    Matrix<double> equal(0, run.dimension);
    for (const std::size_t row : rows)
        equal.append_row(run.samples.row(row));
    file.image("SAMPLES_EQ", std::as_const(equal).view());

    if (!fit.derived.empty()) {
        std::vector<io::FitsColumn> columns;
        for (const DerivedSummary& d : fit.derived)
            columns.push_back({d.definition.name, d.values, d.definition.unit});
        file.table("DERIVED", columns);
    }
    if (!fit.measured.empty()) {
        std::vector<std::int64_t> samples(fit.measured_rows.begin(), fit.measured_rows.end());
        std::vector<io::FitsColumn> columns{{"SAMPLE", std::move(samples), ""}};
        for (const MeasuredSummary& m : fit.measured)
            columns.push_back({format("{} {}", m.measured.of, m.measured.quantity), m.measured.values, m.measured.unit});
        file.table("MEASURED", columns);
    }
    write_parameters(fit, file);
    file.text("CONFIG", fit.config_text);
    file.text("SUMMARY", summary_json(fit));
    std::string history;
    for (const std::string& step : fit.spectrum.history)
        history += step + "\n";
    file.text("HISTORY", history);
    file.close();
}

}  // namespace aliquot::spectra
