#include "evidence/problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "aliquot/core/random.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/math/special_functions.hpp"

namespace aliquot::bench {

namespace {

using infer::log_add;

/// A likelihood over a box with a uniform prior.
template <typename LogLikelihood>
class BoxProblem final : public infer::Problem {
  public:
    BoxProblem(std::size_t dimension, double low, double high, LogLikelihood function)
        : dimension_(dimension), low_(low), high_(high), log_likelihood_(std::move(function)) {}
    [[nodiscard]] std::size_t dimension() const override { return dimension_; }
    [[nodiscard]] std::span<const std::size_t> periodic() const override { return periodic_; }
    void set_periodic(std::vector<std::size_t> coordinates) { periodic_ = std::move(coordinates); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows() * dimension_; ++i)
            parameters.data()[i] = low_ + (high_ - low_) * unit.data()[i];
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < parameters.rows(); ++i)
            values[i] = log_likelihood_(parameters.row(i));
    }

  private:
    std::size_t dimension_;
    double low_;
    double high_;
    LogLikelihood log_likelihood_;
    std::vector<std::size_t> periodic_;
};

/// The funnel's first parameter is normal, the others uniform.
class Funnel final : public infer::Problem {
  public:
    explicit Funnel(std::size_t dimension) : dimension_(dimension) {}
    [[nodiscard]] std::size_t dimension() const override { return dimension_; }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows(); ++i) {
            parameters(i, 0) = 3.0 * math::normal_quantile(unit(i, 0));
            for (std::size_t j = 1; j < dimension_; ++j)
                parameters(i, j) = -10.0 + 20.0 * unit(i, j);
        }
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < parameters.rows(); ++i) {
            const double v = parameters(i, 0);
            double sum = 0.0;
            for (std::size_t j = 1; j < dimension_; ++j)
                sum += parameters(i, j) * parameters(i, j);
            values[i] =
                -0.5 * sum * std::exp(-v) - 0.5 * static_cast<double>(dimension_ - 1) * (v + std::log(2.0 * std::numbers::pi));
        }
    }

  private:
    std::size_t dimension_;
};

template <typename F>
std::function<std::unique_ptr<infer::Problem>()> box(std::size_t dimension, double low, double high, F f) {
    return [=] { return std::make_unique<BoxProblem<F>>(dimension, low, high, f); };
}

/// N(x; linspace(-1, 1), unit variances, correlation 0.95)
auto correlated_gaussian(std::size_t d) {
    constexpr double rho = 0.95;
    const auto n = static_cast<double>(d);
    const double a = 1.0 / (1.0 - rho);
    const double b = rho / ((1.0 - rho) * (1.0 + (n - 1.0) * rho));
    const double norm =
        -0.5 * (n * std::log(2.0 * std::numbers::pi) + (n - 1.0) * std::log(1.0 - rho) + std::log(1.0 + (n - 1.0) * rho));
    return [=](std::span<const double> x) {
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t i = 0; i < d; ++i) {
            const double y = x[i] - (d > 1 ? -1.0 + 2.0 * static_cast<double>(i) / (n - 1.0) : 0.0);
            sum += y;
            squares += y * y;
        }
        return norm - 0.5 * (a * squares - b * sum * sum);
    };
}

/// A normal density with standard deviations from 1e-3 to 1, spaced evenly in their logarithms, turned by d - 1 rotations.
auto long_axes(std::size_t d) {
    return [=](std::span<const double> x) {
        std::vector<double> y(x.begin(), x.end());
        for (std::size_t i = 0; i + 1 < d; ++i) {
            const double angle = 0.3 + static_cast<double>(i);
            const double a = y[i] * std::cos(angle) - y[i + 1] * std::sin(angle);
            y[i + 1] = y[i] * std::sin(angle) + y[i + 1] * std::cos(angle);
            y[i] = a;
        }
        double sum = -0.5 * static_cast<double>(d) * std::log(2.0 * std::numbers::pi);
        for (std::size_t i = 0; i < d; ++i) {
            const double log_sigma = std::log(1e-3) * static_cast<double>(i) / static_cast<double>(d - 1);
            sum -= 0.5 * y[i] * y[i] * std::exp(-2.0 * log_sigma) + log_sigma;
        }
        return sum;
    };
}

/// A standard normal density that is impossible where its first coordinate is negative.
double half_space(std::span<const double> x) {
    if (x[0] < 0.0) return -std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (const double value : x)
        sum += value * value;
    return -0.5 * (sum + static_cast<double>(x.size()) * std::log(2.0 * std::numbers::pi));
}

/// Normal densities of one width at random places of the cube, with weights that fall from 1/2 to 1/1000 before they are
/// normalised.
auto unequal_modes(std::size_t d, std::size_t modes) {
    constexpr double sigma = 0.02;
    struct Mode {
        std::vector<double> centre;
        double log_norm;
    };
    std::vector<Mode> all(modes);
    double weights = 0.0;
    for (std::size_t m = 0; m < modes; ++m) {
        RandomStream random(1, 0, m);
        for (std::size_t j = 0; j < d; ++j)
            all[m].centre.push_back(0.25 + 0.5 * random.uniform());
        const double weight = 0.5 * std::pow(0.002, static_cast<double>(m) / static_cast<double>(modes - 1));
        weights += weight;
        all[m].log_norm = std::log(weight) - static_cast<double>(d) * (std::log(sigma) + 0.5 * std::log(2.0 * std::numbers::pi));
    }
    for (Mode& mode : all)
        mode.log_norm -= std::log(weights);
    return [=](std::span<const double> x) {
        double sum = -std::numeric_limits<double>::infinity();
        for (const Mode& mode : all) {
            double squares = 0.0;
            for (std::size_t j = 0; j < d; ++j)
                squares += (x[j] - mode.centre[j]) * (x[j] - mode.centre[j]);
            sum = log_add(sum, mode.log_norm - 0.5 * squares / (sigma * sigma));
        }
        return sum;
    };
}

/// Zero, but for the rim of the square, where it is impossible.
double walled_square(std::span<const double> x) {
    const double reach = std::max(std::abs(x[0] - 0.5), std::abs(x[1] - 0.5));
    return reach > 0.4 ? -std::numeric_limits<double>::infinity() : 0.0;
}

/// A plateau with a hill on it: ln(1 + 99 inside the tenth of the square around the middle)
double box_on_plateau(std::span<const double> x) {
    const double reach = std::max(std::abs(x[0] - 0.5), std::abs(x[1] - 0.5));
    return reach < 0.05 ? std::log(100.0) : 0.0;
}

/// A phase of von Mises distribution (concentration 20) around 0 = 1, and two amplitudes, normal around what the phase says.
double phase(std::span<const double> x) {
    constexpr double concentration = 20.0;
    const double log_bessel = std::log(std::cyl_bessel_i(0.0, concentration));
    const double angle = 2.0 * std::numbers::pi * x[0];
    const double first = (x[1] - 0.5 - 0.2 * std::sin(angle)) / 0.03;
    const double second = (x[2] - 0.3 - 0.1 * std::cos(angle)) / 0.03;
    return concentration * std::cos(angle) - log_bessel - 0.5 * (first * first + second * second) -
           std::log(2.0 * std::numbers::pi) - 2.0 * std::log(0.03);
}

/// Two shells of radius 2 and width 0.1 around (+-3.5, 0, ...)
double shells(std::span<const double> x) {
    double rest = 0.0;
    for (std::size_t i = 1; i < x.size(); ++i)
        rest += x[i] * x[i];
    const double a = std::sqrt(rest + (x[0] + 3.5) * (x[0] + 3.5)) - 2.0;
    const double b = std::sqrt(rest + (x[0] - 3.5) * (x[0] - 3.5)) - 2.0;
    return log_add(-50.0 * a * a, -50.0 * b * b) - 0.5 * std::log(2.0 * std::numbers::pi * 0.01);
}

double rosenbrock(std::span<const double> x) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const double bend = x[i + 1] - x[i] * x[i];
        sum -= 100.0 * bend * bend + (1.0 - x[i]) * (1.0 - x[i]);
    }
    return sum;
}

double log_gamma(double x, double location) {
    const double y = (x - location) * 30.0;
    return y - std::exp(y) + std::log(30.0);
}
double log_normal(double x, double location) {
    const double y = (x - location) * 30.0;
    return -0.5 * y * y - 0.5 * std::log(2.0 * std::numbers::pi) + std::log(30.0);
}
/// Beaujean & Caldwell (2013)
double log_gamma_mixture(std::span<const double> x) {
    double sum = log_add(log_gamma(x[0], 1.0 / 3.0), log_gamma(x[0], 2.0 / 3.0)) +
                 log_add(log_normal(x[1], 1.0 / 3.0), log_normal(x[1], 2.0 / 3.0)) - 2.0 * std::log(2.0);
    const std::size_t gammas = (x.size() + 2) / 2;
    for (std::size_t i = 2; i < x.size(); ++i)
        sum += i < gammas ? log_gamma(x[i], 2.0 / 3.0) : log_normal(x[i], 2.0 / 3.0);
    return sum;
}

/// Skilling (2006): 100 N(x; 0.031, 0.01) + N(x; 0, 0.1) in 20 dimensions
double slab_spike(std::span<const double> x) {
    double spike = 0.0;
    double slab = 0.0;
    for (const double value : x) {
        spike -= 0.5 * (value - 0.031) * (value - 0.031) / 1e-4;
        slab -= 0.5 * value * value / 1e-2;
    }
    const auto n = static_cast<double>(x.size());
    spike -= n * (0.5 * std::log(2.0 * std::numbers::pi) + std::log(0.01));
    slab -= n * (0.5 * std::log(2.0 * std::numbers::pi) + std::log(0.1));
    return log_add(std::log(100.0) + spike, slab);
}

/// Fowlie, Handley & Su (2021): plateaus on nested cubes
double wedding_cake(std::span<const double> x) {
    double reach = 0.0;
    for (const double value : x)
        reach = std::max(reach, std::abs(value - 0.5));
    const double d = static_cast<double>(x.size());
    const double tier = std::floor(d * std::log(2.0 * reach) / std::log(0.7));
    return -std::pow(0.7, 2.0 * tier / d) / (8.0 * 0.04);
}

double eggbox(std::span<const double> x) {
    return std::pow(2.0 + std::cos(0.5 * x[0]) * std::cos(0.5 * x[1]), 5.0);
}

double mixture5(std::span<const double> x) {
    double a = 0.0;
    double b = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
        const double centre = i < 2 ? 3.0 : 0.0;
        a -= 0.5 * x[i] * x[i];
        b -= 0.5 * (x[i] - centre) * (x[i] - centre);
    }
    return log_add(std::log(0.6) + a, std::log(0.4) + b);
}

double standard_gaussian(std::span<const double> x) {
    double sum = 0.0;
    for (const double value : x)
        sum -= 0.5 * value * value;
    return sum;
}

double gentle_rosenbrock(std::span<const double> x) {
    return -0.5 * ((1.0 - x[0]) * (1.0 - x[0]) + 100.0 * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0]));
}

}  // namespace

std::vector<EvidenceProblem> analytic_problems() {
    std::vector<EvidenceProblem> all;
    const auto add = [&](std::string name, std::size_t live_points, double truth, double truth_error, auto make) {
        all.push_back({std::move(name), live_points, 0.01, truth, truth_error, std::move(make)});
    };
    for (const std::size_t d : {2, 5, 10, 20, 30, 40})
        add("gaussian_" + std::to_string(d), std::max<std::size_t>(400, 20 * d), -static_cast<double>(d) * std::log(20.0), 0.0,
            box(d, -10.0, 10.0, correlated_gaussian(d)));
    // Truths below: independent quadrature, spec/inference.md section 3.
    add("axes_32", 640, -32.0 * std::log(40.0), 1e-6, box(32, -20.0, 20.0, long_axes(32)));
    add("half_space_10", 400, -10.0 * std::log(20.0) - std::log(2.0), 1e-6, box(10, -10.0, 10.0, half_space));
    add("modes_8", 400, 0.0, 1e-6, box(8, 0.0, 1.0, unequal_modes(8, 20)));
    add("modes_20", 400, 0.0, 1e-6, box(20, 0.0, 1.0, unequal_modes(20, 4)));
    add("walled_square", 400, std::log(0.64), 0.0, box(2, 0.0, 1.0, walled_square));
    add("box_on_plateau", 400, std::log1p(0.99), 0.0, box(2, 0.0, 1.0, box_on_plateau));
    add("phase_3", 400, 0.0, 1e-6, [] {
        auto problem = std::make_unique<BoxProblem<decltype(&phase)>>(3, 0.0, 1.0, &phase);
        problem->set_periodic({0});
        return problem;
    });
    for (const auto& [d, truth] : {std::pair{2, -1.7456}, {5, -5.6736}, {10, -14.5905}, {20, -36.0865}, {30, -60.1278}})
        add("shells_" + std::to_string(d), std::max(400, 20 * d), truth, 1e-4,
            box(static_cast<std::size_t>(d), -6.0, 6.0, shells));
    add("eggbox", 400, 235.85594, 1e-4, box(2, 0.0, 10.0 * std::numbers::pi, eggbox));
    for (const auto& [d, truth] : {std::pair{2, -5.8041}, {3, -10.4770}, {5, -19.733}, {10, -43.108}, {20, -90.266}})
        add("rosenbrock_" + std::to_string(d), 400, truth, 1e-3, box(static_cast<std::size_t>(d), -5.0, 5.0, rosenbrock));
    for (const std::size_t d : {2, 10, 20, 30})
        add("loggamma_" + std::to_string(d), std::max<std::size_t>(400, 20 * d), 0.0, 2e-5, box(d, 0.0, 1.0, log_gamma_mixture));
    add("slab_spike", 400, std::log(101.0), 1e-5, box(20, -0.5, 0.5, slab_spike));
    for (const auto& [d, truth] : {std::pair{5, -12.08724}, {10, -27.09890}, {20, -57.08148}})
        add("funnel_" + std::to_string(d), 400, truth, 1e-5,
            [d = static_cast<std::size_t>(d)] { return std::make_unique<Funnel>(d); });
    for (const auto& [d, truth] : {std::pair{2, -1.33530}, {5, -2.09845}, {10, -2.56970}, {20, -2.84922}})
        add("wedding_" + std::to_string(d), 400, truth, 1e-5, box(static_cast<std::size_t>(d), 0.0, 1.0, wedding_cake));
    // JNesty's demos as its code states them, truths of spec/spectra.md section 6.
    add("mixture_5", 400, -6.9364, 1e-4, box(5, -5.0, 5.0, mixture5));
    add("rosenbrock_pm3", 400, -4.3166, 1e-4, box(2, -3.0, 3.0, gentle_rosenbrock));
    add("gaussian20_unit", 400, -27.6729, 1e-4, box(20, -5.0, 5.0, standard_gaussian));
    return all;
}

}  // namespace aliquot::bench
