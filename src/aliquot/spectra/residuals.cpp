#include "aliquot/spectra/residuals.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aliquot/spectra/workspace.hpp"

namespace aliquot::spectra {

namespace {

constexpr double step = 1e-5;  // in the cube

struct JacobianWorkspace : Workspace {
    Eigen::MatrixXd jacobian;  // (pixels, dimension), of model / error
    Eigen::VectorXd residual;
    std::vector<double> model;
    std::vector<double> other;
};

}  // namespace

Residuals::Residuals(const Model& model, const ChiSquare& evaluator, const Spectrum& spectrum, double log_normalisation)
    : model_(model),
      evaluator_(evaluator),
      log_normalisation_(log_normalisation),
      flux_(spectrum.flux),
      owner_(next_evaluator()) {
    for (const std::size_t index : model.free())
        priors_.push_back(*model.parameters()[index].prior);
    for (const double error : spectrum.error)
        inverse_error_.push_back(1.0 / error);
}

std::vector<double> Residuals::theta(std::span<const double> place) const {
    std::vector<double> values(place.size());
    for (std::size_t j = 0; j < place.size(); ++j)
        values[j] = priors_[j].transform(place[j]);
    return values;
}

double Residuals::log_likelihood(std::span<const double> place) const {
    const std::vector<double> values = theta(place);
    double chi_square = 0.0;
    evaluator_.evaluate({values.data(), 1, values.size()}, {&chi_square, 1});
    return log_normalisation_ - 0.5 * chi_square;
}

double Residuals::normal_equations(std::span<const double> place, std::span<double> gradient, std::span<double> curvature) const {
    auto& work = workspace_of<JacobianWorkspace>(owner_, model_.parameters().size());
    const std::size_t n = flux_.size();
    const std::size_t d = place.size();
    const auto rows = static_cast<Eigen::Index>(n);
    const auto columns = static_cast<Eigen::Index>(d);
    work.jacobian.resize(rows, columns);
    work.residual.resize(rows);
    work.model.resize(n);
    work.other.resize(n);
    std::vector<double> values = theta(place);
    evaluator_.model(values, work.model);
    double chi_square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double residual = (flux_[i] - work.model[i]) * inverse_error_[i];
        work.residual[static_cast<Eigen::Index>(i)] = residual;
        chi_square += residual * residual;
    }
    if (!std::isfinite(chi_square)) return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < d; ++j) {
        const double here = values[j];
        const double high = std::min(place[j] + step, 1.0);
        const double low = std::max(place[j] - step, 0.0);
        values[j] = priors_[j].transform(high);
        evaluator_.model(values, work.model);
        values[j] = priors_[j].transform(low);
        evaluator_.model(values, work.other);
        values[j] = here;
        double* column = work.jacobian.data() + j * n;
        for (std::size_t i = 0; i < n; ++i)
            column[i] = (work.model[i] - work.other[i]) * inverse_error_[i] / (high - low);
    }
    if (!work.jacobian.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    Eigen::Map<Eigen::VectorXd>(gradient.data(), columns) = work.jacobian.transpose() * work.residual;
    Eigen::Map<Eigen::MatrixXd> matrix(curvature.data(), columns, columns);
    matrix.setZero();
    matrix.selfadjointView<Eigen::Lower>().rankUpdate(work.jacobian.transpose());
    matrix.triangularView<Eigen::StrictlyUpper>() = matrix.transpose();
    return log_normalisation_ - 0.5 * chi_square;
}

void Residuals::from_unit(std::span<const double> unit, std::span<double> place) const {
    std::copy(unit.begin(), unit.end(), place.begin());
    for (const auto& group : model_.sorted()) {
        std::array<double, most_sorted> values{};
        for (std::size_t j = 0; j < group.size(); ++j)
            values[j] = place[group[j]];
        infer::sorted_uniforms(std::span(values).first(group.size()));
        for (std::size_t j = 0; j < group.size(); ++j)
            place[group[j]] = values[j];
    }
}

void Residuals::to_unit(std::span<const double> place, std::span<double> unit) const {
    std::copy(place.begin(), place.end(), unit.begin());
    for (const auto& group : model_.sorted()) {
        std::array<double, most_sorted> values{};
        for (std::size_t j = 0; j < group.size(); ++j)
            values[j] = unit[group[j]];
        std::sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(group.size()));
        infer::unsorted_uniforms(std::span(values).first(group.size()));
        for (std::size_t j = 0; j < group.size(); ++j)
            unit[group[j]] = values[j];
    }
}

}  // namespace aliquot::spectra
