#pragma once

#include <span>
#include <string>

namespace aliquot::infer {

/// A one-dimensional prior as a map from (0, 1): u becomes the u-quantile.
class Prior {
  public:
    /// lower + (upper - lower) u
    [[nodiscard]] static Prior uniform(double lower, double upper) { return {Kind::uniform, lower, upper}; }
    /// lower (upper / lower)^u, lower > 0
    [[nodiscard]] static Prior log_uniform(double lower, double upper) { return {Kind::log_uniform, lower, upper}; }

    /// Throws ConfigError for bounds that are not finite, empty or reversed, or outside the prior's domain.
    void validate() const;
    [[nodiscard]] double transform(double u) const;
    /// The inverse of transform, 0 below the prior's range and 1 above.
    [[nodiscard]] double cdf(double value) const;

    [[nodiscard]] double lower() const { return lower_; }
    [[nodiscard]] double upper() const { return upper_; }
    [[nodiscard]] bool logarithmic() const { return kind_ == Kind::log_uniform; }
    /// "Uniform(0.2, 1)"
    [[nodiscard]] std::string describe() const;

  private:
    enum class Kind { uniform, log_uniform };
    Prior(Kind kind, double lower, double upper);

    Kind kind_;
    double lower_;
    double upper_;
    double range_;  // upper - lower, or ln(upper / lower)
};

/// k independent uniform numbers become k ascending ones that follow the law of k uniform numbers put in order: u_k = v_k^(1/k),
/// u_j = u_(j+1) v_j^(1/j). A prior that is symmetric in k parameters then covers one of their k! orders, and ln Z stays.
void sorted_uniforms(std::span<double> values);
/// The independent numbers that lead to these ascending ones.
void unsorted_uniforms(std::span<double> values);

}  // namespace aliquot::infer
