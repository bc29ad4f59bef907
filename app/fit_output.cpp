#include "app/fit_output.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/fit_file.hpp"
#include "aliquot/spectra/report.hpp"
#include "app/summary_table.hpp"

namespace aliquot::app {

void write_and_tell(const spectra::Fit& fit, const std::filesystem::path& out, const FitTelling& telling) {
    const std::string summary = spectra::summary_json(fit);
    spectra::write_fit(fit, (out / "fit.fits").string());
    io::write_file(out / "summary.json", summary);
    spectra::write_report(fit, (out / "report.html").string());
    if (telling.json) {
        std::fputs(summary.c_str(), stdout);
    } else if (!telling.quiet) {
        print_summary(nlohmann::json::parse(summary));
        std::printf("\nwrote %s, %s and %s\n", (out / "fit.fits").c_str(), (out / "summary.json").c_str(),
                    (out / "report.html").c_str());
    }
    if (telling.quiet) return;
    for (std::size_t i = telling.warnings_told; i < fit.warnings.size(); ++i)
        std::fprintf(stderr, "warning: %s\n", fit.warnings[i].c_str());
}

}  // namespace aliquot::app
