#include "aliquot/spectra/problem.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "aliquot/core/contract.hpp"

namespace aliquot::spectra {

SpectralProblem::SpectralProblem(const Model& model, const Spectrum& spectrum)
    : model_(model), chi_square_(make_chi_square(model, spectrum.wavelength_angstrom, spectrum.flux, spectrum.error)) {
    ALIQUOT_EXPECT(spectrum.error.size() == spectrum.size());
    for (const std::size_t index : model.free())
        priors_.push_back(*model.parameters()[index].prior);
    for (const double error : spectrum.error)
        log_normalisation_ -= 0.5 * std::log(2.0 * std::numbers::pi * error * error);
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
