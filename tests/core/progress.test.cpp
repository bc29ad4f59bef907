#include "aliquot/core/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aliquot {
namespace {

TEST(FormatDuration, ReadsNaturally) {
    EXPECT_EQ(format_duration(4.2), "4.2 s");
    EXPECT_EQ(format_duration(185.0), "3 min 05 s");
    EXPECT_EQ(format_duration(7800.0), "2 h 10 min");
    EXPECT_EQ(format_duration(std::nan("")), "?");
}

TEST(FormatCount, TakesPrefixes) {
    EXPECT_EQ(format_count(950), "950");
    EXPECT_EQ(format_count(12345), "12.3k");
    EXPECT_EQ(format_count(4.56e6), "4.56M");
    EXPECT_EQ(format_count(7.1e9), "7.10G");
}

TEST(ProgressPrinter, DescribesRateAndTimeLeft) {
    const Progress half{"fit", 0.5, 20000, "calls", "ln Z = -1.00"};
    EXPECT_EQ(ProgressPrinter::describe(half, 10.0), "fit  50 %  20.0k calls  2000/s  10.0 s left  ln Z = -1.00");
    const Progress continued{"fit", 0.5, 20000, "calls", "", 0.4, 10000};
    EXPECT_EQ(ProgressPrinter::describe(continued, 10.0), "fit  50 %  20.0k calls  1000/s  50.0 s left");
    EXPECT_EQ(ProgressPrinter::describe({"fit", 0.0, 0, "calls", ""}, 0.0), "fit   0 %  0 calls");
}

std::string printed(bool terminal, double log_interval, int reports) {
    std::FILE* file = std::tmpfile();
    {
        ProgressPrinter printer(file, terminal, log_interval);
        for (int i = 0; i < reports; ++i)
            printer({"fit", 0.1 * i, 10.0 * i, "calls", ""});
    }
    std::rewind(file);
    std::string text;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
        text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

TEST(ProgressPrinter, RedrawsATerminalLineAndCleansUp) {
    const std::string text = printed(true, 10.0, 3);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(text.substr(0, 4), "\r\033[K");
    EXPECT_NE(text.find('['), std::string::npos);
    EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
}

TEST(ProgressPrinter, ALogIsQuietForShortWork) {
    EXPECT_EQ(printed(false, 10.0, 5), "");
    EXPECT_NE(printed(false, 0.0, 2).find("10 calls"), std::string::npos);
}

}  // namespace
}  // namespace aliquot
