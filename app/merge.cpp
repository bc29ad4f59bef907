#include <filesystem>

#include "aliquot/core/parallel.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/fit_reader.hpp"
#include "app/commands.hpp"
#include "app/fit_output.hpp"

namespace aliquot::app {

int run(const MergeCommand& command) {
    std::vector<spectra::FitFile> files;
    for (const std::string& file : command.files)
        files.push_back(spectra::read_fit(file));
    Threads threads(command.threads);
    const spectra::Fit fit = spectra::merge_fits(files, command.data, threads);
    const std::filesystem::path out = command.out;
    io::ensure_directory(out);
    write_and_tell(fit, out, {.json = command.json, .quiet = command.quiet});
    return 0;
}

}  // namespace aliquot::app
