#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace aliquot::infer {

/// p-value of the one-sample Kolmogorov-Smirnov test that `values` are uniform on (0, 1) (asymptotic with Stephens' correction; 1
/// if empty).
[[nodiscard]] double uniform_p_value(std::vector<double> values);

/// Correlation of the ranks at which chains start and end, ranks scaled to (0, 1). Chains long enough to forget their start give
/// 0; a correlation above 0.01 says that new points still remember where they came from.
class RankCorrelation {
  public:
    RankCorrelation() = default;
    /// What sum() and count() gave, for a run that is continued.
    RankCorrelation(double sum, std::size_t count) : sum_(sum), count_(count) {}

    void add(double start_rank, double end_rank) {
        sum_ += (start_rank - 0.5) * (end_rank - 0.5);
        ++count_;
    }
    void reset() { *this = RankCorrelation{}; }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] double sum() const { return sum_; }
    [[nodiscard]] double value() const { return count_ > 0 ? 12.0 * sum_ / static_cast<double>(count_) : 0.0; }
    /// Standard error of value() where there is no correlation: 1 / sqrt(count).
    [[nodiscard]] double error() const;

  private:
    double sum_ = 0.0;
    std::size_t count_ = 0;
};

}  // namespace aliquot::infer
