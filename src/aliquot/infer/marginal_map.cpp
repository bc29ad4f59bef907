#include "aliquot/infer/marginal_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/infer/logit.hpp"
#include "aliquot/infer/posterior.hpp"

namespace aliquot::infer {

namespace {

constexpr double first_knot = -2.4;
constexpr double knot_step = 0.4;
constexpr std::size_t knots = 13;

double knot(std::size_t k) {
    return first_knot + knot_step * static_cast<double>(k);
}

double inner_logit(double u) {
    return logit(std::clamp(u, 1e-12, 1.0 - 1e-12));
}

}  // namespace

MarginalMap::MarginalMap(const Matrix<double>& unit, std::span<const double> log_weight, const std::vector<bool>& straight) {
    std::vector<double> probabilities;
    for (std::size_t k = 0; k < knots; ++k)
        probabilities.push_back(0.5 * std::erfc(-knot(k) / std::numbers::sqrt2));
    for (std::size_t j = 0; j < unit.columns(); ++j) {
        std::vector<double> values = column(unit, j);
        for (double& value : values)
            value = inner_logit(value);
        Coordinate c;
        c.value = weighted_quantiles(values, log_weight, probabilities);
        if (!straight.empty() && straight[j]) {
            const double low = c.value.front();
            const double high = c.value.back();
            for (std::size_t k = 0; k < knots; ++k)
                c.value[k] = low + (high - low) * static_cast<double>(k) / static_cast<double>(knots - 1);
        }
        const double least = 1e-6 * (c.value.back() - c.value.front()) + 1e-12;
        for (std::size_t k = 1; k < knots; ++k)
            c.value[k] = std::max(c.value[k], c.value[k - 1] + least);
        // Harmonic means of neighbouring secants keep the cubic monotone.
        std::vector<double> secant;
        for (std::size_t k = 0; k + 1 < knots; ++k)
            secant.push_back((c.value[k + 1] - c.value[k]) / knot_step);
        c.slope.push_back(secant.front());
        for (std::size_t k = 1; k + 1 < knots; ++k)
            c.slope.push_back(2.0 * secant[k - 1] * secant[k] / (secant[k - 1] + secant[k]));
        c.slope.push_back(secant.back());
        coordinates_.push_back(std::move(c));
    }
}

void MarginalMap::evaluate(const Coordinate& c, double score, double& value, double& slope) {
    const double t = (score - first_knot) / knot_step;
    if (t <= 0.0 || t >= static_cast<double>(knots - 1)) {
        const std::size_t end = t <= 0.0 ? 0 : knots - 1;
        slope = c.slope[end];
        value = c.value[end] + slope * (score - knot(end));
        return;
    }
    const std::size_t k = std::min(static_cast<std::size_t>(t), knots - 2);
    const double x = t - static_cast<double>(k);
    const double secant = (c.value[k + 1] - c.value[k]) / knot_step;
    const double c2 = 3.0 * secant - 2.0 * c.slope[k] - c.slope[k + 1];
    const double c3 = c.slope[k] + c.slope[k + 1] - 2.0 * secant;
    value = c.value[k] + knot_step * x * (c.slope[k] + x * (c2 + x * c3));
    slope = c.slope[k] + x * (2.0 * c2 + 3.0 * x * c3);
}

void MarginalMap::forward(std::span<const double> unit, std::span<double> score) const {
    for (std::size_t j = 0; j < coordinates_.size(); ++j) {
        const Coordinate& c = coordinates_[j];
        const double wanted = inner_logit(unit[j]);
        if (wanted <= c.value.front()) {
            score[j] = first_knot + (wanted - c.value.front()) / c.slope.front();
            continue;
        }
        if (wanted >= c.value.back()) {
            score[j] = knot(knots - 1) + (wanted - c.value.back()) / c.slope.back();
            continue;
        }
        const auto found = std::upper_bound(c.value.begin(), c.value.end(), wanted);
        const auto k = static_cast<std::size_t>(found - c.value.begin()) - 1;
        double low = knot(k);
        double high = low + knot_step;
        double z = 0.5 * (low + high);
        for (int i = 0; i < 60; ++i) {
            double value = 0.0;
            double slope = 0.0;
            evaluate(c, z, value, slope);
            (value > wanted ? high : low) = z;
            double next = z - (value - wanted) / slope;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (std::abs(next - z) < 1e-13) break;
            z = next;
        }
        score[j] = z;
    }
}

double MarginalMap::backward(std::span<const double> score, std::span<double> unit) const {
    double log_jacobian = 0.0;
    for (std::size_t j = 0; j < coordinates_.size(); ++j) {
        double value = 0.0;
        double slope = 0.0;
        evaluate(coordinates_[j], score[j], value, slope);
        double log_slope = 0.0;
        unit[j] = from_logit(value, log_slope);
        log_jacobian += log_slope + std::log(slope);
    }
    return log_jacobian;
}

}  // namespace aliquot::infer
