#include "aliquot/spectra/fit_config.hpp"

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/spectra/data_paths.hpp"
#include "aliquot/spectra/model_config.hpp"
#include "aliquot/spectra/spectrum_prepare.hpp"
#include "aliquot/spectra/spectrum_reader.hpp"

namespace aliquot::spectra {

namespace {

/// Run `body`; a ConfigError leaves with the place of `table` in front of it.
template <typename Body>
auto at_table(const io::ConfigTable& table, const Body& body) {
    try {
        return body();
    } catch (const ConfigError& error) {
        table.fail("", error.what());
    }
}

std::string choice(const io::ConfigTable& table, std::string_view key, const std::string& otherwise,
                   const std::vector<std::string>& known) {
    const auto value = table.get<std::string>(key, otherwise);
    if (std::find(known.begin(), known.end(), value) == known.end())
        table.fail(key, format("{} = \"{}\" (unknown){}", key, value, suggest(value, known)));
    return value;
}

std::optional<Medium> read_medium(const io::ConfigTable& table, std::string_view key) {
    if (!table.has(key)) return std::nullopt;
    return choice(table, key, "", {"vacuum", "air"}) == "air" ? Medium::air : Medium::vacuum;
}

/// A column is named by a string or a number from 1.
std::string read_column(const io::ConfigTable& table, std::string_view key) {
    if (table.kind(key) == io::ConfigKind::integer) return format("{}", table.require<std::int64_t>(key));
    return table.get<std::string>(key, "");
}

std::pair<double, double> range_of(const io::ConfigTable& table, std::string_view key, const std::vector<double>& values) {
    if (values.size() != 2) table.fail(key, format("{} takes two numbers, low and high end (here are {})", key, values.size()));
    return {values[0], values[1]};
}

ReadOptions read_options(const io::ConfigTable& table) {
    ReadOptions options;
    options.format =
        parse_spectrum_format(choice(table, "format", "auto", {"auto", "sdss", "fits-image", "fits-table", "ascii"}));
    options.hdu = table.find<std::size_t>("hdu");
    options.wavelength = read_column(table, "wavelength");
    options.flux = read_column(table, "flux");
    options.error = read_column(table, "error");
    options.wavelength_unit =
        table.has("wavelength_unit") ? choice(table, "wavelength_unit", "", {"angstrom", "nm", "micron"}) : "";
    options.log_wavelength = table.find<bool>("log_wavelength");
    for (const std::int64_t bit : table.get<std::vector<std::int64_t>>("mask_bits", {})) {
        if (bit < 0 || bit > 31) table.fail("mask_bits", format("bit {} in mask_bits (bits are 0 to 31)", bit));
        options.mask_bits |= std::uint32_t{1} << static_cast<std::uint32_t>(bit);
    }
    options.medium = read_medium(table, "medium");
    options.frame = choice(table, "frame", "observed", {"observed", "rest"}) == "rest" ? Frame::rest : Frame::observed;
    return options;
}

PrepareOptions prepare_options(const io::ConfigTable& table) {
    PrepareOptions options;
    options.flux_scale = table.get<double>("flux_scale", 1.0);
    options.flux_unit = table.get<std::string>("flux_unit", "");
    options.r_v = table.get<double>("r_v", 3.1);
    const auto a_v = table.find<double>("a_v");
    const auto reddening = table.find<double>("ebv");
    if (a_v && reddening) table.fail("ebv", "both a_v and ebv are given (a_v = r_v ebv): remove one");
    options.a_v = a_v ? *a_v : options.r_v * reddening.value_or(0.0);
    options.convert_to = read_medium(table, "convert_to");
    options.redshift = table.find<double>("redshift");
    options.rescale_flux = table.get<bool>("rescale_flux", false);
    if (const auto window = table.find<std::vector<double>>("window")) options.window = range_of(table, "window", *window);
    options.error_fraction = table.find<double>("error_fraction");
    const auto floor = table.find<double>("error_floor");
    options.error_floor = floor.value_or(0.0);
    if (floor && !options.error_fraction) options.error_fraction = 0.0;
    options.oversample = table.get<std::size_t>("oversample", 1);
    for (const std::vector<double>& mask : table.get<std::vector<std::vector<double>>>("mask", {}))
        options.masks.push_back(range_of(table, "mask", mask));
    return options;
}

FitOptions sampler_options(const io::ConfigTable& table) {
    FitOptions fit;
    infer::NestedOptions& options = fit.sampler;
    options.live_points = table.get<std::size_t>("nlive", options.live_points);
    options.dlogz = table.get<double>("dlogz", options.dlogz);
    options.seed = static_cast<std::uint64_t>(table.get<std::int64_t>("seed", 1));
    options.batch = table.get<std::size_t>("batch", 0);
    options.slices_per_dimension = table.get<double>("slices_per_dimension", options.slices_per_dimension);
    if (const auto calls = table.find<std::size_t>("max_calls")) options.max_calls = *calls;
    options.max_seconds = table.get<double>("max_seconds", options.max_seconds);
    options.checkpoint_seconds = table.get<double>("checkpoint_seconds", options.checkpoint_seconds);
    fit.effective_samples = table.get<double>("ess", 0.0);
    if (!(fit.effective_samples >= 0.0) || fit.effective_samples > 1e7)
        table.fail("ess", format("ess = {} (samples that the posterior is to be worth): give a number up to 10 million",
                                 fit.effective_samples));
    fit.second_opinion = table.get<bool>("second_opinion", true);
    table.finish();
    return fit;
}

/// One value for what does not change a run, whatever it was.
std::string without_caps(const std::string& text) {
    io::Config config = io::Config::parse(text, "configuration");
    for (const char* key : {"max_calls", "max_seconds", "checkpoint_seconds", "second_opinion", "ess"})
        config.set(format("sampler.{}=0", key));
    config.set("derived=0");
    config.set("measure=0");
    return config.to_toml();
}

}  // namespace

std::vector<std::string> coverage_warnings(const Model& model, const Spectrum& spectrum) {
    std::vector<std::string> all;
    for (const Model::Leaf& leaf : model.leaves()) {
        for (const std::string& warning :
             leaf.component->coverage_warnings(spectrum.wavelength_angstrom.front(), spectrum.wavelength_angstrom.back()))
            all.push_back(format("{}: {}", leaf.name, warning));
        for (std::size_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const Parameter& parameter = model.parameters()[i];
            if (!parameter.name.starts_with("wavec")) continue;
            if (parameter.value < spectrum.wavelength_angstrom.front() || parameter.value > spectrum.wavelength_angstrom.back())
                all.push_back(
                    format("{} = {:.2f} Angstrom lies outside the data ({:.1f} to {:.1f}): the line is hardly constrained",
                           parameter.full_name, parameter.value, spectrum.wavelength_angstrom.front(),
                           spectrum.wavelength_angstrom.back()));
        }
    }
    return all;
}

FitConfig read_fit_config(const io::Config& config, const std::filesystem::path& data_directory) {
    const DataPaths paths(config.directory(), data_directory);
    const io::ConfigTable root = config.root();
    const io::ConfigTable input = root.table("input");
    const auto file = input.require<std::string>("file");
    const ReadOptions reading = read_options(input);
    const PrepareOptions preparing = prepare_options(input);
    input.finish();

    FitConfig fit;
    fit.title = root.get<std::string>("title", file);
    fit.options = sampler_options(root.table("sampler"));
    fit.model = std::make_shared<const Model>(read_model(root.table("model"), paths));
    fit.options.derived = read_derived(root.table("derived"), *fit.model);
    fit.options.measure = read_measure(root.table("measure"), *fit.model);
    config.check_all_used();
    fit.spectrum = at_table(input, [&] { return prepare(read_spectrum(paths.resolve(file), reading), preparing); });
    if (fit.spectrum.size() < fit.model->dimension())
        throw DataError(
            format("{}: {} pixels for {} free parameters (fewer data than unknowns): widen the window or fix parameters",
                   fit.spectrum.source, fit.spectrum.size(), fit.model->dimension()));
    fit.warnings = coverage_warnings(*fit.model, fit.spectrum);
    fit.text = config.to_toml();
    fit.run_text = without_caps(fit.text);
    return fit;
}

}  // namespace aliquot::spectra
