#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/math/special_functions.hpp"
#include "evidence/problems.hpp"

namespace aliquot::bench {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double noise = 0.1;
constexpr double amplitude_sd = 1.0;
constexpr Eigen::Index polynomials = 3;
constexpr double reach = 8.5;  ///< of a line in widths: beyond, it is below 2e-16

// The non-linear parameters of the semi-linear models; their priors are uniform.
constexpr double true_shift = 0.004;
constexpr double true_width = 0.012;
constexpr double shift_range = 0.4;  ///< to either side, in units of the distance between lines
constexpr double width_low = 0.004;
constexpr double width_high = 0.04;

/// A spectrum of lines and Legendre polynomials on [0, 1], y = A b + n with independent noise, b ~ N(0, amplitude_sd^2).
/// Amplitudes and noise of the data follow from formulas, so that semi_linear_truth.py can make the same without our random
/// numbers.
class LineSpectrum {
  public:
    LineSpectrum(Eigen::Index pixels, std::size_t amplitudes)
        : amplitudes_(static_cast<Eigen::Index>(amplitudes)), flux_(pixels) {
        VectorXd b(amplitudes_);
        for (Eigen::Index k = 0; k < amplitudes_; ++k)
            b[k] = amplitude_sd * std::cos(3.0 * static_cast<double>(k * k) + 1.0);
        flux_ = templates_at(true_shift, true_width) * b;
        for (Eigen::Index i = 0; i < flux_.size(); ++i)
            flux_[i] += noise * std::numbers::sqrt2 * std::sin(0.7 * static_cast<double>(i * i) + static_cast<double>(i));
    }

    [[nodiscard]] Eigen::Index amplitudes() const { return amplitudes_; }
    [[nodiscard]] Eigen::Index lines() const { return amplitudes_ - polynomials; }

    /// (pixels, amplitudes): lines at even places, shifted alike, and three polynomials.
    [[nodiscard]] MatrixXd templates_at(double shift, double width) const {
        MatrixXd a = MatrixXd::Zero(flux_.size(), amplitudes_);
        for (Eigen::Index k = 0; k < lines(); ++k)
            for_each_pixel(k, shift, width, [&](Eigen::Index i, double value) { a(i, k) = value; });
        for (Eigen::Index i = 0; i < a.rows(); ++i) {
            const double t = 2.0 * place(i) - 1.0;
            a(i, lines()) = 1.0;
            a(i, lines() + 1) = t;
            a(i, lines() + 2) = 1.5 * t * t - 0.5;
        }
        return a;
    }

    [[nodiscard]] double log_likelihood(double shift, double width, std::span<const double> b) const {
        thread_local VectorXd residual;
        residual = flux_;
        for (Eigen::Index k = 0; k < lines(); ++k)
            for_each_pixel(k, shift, width,
                           [&](Eigen::Index i, double value) { residual[i] -= b[static_cast<std::size_t>(k)] * value; });
        const double* c = b.data() + lines();
        for (Eigen::Index i = 0; i < residual.size(); ++i) {
            const double t = 2.0 * place(i) - 1.0;
            residual[i] -= c[0] + c[1] * t + c[2] * (1.5 * t * t - 0.5);
        }
        return norm() - 0.5 * residual.squaredNorm() / (noise * noise);
    }

    /// What ln L and ln Z need of the pixels.
    struct Form {
        MatrixXd gram;        ///< A' A / noise^2
        VectorXd projection;  ///< A' y / noise^2
    };
    [[nodiscard]] Form form(const MatrixXd& templates) const {
        return {templates.transpose() * templates / (noise * noise), templates.transpose() * flux_ / (noise * noise)};
    }
    [[nodiscard]] double log_likelihood(const Form& form, const Eigen::Ref<const VectorXd>& b) const {
        return constant() - 0.5 * (b.dot(form.gram * b) - 2.0 * b.dot(form.projection));
    }
    /// ln N(y; 0, noise^2 + A S A') by the matrix determinant and inversion lemmas.
    [[nodiscard]] double log_evidence(const Form& form) const {
        MatrixXd posterior = form.gram;
        posterior.diagonal().array() += 1.0 / (amplitude_sd * amplitude_sd);
        const Eigen::LLT<MatrixXd> factor(posterior);
        double log_root = 0.0;
        for (Eigen::Index k = 0; k < amplitudes_; ++k)
            log_root += std::log(factor.matrixLLT()(k, k) * amplitude_sd);
        return constant() + 0.5 * form.projection.dot(factor.solve(form.projection)) - log_root;
    }

  private:
    [[nodiscard]] double place(Eigen::Index pixel) const {
        return (static_cast<double>(pixel) + 0.5) / static_cast<double>(flux_.size());
    }
    /// Call use(pixel, profile) where line k is not zero.
    template <typename Use>
    void for_each_pixel(Eigen::Index k, double shift, double width, const Use& use) const {
        const double centre = (static_cast<double>(k) + 0.5) / static_cast<double>(lines()) + shift;
        const auto n = static_cast<double>(flux_.size());
        const auto first = static_cast<Eigen::Index>(std::max(0.0, (centre - reach * width) * n));
        const auto end = static_cast<Eigen::Index>(std::clamp((centre + reach * width) * n, 0.0, n));
        for (Eigen::Index i = first; i < end; ++i) {
            const double u = (place(i) - centre) / width;
            use(i, std::exp(-0.5 * u * u));
        }
    }
    [[nodiscard]] double norm() const {
        return -static_cast<double>(flux_.size()) * std::log(noise * std::sqrt(2.0 * std::numbers::pi));
    }
    [[nodiscard]] double constant() const { return norm() - 0.5 * flux_.squaredNorm() / (noise * noise); }

    Eigen::Index amplitudes_;
    VectorXd flux_;
};

/// Amplitudes alone are free.
class LinearProblem final : public infer::Problem {
  public:
    explicit LinearProblem(std::size_t amplitudes)
        : spectrum_(1000, amplitudes), form_(spectrum_.form(spectrum_.templates_at(true_shift, true_width))) {}
    [[nodiscard]] std::size_t dimension() const override { return static_cast<std::size_t>(spectrum_.amplitudes()); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows(); ++i)
            for (std::size_t k = 0; k < dimension(); ++k)
                parameters(i, k) = amplitude_sd * math::normal_quantile(unit(i, k));
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] =
                spectrum_.log_likelihood(form_, Eigen::Map<const VectorXd>(parameters.row(i).data(), spectrum_.amplitudes()));
    }
    [[nodiscard]] double truth() const { return spectrum_.log_evidence(form_); }

  private:
    LineSpectrum spectrum_;
    LineSpectrum::Form form_;
};

/// Shift and width are free too; with `marginal` the amplitudes are integrated out.
class SemiLinearProblem final : public infer::Problem {
  public:
    SemiLinearProblem(std::size_t amplitudes, bool marginal) : spectrum_(200, amplitudes), marginal_(marginal) {}
    [[nodiscard]] std::size_t dimension() const override {
        return marginal_ ? 2 : 2 + static_cast<std::size_t>(spectrum_.amplitudes());
    }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows(); ++i) {
            parameters(i, 0) = shift_range / static_cast<double>(spectrum_.lines()) * (2.0 * unit(i, 0) - 1.0);
            parameters(i, 1) = width_low + (width_high - width_low) * unit(i, 1);
            for (std::size_t k = 2; k < dimension(); ++k)
                parameters(i, k) = amplitude_sd * math::normal_quantile(unit(i, k));
        }
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::span<const double> row = parameters.row(i);
            values[i] = marginal_ ? spectrum_.log_evidence(spectrum_.form(spectrum_.templates_at(row[0], row[1])))
                                  : spectrum_.log_likelihood(row[0], row[1], row.subspan(2));
        }
    }

  private:
    LineSpectrum spectrum_;
    bool marginal_;
};

}  // namespace

std::vector<EvidenceProblem> linear_problems() {
    std::vector<EvidenceProblem> all;
    for (const std::size_t d : {8, 21, 40})
        all.push_back({"linear_" + std::to_string(d), std::max<std::size_t>(400, 20 * d), 0.01, LinearProblem(d).truth(), 1e-9,
                       [d] { return std::make_unique<LinearProblem>(d); }});
    // By semi_linear_truth.py, an independent code.
    for (const auto& [amplitudes, truth] : {std::pair<std::size_t, double>{8, 149.086036}, {20, 115.447122}}) {
        const std::string size = std::to_string(amplitudes + 2);
        all.push_back({"semi_linear_" + size, std::max<std::size_t>(400, 20 * (amplitudes + 2)), 0.01, truth, 1e-5,
                       [a = amplitudes] { return std::make_unique<SemiLinearProblem>(a, false); }});
        all.push_back({"marginal_" + size, 400, 0.01, truth, 1e-5,
                       [a = amplitudes] { return std::make_unique<SemiLinearProblem>(a, true); }});
    }
    return all;
}

}  // namespace aliquot::bench
