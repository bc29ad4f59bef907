#include <cstdio>
#include <nlohmann/json.hpp>

#include "aliquot/spectra/fit_reader.hpp"
#include "app/commands.hpp"
#include "app/summary_table.hpp"

namespace aliquot::app {

int run(const ShowCommand& command) {
    const spectra::FitFile fit = spectra::read_fit(command.file);
    if (command.config) {
        std::fputs(fit.config_text.c_str(), stdout);
        return 0;
    }
    if (command.json) {
        std::fputs(fit.summary_text.c_str(), stdout);
        return 0;
    }
    const nlohmann::json summary = nlohmann::json::parse(fit.summary_text);
    print_summary(summary);
    for (const auto& warning : summary["warnings"])
        std::printf("warning: %s\n", warning.get<std::string>().c_str());
    return 0;
}

}  // namespace aliquot::app
