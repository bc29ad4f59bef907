#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::spectra {

class Component;
class TemplateGrid;

/// Where components put what they are made of, for one parameter vector. The compiled plan owns one per thread; how its terms
/// become a chi-square (tiles today) is no component's business.
class TermSink {
  public:
    virtual ~TermSink() = default;
    /// amplitude exp(-(x - centre)^2 / 2 sigma^2); centre and sigma in Angstrom.
    virtual void gaussian(double amplitude, double centre, double sigma) = 0;
    /// amplitude (x / reference)^exponent
    virtual void power(double amplitude, double reference, double exponent) = 0;
    /// intercept + slope x
    virtual void line(double intercept, double slope) = 0;
    /// amplitude T(x / stretch), T the template broadened by a Gaussian of `sigma_channels`, linear between channels, held
    /// constant outside.
    virtual void broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) = 0;
    /// Anything else: Component::evaluate on every pixel.
    virtual void dense(const Component& component, std::span<const double> values) = 0;
};

}  // namespace aliquot::spectra
