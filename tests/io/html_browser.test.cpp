#include <gtest/gtest.h>

#include <cstdlib>

#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/html_page.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

TEST(HtmlBrowser, ChromiumDrawsThePlots) {
    if (std::system("command -v chromium > /dev/null 2>&1") != 0) GTEST_SKIP() << "chromium is not installed";
    const test::ScratchDirectory scratch;
    HtmlPage page("A page");
    page.section("first", "First");
    page.plot("figure", R"([{"x": [1, 2, 3], "y": [1, 4, null]}])", R"({"title": {"text": "squares"}})", 300);
    page.write(scratch / "page.html");
    const std::string command = "HOME=" + (scratch / "home").string() +
                                " chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --dump-dom file://" +
                                (scratch / "page.html").string() + " > " + (scratch / "dom.html").string() + " 2> /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string dom = read_file(scratch / "dom.html");
    EXPECT_NE(dom.find("class=\"main-svg\""), std::string::npos);
    EXPECT_NE(dom.find(">squares</text>"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::io
