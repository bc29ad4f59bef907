#pragma once

#include <memory>
#include <span>
#include <string>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/math/dispatch.hpp"
#include "aliquot/spectra/amplitude_columns.hpp"
#include "aliquot/spectra/model.hpp"

namespace aliquot::spectra {

/// How the chi-square of a model against a spectrum is worked out. Model and data are bound once; evaluation is thread-safe.
class ChiSquare {
  public:
    ChiSquare() = default;
    ChiSquare(const ChiSquare&) = delete;
    ChiSquare& operator=(const ChiSquare&) = delete;
    virtual ~ChiSquare() = default;
    /// theta (batch, dimension) -> sum over pixels of ((flux - model) / error)^2. NaN where a parameter or the model is not
    /// finite.
    virtual void evaluate(MatrixView<const double> theta, std::span<double> chi_square) const = 0;
    /// The matrix G of chi-square = c' G c, c the coefficients of `columns` at theta, (count + 1) squared; it does not depend on
    /// the block's own parameters. False where a parameter or the model is not finite, and where no such matrix is worked out.
    [[nodiscard]] virtual bool gram(std::span<const double> /*theta*/, const AmplitudeColumns& /*columns*/,
                                    std::span<double> /*form*/) const {
        return false;
    }
    /// The model on the bound wavelengths.
    virtual void model(std::span<const double> theta, std::span<double> flux) const = 0;
    /// How it is done, in a few words for people.
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// The plain sum over the published formulas: the oracle, and the reference for timing. All of them keep a reference to `model`.
[[nodiscard]] std::unique_ptr<ChiSquare> make_dense_chi_square(const Model& model, std::span<const double> wavelength,
                                                               std::span<const double> flux, std::span<const double> error);

/// The compiled plan on tiles of pixels: lines touch only the pixels they reach, model and chi-square are fused.
[[nodiscard]] std::unique_ptr<ChiSquare> make_tile_chi_square(const Model& model, std::span<const double> wavelength,
                                                              std::span<const double> flux, std::span<const double> error,
                                                              math::SimdLevel level = math::simd_level());

/// Compressed cells (CellTree): oversampled spectra cost as much as their narrowest line asks for, not as their pixels. Sums of
/// terms only; what is not smooth in a cell (templates, lines narrower than the finest cell allows) is evaluated on its pixels.
[[nodiscard]] std::unique_ptr<ChiSquare> make_cell_chi_square(const Model& model, std::span<const double> wavelength,
                                                              std::span<const double> flux, std::span<const double> error,
                                                              math::SimdLevel level = math::simd_level());

/// The cheaper one of cells and tiles, by counting nodes and pixels at points of the prior; never by timing, so that the choice
/// is the same everywhere.
[[nodiscard]] std::unique_ptr<ChiSquare> make_chi_square(const Model& model, std::span<const double> wavelength,
                                                         std::span<const double> flux, std::span<const double> error,
                                                         math::SimdLevel level = math::simd_level());

}  // namespace aliquot::spectra
