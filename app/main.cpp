#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "aliquot/core/error.hpp"
#include "aliquot/core/version.hpp"
#include "app/commands.hpp"

namespace {

using aliquot::ExitCode;

constexpr const char* footer =
    "Exit codes: 0 ok, 64 usage, 65 data, 66 no input, 70 internal, 74 input/output, 75 stopped at a limit with the result "
    "kept,\n"
    "78 configuration, 130 interrupted.";

int fail(ExitCode code, const std::string& message) {
    std::fprintf(stderr, "aliquot: %s\n", message.c_str());
    return static_cast<int>(code);
}

void add_fit(CLI::App& app, aliquot::app::FitCommand& command) {
    CLI::App* fit = app.add_subcommand("fit", "Fit a spectrum: posterior, evidence and a report page");
    fit->add_option("config", command.config, "TOML file with [input], [model] and [sampler]; see examples/")->required();
    fit->add_option("--out", command.out,
                    "folder for fit.fits, summary.json and report.html (default: the configuration's name + \"_fit\")");
    fit->add_option("--data", command.data, "folder in which files named in the configuration are looked for too");
    fit->add_option("--seed", command.seed, "seed of all random numbers (default: sampler.seed of the configuration, or 1)");
    fit->add_option("--threads", command.threads, "threads to use (default: all cores); the result does not depend on it");
    fit->add_option("--set", command.overrides, "override one key, as in sampler.nlive=400; may be given several times")
        ->allow_extra_args(false);
    fit->add_option("--ess", command.effective_samples,
                    "add samples where the posterior is until it is worth so many independent ones");
    CLI::Option* resume = fit->add_flag(
        "--resume", command.resume,
        "continue a fit that was stopped or killed from the checkpoint in its folder; the result is that of one go");
    CLI::Option* verify =
        fit->add_flag("--verify", command.verify, "run again with twice the slices and another seed, and compare the evidences");
    fit->add_flag("--quick", command.quick,
                  "search the peaks and sample around them, in a second or few: not nested sampling, modes can be missed")
        ->excludes(resume)
        ->excludes(verify);
    fit->add_flag("--json", command.json, "print summary.json on standard output");
    fit->add_flag("--quiet", command.quiet, "no progress and no table");
}

void add_merge(CLI::App& app, aliquot::app::MergeCommand& command) {
    CLI::App* merge =
        app.add_subcommand("merge", "Combine fits of one problem with different seeds into one with a smaller error");
    merge->add_option("files", command.files, "two or more fit.fits")->required();
    merge->add_option("--out", command.out, "folder for fit.fits, summary.json and report.html")->required();
    merge->add_option("--data", command.data, "folder in which files named in the configuration are looked for");
    merge->add_option("--threads", command.threads, "threads to use (default: all cores); the result does not depend on it");
    merge->add_flag("--json", command.json, "print summary.json on standard output");
    merge->add_flag("--quiet", command.quiet, "no table and no warnings");
}

void add_show(CLI::App& app, aliquot::app::ShowCommand& command) {
    CLI::App* show = app.add_subcommand("show", "Print what a fit has found");
    show->add_option("file", command.file, "fit.fits")->required();
    auto* json = show->add_flag("--json", command.json, "its summary.json");
    show->add_flag("--config", command.config, "the configuration it was made with, to be fitted again or changed")
        ->excludes(json);
}

void add_export(CLI::App& app, aliquot::app::ExportCommand& command) {
    CLI::App* chains = app.add_subcommand("export", "Write a fit's samples for other programs");
    chains->add_option("file", command.file, "fit.fits")->required();
    chains
        ->add_option("--format", command.formats, "polychord (for anesthetic), getdist or csv (equal weights); several by commas")
        ->required()
        ->delimiter(',');
    chains->add_option("--out", command.out, "what the files' names begin with (default: the fit's path without its ending)");
    chains->add_flag("--quiet", command.quiet, "do not say what was written");
}

void add_collapse(CLI::App& app, aliquot::app::CollapseCommand& command) {
    CLI::App* collapse = app.add_subcommand("collapse", "Turn draws into layers: mode, intervals, exceedance, shortfall, scores");
    collapse
        ->add_option("paths", command.paths, "folders of y_pred.npy + identifiers.npz, .npy, .npz, HDF5, FITS, fit.fits, raw, -")
        ->required();
    collapse->add_option("--out", command.out, "folder for the layers, collapse.json and report.html")->required();
    auto* layers =
        collapse->add_option("--layers", command.layers, "layers by name, as in map,p_any,hdi90_upper,p_gt_25,es_05,q50")
            ->delimiter(',');
    collapse->add_option("--preset", command.preset, "report (default) or delivery")->excludes(layers);
    collapse->add_option("--targets", command.targets, "only these targets of the folders given")->delimiter(',');
    collapse->add_option("--times", command.times, "only these times, as in 541,543:552 (ends included)")->delimiter(',');
    collapse->add_option("--rows", command.rows, "only rows FIRST:END, counted from 0, the end excluded");
    collapse->add_option("--memory", command.memory, "memory for buffers, as in 64M or 1G (default 256M)");
    collapse->add_option("--threads", command.threads, "threads to use (default: all cores); the result does not depend on it");
    collapse->add_option("--nonfinite", command.non_finite, "draws that are NaN or infinite: raise (default), omit, propagate");
    collapse->add_option("--format", command.format, "npy (default: one per layer), csv, ecsv, hdf5 or fits (one table)");
    collapse->add_option("--shape", command.shape, "ROWS,DRAWS of raw float32 data");
    collapse->add_option("--sample-axis", command.sample_axis, "axis that counts the draws: last (default) or first");
    collapse->add_option("--level", command.level, "units are pgm (PRIO-GRID cells), cm (countries), none, or auto (default)");
    collapse->add_option("--tip-mass", command.tip_mass, "mass of the floor whose median is the layer map (default 0.25)");
    collapse->add_option("--zero-cutoff", command.zero_cutoff,
                         "rows whose greatest draw is at most this count as zero (default: off)");
    collapse->add_option("--observed", command.observed, "observed value of each row, for scores");
    collapse->add_option("--mapping", command.mapping,
                         "table unit,target (or time,unit,target): also sum draws to these targets");
    collapse->add_option("--reconcile", command.totals, "frame of the mapping's targets that the draws are made to sum to");
    collapse->add_flag("--no-report", command.no_report, "no report.html");
    collapse->add_flag("--json", command.json, "print collapse.json on standard output");
    collapse->add_flag("--quiet", command.quiet, "no progress and no table");
}

void add_mock(CLI::App& app, aliquot::app::MockAgnCommand& command, aliquot::app::MockFrameCommand& frame_command) {
    CLI::App* mock = app.add_subcommand("mock", "Make a synthetic input with known truth");
    mock->require_subcommand(1);
    CLI::App* agn = mock->add_subcommand("agn", "A Seyfert spectrum around H beta and [O III]; fit it with examples/mock.toml");
    agn->add_option("--seed", command.seed, "seed of the noise (default 1)");
    agn->add_option("--out", command.out, "FITS file to write; the truth goes beside it as .truth.json")->required();
    CLI::App* frame = mock->add_subcommand("frame", "Draws of a forecast, to be tried with aliquot collapse");
    frame->add_option("--rows", frame_command.rows, "rows: months times PRIO-GRID cells (default 10000)");
    frame->add_option("--draws", frame_command.draws, "draws per row (default 1000)");
    frame->add_option("--kind", frame_command.kind, "zi60, conflict (default), dense or count");
    frame->add_option("--seed", frame_command.seed, "seed of the draws (default 1)");
    frame->add_option("--out", frame_command.out, "folder for y_pred.npy and identifiers.npz")->required();
}

void add_cluster(CLI::App& app, aliquot::app::ClusterCommand& command) {
    CLI::App* cluster =
        app.add_subcommand("cluster", "Draw a star cluster exactly from an equilibrium model, or tabulate the model");
    cluster
        ->add_option("config", command.config,
                     "TOML file with [model], [scale], [stars] and [binaries]; see examples/ and docs/cluster.md")
        ->required();
    cluster->add_option("--out", command.out, "file of stars to write");
    cluster->add_option("--format", command.format,
                        "csv, ecsv, amuse, nbody6, nbody6++, petar, petar-snapshot or gadget (default: by the file's name)");
    cluster->add_option("--profile", command.profile, "CSV file for the model's profiles; without --out no stars are drawn");
    cluster->add_option("--report", command.report, "HTML page that shows the stars against the model");
    cluster->add_option("--n", command.n, "number of stars (default: stars.n of the configuration)");
    cluster->add_option("--seed", command.seed, "seed of all random numbers (default: seed of the configuration, or 1)");
    cluster
        ->add_option("--realizations", command.realizations,
                     "clusters to draw from the one model, with seeds from --seed on, into numbered files")
        ->check(CLI::PositiveNumber);
    cluster->add_option("--threads", command.threads, "threads to use (default: all cores); the result does not depend on it");
    cluster->add_option("--set", command.overrides, "override one key, as in model.W0=7; may be given several times")
        ->allow_extra_args(false);
    cluster->add_flag("--json", command.json, "print what was drawn as JSON");
    cluster->add_flag("--quiet", command.quiet, "no progress, table and warnings");
}

void add_virial(CLI::App& app, aliquot::app::VirialCommand& command) {
    CLI::App* virial = app.add_subcommand("virial", "Energies and virial ratio of a star cluster, exact over all pairs");
    virial->add_option("file", command.file, "stars: CSV, ECSV, AMUSE, NBODY6, NBODY6++, PeTar or Gadget; see docs/virial.md")
        ->required();
    virial->add_option("--format", command.format, "format of the file (default: by its name)");
    virial->add_option("--units", command.units, "pc-msun-kms, pc-msun-myr or henon (default: as the file says)");
    virial->add_option("--softening", command.softening, "Plummer softening length, in the file's unit of length (default 0)");
    virial->add_option("--groups", command.groups, "virial ratios of this many groups of equal number, light to heavy");
    virial->add_option("--gradient", command.gradient, "CSV file for accelerations, potentials and the ratio's gradient");
    virial->add_option("--method", command.method, "direct (default) or tree: multipoles with a bound, for very many stars");
    virial->add_option("--tolerance", command.tolerance, "largest relative error of the tree's potential energy (default 1e-6)");
    virial->add_option("--threads", command.threads, "threads to use (default: all cores); the result does not depend on it");
    virial->add_flag("--json", command.json, "print the result as JSON");
    virial->add_flag("--quiet", command.quiet, "no table and no warnings");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("aliquot: science by sampling", "aliquot");
    app.require_subcommand(1);
    app.footer(footer);
    app.set_version_flag("--version", std::string("aliquot ") + aliquot::version);
    aliquot::app::FitCommand fit;
    aliquot::app::MergeCommand merge;
    aliquot::app::ExportCommand chains;
    aliquot::app::ShowCommand show;
    aliquot::app::MockAgnCommand mock;
    aliquot::app::MockFrameCommand mock_frame;
    aliquot::app::ClusterCommand cluster;
    aliquot::app::CollapseCommand collapse;
    aliquot::app::VirialCommand virial;
    bool info_json = false;
    add_fit(app, fit);
    add_merge(app, merge);
    add_export(app, chains);
    add_show(app, show);
    add_cluster(app, cluster);
    add_virial(app, virial);
    add_collapse(app, collapse);
    add_mock(app, mock, mock_frame);
    CLI::App* info = app.add_subcommand("info", "Version, instruction sets and threads of this machine");
    info->add_flag("--json", info_json, "as JSON");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        return fail(ExitCode::usage, std::string(error.what()) + " (see aliquot --help)");
    }
    try {
        if (app.got_subcommand("fit")) return aliquot::app::run(fit);
        if (app.got_subcommand("merge")) return aliquot::app::run(merge);
        if (app.got_subcommand("export")) return aliquot::app::run(chains);
        if (app.got_subcommand("show")) return aliquot::app::run(show);
        if (app.got_subcommand("cluster")) return aliquot::app::run(cluster);
        if (app.got_subcommand("collapse")) return aliquot::app::run(collapse);
        if (app.got_subcommand("mock"))
            return app.get_subcommand("mock")->got_subcommand("frame") ? aliquot::app::run(mock_frame) : aliquot::app::run(mock);
        if (app.got_subcommand("virial")) return aliquot::app::run(virial);
        return aliquot::app::run_info(info_json);
    } catch (const aliquot::Error& error) {
        return fail(error.exit_code(), error.what());
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::io,
                    "out of memory (the work does not fit this machine): close other programs or make the problem smaller");
    } catch (const std::exception& error) {
        return fail(ExitCode::internal, std::string(error.what()) + " (this is a fault of aliquot, please report it)");
    }
}
