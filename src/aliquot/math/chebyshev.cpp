#include "aliquot/math/chebyshev.hpp"

#include <cmath>
#include <numbers>

#include "aliquot/core/contract.hpp"

namespace aliquot::math {

namespace {

using std::numbers::pi;

/// Integral from -1 to x of T_k.
double integral_of_polynomial(std::size_t k, double x) {
    const double theta = std::acos(x);
    const auto n = static_cast<double>(k);
    if (k == 0) return x + 1.0;
    if (k == 1) return 0.5 * (x * x - 1.0);
    const auto antiderivative = [n](double angle) {
        return 0.5 * (std::cos((n + 1.0) * angle) / (n + 1.0) - std::cos((n - 1.0) * angle) / (n - 1.0));
    };
    return antiderivative(theta) - antiderivative(pi);
}

}  // namespace

const ChebyshevElement& ChebyshevElement::instance() {
    static const ChebyshevElement element;
    return element;
}

ChebyshevElement::ChebyshevElement() {
    constexpr std::size_t last = count - 1;
    constexpr auto n = static_cast<double>(last);
    for (std::size_t i = 0; i <= last; ++i)
        nodes_[i] = std::sin(pi * (2.0 * static_cast<double>(i) - n) / (2.0 * n));  // -cos, exactly odd
    for (std::size_t k = 0; k <= last; ++k) {
        for (std::size_t i = 0; i <= last; ++i) {
            const double half = (i == 0 || i == last ? 0.5 : 1.0) * (k == 0 || k == last ? 0.5 : 1.0);
            const double angle = pi * static_cast<double>(k) * static_cast<double>(last - i) / n;
            transform_[k][i] = 2.0 / n * half * std::cos(angle);
        }
    }
    for (std::size_t i = 0; i <= last; ++i) {
        integral_[i].fill(0.0);
        for (std::size_t k = 0; k <= last; ++k) {
            const double primitive = integral_of_polynomial(k, nodes_[i]);
            for (std::size_t j = 0; j <= last; ++j)
                integral_[i][j] += primitive * transform_[k][j];
        }
    }
}

ChebyshevElement::Values ChebyshevElement::apply(const Square& matrix, const Values& values) {
    Values result;
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < count; ++j)
            sum += matrix[i][j] * values[j];
        result[i] = sum;
    }
    return result;
}

PiecewiseChebyshev::PiecewiseChebyshev(const std::function<double(double)>& function, std::vector<double> breaks,
                                       std::size_t degree)
    : breaks_(std::move(breaks)), degree_(degree) {
    ALIQUOT_EXPECT(breaks_.size() >= 2);
    const std::size_t points = degree + 1;
    const auto n = static_cast<double>(points);
    std::vector<double> cosine(4 * points);  // cos(pi j / 2 n): one period
    for (std::size_t j = 0; j < cosine.size(); ++j)
        cosine[j] = std::cos(pi * static_cast<double>(j) / (2.0 * n));
    std::vector<double> values(points);
    for (std::size_t interval = 0; interval + 1 < breaks_.size(); ++interval) {
        const double middle = 0.5 * (breaks_[interval] + breaks_[interval + 1]);
        const double half = 0.5 * (breaks_[interval + 1] - breaks_[interval]);
        for (std::size_t i = 0; i < points; ++i)
            values[i] = function(middle + half * cosine[2 * i + 1]);
        for (std::size_t k = 0; k < points; ++k) {
            double sum = 0.0;
            for (std::size_t i = 0; i < points; ++i)
                sum += values[i] * cosine[k * (2 * i + 1) % cosine.size()];
            coefficients_.push_back((k == 0 ? 1.0 : 2.0) / n * sum);
        }
    }
}

}  // namespace aliquot::math
