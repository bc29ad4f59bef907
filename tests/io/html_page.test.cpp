#include "aliquot/io/html_page.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace aliquot::io {
namespace {

HtmlPage example() {
    HtmlPage page("A <fit> & more");
    page.section("first", "First");
    page.html("<p>5 &lt; 6</p>");
    page.plot("figure", R"([{"x": [1, 2, 3], "y": [1, 4, null], "name": )" + json_string("</script><b>") + "}]",
              R"({"title": {"text": "squares"}})", 300);
    page.section("second", "Second");
    return page;
}

TEST(HtmlPage, TextIsEscaped) {
    EXPECT_EQ(escape_html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(json_string("a\"b\\\n<"), "\"a\\\"b\\\\\\u000a\\u003c\"");
    EXPECT_EQ(json_numbers({1.0, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 0.5}),
              "[1,null,null,0.5]");
}

TEST(HtmlPage, CarriesEverythingItNeeds) {
    const std::string text = example().text();
    EXPECT_NE(text.find("plotly.js v"), std::string::npos);
    EXPECT_NE(text.find("<title>A &lt;fit&gt; &amp; more</title>"), std::string::npos);
    EXPECT_NE(text.find("<a href=\"#first\">"), std::string::npos);
    EXPECT_NE(text.find("<h2 id=\"second\">"), std::string::npos);
    // Nothing is loaded from elsewhere: outside the library there is no src, no stylesheet link, no address.
    const std::size_t library = text.find("plotly.js v");
    const std::size_t end = text.find("</script>", library);
    const std::string own = text.substr(0, library) + text.substr(end);
    EXPECT_EQ(own.find("src="), std::string::npos);
    EXPECT_EQ(own.find("http"), std::string::npos);
    // A text can end neither the script nor the page: two scripts are opened, two closed.
    std::size_t closed = 0;
    for (std::size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at + 1))
        ++closed;
    EXPECT_EQ(closed, 2U);
}

}  // namespace
}  // namespace aliquot::io
