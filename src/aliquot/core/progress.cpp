#include "aliquot/core/progress.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/format.hpp"

namespace aliquot {

std::string format_duration(double seconds) {
    if (!(seconds >= 0.0) || !std::isfinite(seconds)) return "?";
    if (seconds < 60.0) return format("{:.1f} s", seconds);
    const long long whole = std::llround(seconds);
    if (whole < 3600) return format("{} min {:02d} s", whole / 60, whole % 60);
    return format("{} h {:02d} min", whole / 3600, whole % 3600 / 60);
}

std::string format_count(double count) {
    if (count < 1e4) return format("{:.0f}", count);
    if (count < 1e6) return format("{:.1f}k", count * 1e-3);
    if (count < 1e9) return format("{:.2f}M", count * 1e-6);
    return format("{:.2f}G", count * 1e-9);
}

ProgressPrinter::ProgressPrinter(std::FILE* stream, bool terminal, double log_interval_s)
    : stream_(stream), terminal_(terminal), log_interval_s_(log_interval_s) {}

ProgressPrinter::~ProgressPrinter() {
    finish();
}

std::string ProgressPrinter::describe(const Progress& progress, double seconds) {
    std::string text =
        format("{} {:3.0f} %  {} {}", progress.label, 100.0 * progress.fraction, format_count(progress.count), progress.unit);
    if (seconds > 0.0) text += format("  {}/s", format_count((progress.count - progress.count_before) / seconds));
    const double gained = progress.fraction - progress.fraction_before;
    if (gained > 0.01 && progress.fraction < 1.0)
        text += format("  {} left", format_duration(seconds * (1.0 - progress.fraction) / gained));
    if (!progress.detail.empty()) text += "  " + progress.detail;
    return text;
}

void ProgressPrinter::operator()(const Progress& progress) {
    const double now_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (now_s - last_shown_s_ < (terminal_ ? 0.1 : log_interval_s_)) return;
    if (!terminal_ && last_shown_s_ < 0.0 && now_s < log_interval_s_) return;
    last_shown_s_ = now_s;
    if (!terminal_) {
        std::fprintf(stream_, "%s\n", describe(progress, now_s).c_str());
        std::fflush(stream_);
        return;
    }
    constexpr int width = 24;
    const int filled = static_cast<int>(std::clamp(progress.fraction, 0.0, 1.0) * width);
    std::string bar(static_cast<std::size_t>(filled), '=');
    bar.resize(width, ' ');
    std::fprintf(stream_, "\r\033[K[%s] %s", bar.c_str(), describe(progress, now_s).c_str());
    std::fflush(stream_);
    line_open_ = true;
}

void ProgressPrinter::finish() {
    if (!line_open_) return;
    std::fprintf(stream_, "\r\033[K");
    std::fflush(stream_);
    line_open_ = false;
}

}  // namespace aliquot
