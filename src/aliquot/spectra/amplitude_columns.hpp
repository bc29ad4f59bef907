#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "aliquot/infer/amplitude_block.hpp"
#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/plan.hpp"

namespace aliquot::spectra {

/// How a model that is one sum of terms depends on its amplitudes: the model is the sum over columns of a product of block
/// parameters times terms that only the other parameters decide.
struct AmplitudeColumns {
    infer::AmplitudeBlock block;              ///< coordinates are indices into theta
    std::vector<std::size_t> column_of_term;  ///< in order of emission; a straight line is two terms, intercept and slope

    [[nodiscard]] std::size_t count() const { return block.products.size(); }
    /// The coefficients of the columns at theta, and -1 for the data.
    [[nodiscard]] std::vector<double> coefficients(std::span<const double> theta) const;
    /// c' G c, with the coefficients at theta and the form of ChiSquare::gram.
    [[nodiscard]] double chi_square(std::span<const double> form, std::span<const double> theta) const;
};

/// Found by looking: at points of the prior, a free parameter belongs to the block if doubling it doubles the amplitudes of
/// always the same terms to the bit and changes nothing else. Sorted parameters do not. Empty where none belongs to it, where the
/// plan has products of sums, or where a point has other terms than the first.
[[nodiscard]] std::optional<AmplitudeColumns> amplitude_columns(const Model& model, const Plan& plan);

}  // namespace aliquot::spectra
