#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/infer/chain_files.hpp"
#include "aliquot/spectra/fit_reader.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

namespace {

using Writer = std::vector<std::filesystem::path> (*)(const infer::NestedResult&, const std::vector<infer::ChainParameter>&,
                                                      const std::vector<infer::DerivedChain>&, const std::filesystem::path&);

Writer writer(const std::string& format_name) {
    if (format_name == "polychord") return infer::write_polychord;
    if (format_name == "getdist") return infer::write_getdist;
    if (format_name == "csv") return infer::write_equal_weight_csv;
    const std::vector<std::string> known{"polychord", "getdist", "csv"};
    throw Error(ExitCode::usage, format("--format {} (unknown){}", format_name, suggest(format_name, known)));
}

}  // namespace

int run(const ExportCommand& command) {
    std::vector<Writer> writers;
    for (const std::string& name : command.formats)
        writers.push_back(writer(name));
    const spectra::FitFile fit = spectra::read_fit(command.file);
    const std::filesystem::path root =
        command.out.empty() ? std::filesystem::path(command.file).replace_extension() : std::filesystem::path(command.out);
    if (fit.run.method == infer::Method::quick &&
        std::find(writers.begin(), writers.end(), Writer{infer::write_polychord}) != writers.end())
        throw DataError(
            format("{} is a quick fit (its samples were not born and did not die, which PolyChord's files tell): use "
                   "getdist or csv",
                   command.file));
    for (const Writer write : writers) {
        for (const std::filesystem::path& path : write(fit.run, fit.parameters, fit.derived, root)) {
            if (!command.quiet) std::printf("wrote %s\n", path.c_str());
        }
    }
    return 0;
}

}  // namespace aliquot::app
