#include "aliquot/infer/prior.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::infer {

Prior::Prior(Kind kind, double lower, double upper)
    : kind_(kind), lower_(lower), upper_(upper), range_(kind == Kind::uniform ? upper - lower : std::log(upper / lower)) {}

void Prior::validate() const {
    if (!std::isfinite(lower_) || !std::isfinite(upper_))
        throw ConfigError(format("{} (its ends must be finite numbers): give two", describe()));
    if (!(lower_ < upper_))
        throw ConfigError(format("{} (empty or reversed): give the low end first, below the high end", describe()));
    if (logarithmic() && !(lower_ > 0.0))
        throw ConfigError(format("{} (a log-uniform prior lives on positive numbers): raise the low end above 0", describe()));
}

double Prior::transform(double u) const {
    if (kind_ == Kind::uniform) return lower_ + range_ * u;
    return lower_ * std::exp(u * range_);
}

double Prior::cdf(double value) const {
    if (!(value > lower_)) return 0.0;
    if (!(value < upper_)) return 1.0;
    return std::min(1.0, (kind_ == Kind::uniform ? value - lower_ : std::log(value / lower_)) / range_);
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
    return format("{}({}, {})", logarithmic() ? "LogUniform" : "Uniform", lower_, upper_);
}

}  // namespace aliquot::infer
