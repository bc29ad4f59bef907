#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace aliquot::math {

/// Value at x in [-1, 1] of the Chebyshev series c0 + c1 T1(x) + ... (Clenshaw's recurrence).
[[nodiscard]] inline double chebyshev_sum(std::span<const double> coefficients, double x) {
    double b1 = 0.0;
    double b2 = 0.0;
    for (std::size_t k = coefficients.size(); k-- > 1;) {
        const double b = 2.0 * x * b1 - b2 + coefficients[k];
        b2 = b1;
        b1 = b;
    }
    return x * b1 - b2 + coefficients[0];
}

/// Collocation at the N + 1 = 17 Chebyshev-Lobatto points x_i = -cos(pi i / 16) of [-1, 1], in ascending order: everything that
/// is done with a smooth function on one interval is a small matrix.
class ChebyshevElement {
  public:
    static constexpr std::size_t count = 17;
    using Values = std::array<double, count>;

    [[nodiscard]] static const ChebyshevElement& instance();

    [[nodiscard]] const Values& nodes() const { return nodes_; }
    /// Weights of Clenshaw-Curtis quadrature over [-1, 1].
    [[nodiscard]] const Values& weights() const { return integral_[count - 1]; }
    /// The integrals from -1 to each node of the interpolant of `values`.
    [[nodiscard]] Values integrate(const Values& values) const { return apply(integral_, values); }
    /// Chebyshev coefficients of the interpolant.
    [[nodiscard]] Values coefficients(const Values& values) const { return apply(transform_, values); }

  private:
    using Square = std::array<Values, count>;

    ChebyshevElement();
    static Values apply(const Square& matrix, const Values& values);

    Values nodes_;
    Square transform_;
    Square integral_;
};

/// A function of one variable as Chebyshev series on neighbouring intervals.
class PiecewiseChebyshev {
  public:
    PiecewiseChebyshev() = default;
    /// Fit `function` on the intervals between ascending `breaks` with series of `degree`.
    PiecewiseChebyshev(const std::function<double(double)>& function, std::vector<double> breaks, std::size_t degree);

    [[nodiscard]] double low() const { return breaks_.front(); }
    [[nodiscard]] double high() const { return breaks_.back(); }
    /// Value at x in [low(), high()].
    [[nodiscard]] double operator()(double x) const {
        std::size_t k = 0;
        while (k + 2 < breaks_.size() && x > breaks_[k + 1])
            ++k;
        const double a = breaks_[k];
        const double b = breaks_[k + 1];
        return chebyshev_sum({coefficients_.data() + k * (degree_ + 1), degree_ + 1}, (2.0 * x - a - b) / (b - a));
    }

  private:
    std::vector<double> breaks_;
    std::vector<double> coefficients_;
    std::size_t degree_ = 0;
};

}  // namespace aliquot::math
