#include "aliquot/infer/prior.hpp"

#include <cmath>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::infer {

void Prior::validate() const {
    if (!std::isfinite(lower_) || !std::isfinite(upper_))
        throw ConfigError(format("{} (its ends must be finite numbers): give two", describe()));
    if (!(lower_ < upper_))
        throw ConfigError(format("{} (empty or reversed): give the low end first, below the high end", describe()));
    if (logarithmic() && !(lower_ > 0.0))
        throw ConfigError(format("{} (a log-uniform prior lives on positive numbers): raise the low end above 0", describe()));
}

double Prior::transform(double u) const {
    if (kind_ == Kind::uniform) return lower_ + (upper_ - lower_) * u;
    return lower_ * std::exp(u * std::log(upper_ / lower_));
}

void sorted_uniforms(std::span<double> values) {
    double above = 1.0;
    for (std::size_t j = values.size(); j-- > 0;)
        above = values[j] = above * std::pow(values[j], 1.0 / static_cast<double>(j + 1));
}

std::string Prior::describe() const {
    return format("{}({}, {})", logarithmic() ? "LogUniform" : "Uniform", lower_, upper_);
}

}  // namespace aliquot::infer
