#include <gtest/gtest.h>

#include <cstdlib>

#include "aliquot/io/atomic_file.hpp"
#include "aliquot/spectra/report.hpp"
#include "support/files.hpp"
#include "support/synthetic_fit.hpp"

namespace aliquot::spectra {
namespace {

TEST(ReportBrowser, ChromiumDrawsEveryPlotWithoutComplaint) {
    if (std::system("command -v chromium > /dev/null 2>&1") != 0) GTEST_SKIP() << "chromium is not installed";
    const test::ScratchDirectory scratch;
    write_report(test::synthetic_fit(700), (scratch / "report.html").string());
    const std::string command = "HOME=" + (scratch / "home").string() +
                                " chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr"
                                " --virtual-time-budget=20000 --dump-dom file://" +
                                (scratch / "report.html").string() + " > " + (scratch / "dom.html").string() + " 2> " +
                                (scratch / "log.txt").string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string log = io::read_file(scratch / "log.txt");
    EXPECT_EQ(log.find("CONSOLE"), std::string::npos) << log;
    const std::string dom = io::read_file(scratch / "dom.html");
    for (const char* plot : {"plot-fit", "plot-lines-0", "plot-marginals", "plot-corner", "plot-run"}) {
        const std::size_t at = dom.find(std::string("id=\"") + plot + "\"");
        ASSERT_NE(at, std::string::npos) << plot;
        EXPECT_NE(dom.substr(at, 4000).find("main-svg"), std::string::npos) << plot;
    }
    const std::string body = dom.substr(dom.find("<body"));
    for (const char* words :
         {"A &lt;synthetic&gt; fit", ">rest wavelength (Å, vacuum)</text>", "broad Hβ", ">residual / σ</text>"})
        EXPECT_NE(body.find(words), std::string::npos) << words;
    const std::string entry = "class=\"legendtext\"";
    std::size_t entries = 0;
    for (std::size_t at = body.find(entry); at != std::string::npos; at = body.find(entry, at + 1))
        ++entries;
    EXPECT_EQ(entries, 6U + 2U);  // data, four components and the model; the run's two curves
}

}  // namespace
}  // namespace aliquot::spectra
