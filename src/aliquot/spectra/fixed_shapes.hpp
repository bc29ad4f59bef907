#pragma once

#include <span>
#include <vector>

#include "aliquot/spectra/model.hpp"
#include "aliquot/spectra/template_grid.hpp"

namespace aliquot::spectra {

/// A broadened template whose width and stretch follow from fixed parameters alone: what it adds to the pixels is made once, and
/// only its amplitude varies.
struct FixedShape {
    const TemplateGrid* grid;
    double sigma_channels;
    double stretch;
    std::vector<double> value;  ///< at amplitude 1
};

/// Those of `model` on `wavelength`, at most most_fixed: templates that come out the same at different points of the prior.
/// Whoever uses one checks that a point's width and stretch are its own.
[[nodiscard]] std::vector<FixedShape> fixed_shapes(const Model& model, std::span<const double> wavelength);

}  // namespace aliquot::spectra
