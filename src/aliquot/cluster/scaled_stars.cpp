#include "aliquot/cluster/scaled_stars.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

namespace {

/// e such that value 2^-e is below 1 and at least 1/2; 0 for zero.
int exponent_of(double value) {
    int exponent = 0;
    (void)std::frexp(value, &exponent);
    return exponent;
}

}  // namespace

ScaledStars::ScaledStars(const Stars& stars, double softening, const std::vector<std::uint32_t>& order) : size_(stars.size()) {
    ALIQUOT_EXPECT(stars.x.size() == size_ && stars.y.size() == size_ && stars.z.size() == size_);
    ALIQUOT_EXPECT(order.empty() || order.size() == size_);
    if (!(softening >= 0.0) || std::isinf(softening))
        throw ConfigError(format("softening = {} (a length, zero or above): give one", softening));
    double length = softening;
    double mass = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
        for (const auto& [name, value] : {std::pair{"x", stars.x[i]}, {"y", stars.y[i]}, {"z", stars.z[i]}}) {
            if (!std::isfinite(value))
                throw DataError(format("star {}: {} = {} (not a position): correct or remove the star", i + 1, name, value));
            length = std::max(length, std::abs(value));
        }
        if (!(stars.mass[i] >= 0.0) || std::isinf(stars.mass[i]))
            throw DataError(
                format("star {}: mass = {} (negative or not finite): correct or remove the star", i + 1, stars.mass[i]));
        mass = std::max(mass, stars.mass[i]);
    }
    length_exponent_ = exponent_of(length);
    mass_exponent_ = exponent_of(mass);
    softening_ = std::ldexp(softening, -length_exponent_);
    const std::size_t total = padded() + pair_lanes;
    const auto fill = [&](std::vector<double>& to, const std::vector<double>& from, int exponent) {
        to.resize(total);
        for (std::size_t i = 0; i < size_; ++i)
            to[i] = std::ldexp(from[order.empty() ? i : order[i]], -exponent);
    };
    fill(x_, stars.x, length_exponent_);
    fill(y_, stars.y, length_exponent_);
    fill(z_, stars.z, length_exponent_);
    fill(mass_, stars.mass, mass_exponent_);
    for (std::size_t i = size_; i < total; ++i)
        x_[i] = y_[i] = z_[i] = 4.0 + static_cast<double>(i - size_);
}

double ScaledStars::unscale(double value, int mass, int length) const {
    return std::ldexp(value, mass * mass_exponent_ + length * length_exponent_);
}

}  // namespace aliquot::cluster
