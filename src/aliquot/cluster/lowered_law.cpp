#include "aliquot/cluster/lowered_law.hpp"

#include <cmath>

#include "aliquot/math/special_functions.hpp"

namespace aliquot::cluster {

namespace {

constexpr double table_end = 40.0;
constexpr double kummer_end = 60.0;

/// 1F1(1; b; -x) on [0, 60].
math::PiecewiseChebyshev kummer_table(double b) {
    return {[b](double x) { return math::hyp1f1_one(b, x); }, {0.0, 2.0, 6.0, 14.0, 30.0, kummer_end}, 22};
}

}  // namespace

LoweredLaw::LoweredExponential::LoweredExponential(double gamma)
    : gamma_(gamma),
      norm_(1.0 / std::tgamma(gamma + 1.0)),
      series_(
          [gamma](double x) {
              if (x <= 0.0) return 1.0;
              return std::exp(-x) * math::lowered_exponential(gamma, x) * std::tgamma(gamma + 1.0) / std::pow(x, gamma);
          },
          {0.0, 1.5, 4.0, 9.0, 19.0, table_end}, 24) {}

double LoweredLaw::LoweredExponential::operator()(double x, double shift) const {
    if (x <= 0.0) return 0.0;
    if (gamma_ == 0.0) return std::exp(x - shift);
    if (gamma_ == 1.0 && shift == 0.0) return std::expm1(x);
    if (x < table_end) return std::exp(x - shift) * std::pow(x, gamma_) * norm_ * series_(x);
    if (x < 700.0) return math::lowered_exponential(gamma_, x) * std::exp(-shift);
    return std::exp(x - shift);  // P(gamma, x) is 1 to the last bit
}

LoweredLaw::LoweredLaw(double g, bool anisotropic)
    : g_(g),
      density_norm_(1.0 / std::tgamma(g + 2.5)),
      pressure_norm_(1.0 / std::tgamma(g + 3.5)),
      phase_(g),
      density_(g + 1.5),
      pressure_(g + 2.5) {
    if (anisotropic) {
        density_kummer_ = kummer_table(g + 2.5);
        pressure_kummer_ = kummer_table(g + 3.5);
    }
}

double LoweredLaw::hyp1f1(const math::PiecewiseChebyshev& table, double b, double x) const {
    return x <= kummer_end ? table(x) : math::hyp1f1_one(b, x);
}

double LoweredLaw::phase_density(double energy, double shift) const {
    if (energy < 0.0) return 0.0;
    return phase_(energy, shift);
}

double LoweredLaw::density(double depth, double p, double shift) const {
    const double isotropic = density_(depth, shift);
    const double p2 = p * p;
    if (p2 == 0.0 || depth <= 0.0) return isotropic;
    const double tail =
        p2 * std::pow(depth, g_ + 1.5) * density_norm_ * std::exp(-shift) * hyp1f1(density_kummer_, g_ + 2.5, p2 * depth);
    return (isotropic + tail) / (1.0 + p2);
}

LoweredLaw::Pressures LoweredLaw::pressures(double depth, double p, double shift) const {
    const double isotropic = pressure_(depth, shift);
    const double p2 = p * p;
    if (p2 == 0.0 || depth <= 0.0) return {isotropic, 2.0 * isotropic};
    const double q = 1.0 + p2;
    const double b = g_ + 3.5;
    const double x = p2 * depth;
    const double weight = p2 * std::pow(depth, g_ + 2.5) * pressure_norm_ * std::exp(-shift);
    const double one = hyp1f1(pressure_kummer_, b, x);
    // 1F1(2; b; -x) = (b - 1) - (x + b - 2) 1F1(1; b; -x) cancels as x grows.
    const double two = x < 6.0 ? (b - 1.0) - (x + b - 2.0) * one : math::hyp1f1_two(b, x);
    return {(isotropic + weight * one) / q, 2.0 / q * (isotropic / q + weight * (one / q + two))};
}

}  // namespace aliquot::cluster
