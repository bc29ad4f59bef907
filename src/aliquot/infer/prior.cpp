#include "aliquot/infer/prior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/math/special_functions.hpp"

namespace aliquot::infer {

namespace {

/// Probability below z of the standard normal law.
double below(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

Prior::Prior(Kind kind, double lower, double upper) : kind_(kind), lower_(lower), upper_(upper) {}

Prior Prior::uniform(double lower, double upper) {
    Prior prior(Kind::uniform, lower, upper);
    prior.range_ = upper - lower;
    return prior;
}

Prior Prior::log_uniform(double lower, double upper) {
    Prior prior(Kind::log_uniform, lower, upper);
    prior.range_ = std::log(upper / lower);
    return prior;
}

Prior Prior::normal(double mean, double sigma, double nsigma) {
    const double reach = std::min(nsigma, farthest) * sigma;
    Prior prior(Kind::normal, mean - reach, mean + reach);
    prior.mean_ = mean;
    prior.sigma_ = sigma;
    prior.cut(prior.lower_, prior.upper_);
    return prior;
}

void Prior::cut(double lower, double upper) {
    lower_ = lower;
    upper_ = upper;
    const double low = (lower - mean_) / sigma_;
    const double high = (upper - mean_) / sigma_;
    mirrored_ = low + high > 0.0;
    first_ = mirrored_ ? below(-high) : below(low);
    mass_ = (mirrored_ ? below(-low) : below(high)) - first_;
}

Prior Prior::with_spike(double p_spike, double spike) const {
    Prior prior = *this;
    prior.p_spike_ = p_spike;
    prior.spike_ = spike;
    return prior;
}

Prior Prior::within(double lower, double upper) const {
    Prior prior = *this;
    if (kind_ == Kind::normal) prior.cut(std::max(lower_, lower), std::min(upper_, upper));
    return prior;
}

void Prior::validate() const {
    if (kind_ == Kind::normal && !(sigma_ > 0.0 && std::isfinite(sigma_) && std::isfinite(mean_)))
        throw ConfigError(format("{} (mean and width are finite numbers, the width positive): give such", describe()));
    if (!std::isfinite(lower_) || !std::isfinite(upper_))
        throw ConfigError(format("{} (its ends must be finite numbers): give two", describe()));
    if (!(lower_ < upper_))
        throw ConfigError(format("{} (empty or reversed): give the low end first, below the high end", describe()));
    if (kind_ == Kind::log_uniform && !(lower_ > 0.0))
        throw ConfigError(format("{} (a log-uniform prior lives on positive numbers): raise the low end above 0", describe()));
    if (kind_ == Kind::normal && !(mass_ > 0.0))
        throw ConfigError(
            format("{} between {} and {} (nothing of it lies there): move it or the bounds", describe(), lower_, upper_));
    if (p_spike_ == 0.0) return;
    if (!(p_spike_ > 0.0 && p_spike_ < 1.0))
        throw ConfigError(format("{} (p_spike = {} is no probability between 0 and 1): change it", describe(), p_spike_));
    if (!(spike_ <= lower_))
        throw ConfigError(format("{} (its spike lies above the low end of the slab): move one of them", describe()));
}

double Prior::transform(double u) const {
    if (p_spike_ > 0.0) {
        if (u < p_spike_) return spike_;
        u = (u - p_spike_) / (1.0 - p_spike_);
    }
    switch (kind_) {
        case Kind::uniform:
            return lower_ + range_ * u;
        case Kind::log_uniform:
            return lower_ * std::exp(u * range_);
        case Kind::normal:
            break;
    }
    const double probability = first_ + mass_ * (mirrored_ ? 1.0 - u : u);
    if (!(probability > 0.0)) return mirrored_ ? upper_ : lower_;
    if (!(probability < 1.0)) return mirrored_ ? lower_ : upper_;
    const double z = math::normal_quantile(probability);
    return std::clamp(mean_ + sigma_ * (mirrored_ ? -z : z), lower_, upper_);
}

double Prior::cdf(double value) const {
    if (p_spike_ > 0.0 && value < spike_) return 0.0;
    double u = 0.0;
    if (!(value > lower_)) {
        u = 0.0;
    } else if (!(value < upper_)) {
        u = 1.0;
    } else if (kind_ == Kind::normal) {
        const double z = (value - mean_) / sigma_;
        const double share = (below(mirrored_ ? -z : z) - first_) / mass_;
        u = std::clamp(mirrored_ ? 1.0 - share : share, 0.0, 1.0);
    } else {
        u = std::min(1.0, (kind_ == Kind::uniform ? value - lower_ : std::log(value / lower_)) / range_);
    }
    return p_spike_ > 0.0 ? p_spike_ + (1.0 - p_spike_) * u : u;
}

void sorted_uniforms(std::span<double> values) {
    double above = 1.0;
    for (std::size_t j = values.size(); j-- > 0;)
        above = values[j] = above * std::pow(values[j], 1.0 / static_cast<double>(j + 1));
}

void unsorted_uniforms(std::span<double> values) {
    for (std::size_t j = 0; j < values.size(); ++j) {
        const double above = j + 1 < values.size() ? values[j + 1] : 1.0;
        values[j] = above > 0.0 ? std::pow(values[j] / above, static_cast<double>(j + 1)) : 0.0;
    }
}

std::string Prior::describe() const {
    std::string text;
    switch (kind_) {
        case Kind::uniform:
            text = format("Uniform({}, {})", lower_, upper_);
            break;
        case Kind::log_uniform:
            text = format("LogUniform({}, {})", lower_, upper_);
            break;
        case Kind::normal:
            text = mean_ - lower_ < farthest * sigma_ || upper_ - mean_ < farthest * sigma_
                       ? format("Normal({}, {}; {:.6g} to {:.6g})", mean_, sigma_, lower_, upper_)
                       : format("Normal({}, {})", mean_, sigma_);
            break;
    }
    return p_spike_ > 0.0 ? format("SpikeAndSlab({} with probability {}, else {})", spike_, p_spike_, text) : text;
}

}  // namespace aliquot::infer
