#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

namespace aliquot {

/// How far a long piece of work is. The library reports; who shows it decides how.
struct Progress {
    std::string label;             ///< what is being done, "fit"
    double fraction = 0.0;         ///< done, 0 to 1
    double count = 0.0;            ///< units done so far
    std::string unit;              ///< name of a unit, "calls"
    std::string detail;            ///< one short phrase, "ln Z = -12.3"
    double fraction_before = 0.0;  ///< what an earlier start had done, which this one's rate owes nothing to
    double count_before = 0.0;
};

using ProgressCallback = std::function<void(const Progress&)>;

/// Seconds as people read them: "4.2 s", "3 min 05 s", "2 h 10 min".
[[nodiscard]] std::string format_duration(double seconds);
/// A count with a unit prefix: "950", "12.3k", "4.56M".
[[nodiscard]] std::string format_count(double count);

/// Shows progress with rate and time left: a bar redrawn in place on a terminal, a line now and then elsewhere.
class ProgressPrinter {
  public:
    /// `terminal` redraws one line at most ten times a second; otherwise a line is written every `log_interval_s`.
    ProgressPrinter(std::FILE* stream, bool terminal, double log_interval_s = 10.0);
    ProgressPrinter(const ProgressPrinter&) = delete;
    ProgressPrinter& operator=(const ProgressPrinter&) = delete;
    ~ProgressPrinter();

    void operator()(const Progress& progress);
    /// Leave the terminal's line clean; called by the destructor too.
    void finish();

    /// The text of one report after `seconds`, without the bar; separate so that it can be tested.
    [[nodiscard]] static std::string describe(const Progress& progress, double seconds);

  private:
    std::FILE* stream_;
    bool terminal_;
    double log_interval_s_;
    bool line_open_ = false;
    double last_shown_s_ = -1e9;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace aliquot
