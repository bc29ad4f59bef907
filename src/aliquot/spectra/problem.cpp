#include "aliquot/spectra/problem.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "aliquot/core/contract.hpp"
#include "aliquot/spectra/plan.hpp"

namespace aliquot::spectra {

namespace {

// Of the check of the amplitude columns: not the points that they were found with.
constexpr std::uint64_t first_checked = 100;
constexpr std::uint64_t checked_points = 4;
constexpr double agreement = 1e-8;

}  // namespace

SpectralProblem::SpectralProblem(const Model& model, const Spectrum& spectrum)
    : model_(model), chi_square_(make_chi_square(model, spectrum.wavelength_angstrom, spectrum.flux, spectrum.error)) {
    ALIQUOT_EXPECT(spectrum.error.size() == spectrum.size());
    for (const std::size_t index : model.free())
        priors_.push_back(*model.parameters()[index].prior);
    for (const double error : spectrum.error)
        log_normalisation_ -= 0.5 * std::log(2.0 * std::numbers::pi * error * error);
    residuals_.emplace(model, *chi_square_, spectrum, log_normalisation_);
    columns_ = amplitude_columns(model, make_plan(model.expression()));
    if (columns_ && !columns_hold()) columns_.reset();
}

/// Whether the columns, which were found by looking, give chi-square at points of the prior.
bool SpectralProblem::columns_hold() const {
    const std::size_t size = columns_->count() + 1;
    std::vector<double> form(size * size);
    for (std::uint64_t point = 0; point < checked_points; ++point) {
        const std::vector<double> theta = model_.prior_point(first_checked + point);
        const double direct = chi_square(theta);
        if (!std::isfinite(direct)) continue;
        if (!chi_square_->gram(theta, *columns_, form)) return false;
        const double by_form = columns_->chi_square(form, theta);
        if (!(std::abs(by_form - direct) <= agreement * (std::abs(direct) + form.back()))) return false;
    }
    return true;
}

void SpectralProblem::transform(MatrixView<const double> unit, MatrixView<double> parameters) const {
    for (std::size_t point = 0; point < unit.rows(); ++point) {
        for (std::size_t i = 0; i < priors_.size(); ++i)
            parameters(point, i) = priors_[i].transform(unit(point, i));
        for (const std::vector<std::size_t>& group : model_.sorted()) {
            std::array<double, most_sorted> values{};
            for (std::size_t j = 0; j < group.size(); ++j)
                values[j] = unit(point, group[j]);
            infer::sorted_uniforms(std::span(values).first(group.size()));
            for (std::size_t j = 0; j < group.size(); ++j)
                parameters(point, group[j]) = priors_[group[j]].transform(values[j]);
        }
    }
}

std::optional<double> SpectralProblem::amplitude_form(std::span<const double> parameters, std::span<double> form) const {
    if (!chi_square_->gram(parameters, *columns_, form)) return {};
    return log_normalisation_;
}

void SpectralProblem::log_likelihood(MatrixView<const double> parameters, std::span<double> values) const {
    chi_square_->evaluate(parameters, values);
    for (std::size_t point = 0; point < parameters.rows(); ++point)
        values[point] = log_normalisation_ - 0.5 * values[point];
}

double SpectralProblem::chi_square(std::span<const double> theta) const {
    double value = 0.0;
    chi_square_->evaluate({theta.data(), 1, theta.size()}, {&value, 1});
    return value;
}

}  // namespace aliquot::spectra
