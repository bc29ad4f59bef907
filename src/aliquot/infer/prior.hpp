#pragma once

#include <limits>
#include <span>
#include <string>

namespace aliquot::infer {

/// A one-dimensional prior as a map from (0, 1): u becomes the u-quantile.
class Prior {
  public:
    /// lower + (upper - lower) u
    [[nodiscard]] static Prior uniform(double lower, double upper);
    /// lower (upper / lower)^u, lower > 0
    [[nodiscard]] static Prior log_uniform(double lower, double upper);
    /// Normal, cut off and renormalised at `nsigma` standard deviations on both sides, not at all where it is infinite.
    [[nodiscard]] static Prior normal(double mean, double sigma, double nsigma = std::numeric_limits<double>::infinity());
    /// With probability p_spike exactly `spike`, otherwise this prior: u < p_spike is the spike, which must not lie above the
    /// lower end.
    [[nodiscard]] Prior with_spike(double p_spike, double spike) const;
    /// A normal prior cut off at these bounds too; others as they are.
    [[nodiscard]] Prior within(double lower, double upper) const;

    /// Throws ConfigError for bounds that are not finite, empty or reversed, or outside the prior's domain, a width that is not
    /// positive, a spike above the lower end or a probability outside (0, 1).
    void validate() const;
    [[nodiscard]] double transform(double u) const;
    /// The inverse of transform, 0 below the prior's range and 1 above; of a spike its upper end.
    [[nodiscard]] double cdf(double value) const;

    /// Ends of the range; those of a normal prior that is not cut off are as far as a double can tell from zero density.
    [[nodiscard]] double lower() const { return p_spike_ > 0.0 ? spike_ : lower_; }
    [[nodiscard]] double upper() const { return upper_; }
    /// Whether an end was set by somebody, and not by the reach of a normal law.
    [[nodiscard]] bool has_lower_end() const {
        return kind_ != Kind::normal || p_spike_ > 0.0 || mean_ - lower_ < farthest * sigma_;
    }
    [[nodiscard]] bool has_upper_end() const { return kind_ != Kind::normal || upper_ - mean_ < farthest * sigma_; }
    [[nodiscard]] bool logarithmic() const { return kind_ == Kind::log_uniform && p_spike_ == 0.0; }
    /// Probability of the spike; 0 where there is none.
    [[nodiscard]] double p_spike() const { return p_spike_; }
    [[nodiscard]] double spike() const { return spike_; }
    /// "Uniform(0.2, 1)"
    [[nodiscard]] std::string describe() const;

  private:
    enum class Kind { uniform, log_uniform, normal };
    static constexpr double farthest = 37.0;  // standard deviations: density 1e-300 of the peak
    Prior(Kind kind, double lower, double upper);
    void cut(double lower, double upper);

    Kind kind_;
    double lower_;
    double upper_;
    double range_ = 0.0;  // upper - lower, or ln(upper / lower)
    double mean_ = 0.0;
    double sigma_ = 1.0;
    // Of a normal law between its ends, on the side of the mean where probabilities are small (mirrored_: above it).
    bool mirrored_ = false;
    double first_ = 0.0;  // probability beyond the end at u = 0, or beyond that at u = 1 where mirrored
    double mass_ = 1.0;
    double p_spike_ = 0.0;
    double spike_ = 0.0;
};

/// k independent uniform numbers become k ascending ones that follow the law of k uniform numbers put in order: u_k = v_k^(1/k),
/// u_j = u_(j+1) v_j^(1/j). A prior that is symmetric in k parameters then covers one of their k! orders, and ln Z stays.
void sorted_uniforms(std::span<double> values);
/// The independent numbers that lead to these ascending ones.
void unsorted_uniforms(std::span<double> values);

}  // namespace aliquot::infer
