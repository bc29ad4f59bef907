#include "aliquot/spectra/components/convolved.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

namespace {

/// Takes the Gaussians of a component of lines, which emits nothing else, and hands each on.
template <typename Use>
class Gaussians final : public TermSink {
  public:
    explicit Gaussians(const Use& use) : use_(use) {}
    void gaussian(double amplitude, double centre, double sigma) override { use_(amplitude, centre, sigma); }
    void power(double /*amplitude*/, double /*reference*/, double /*exponent*/) override { ALIQUOT_EXPECT(false); }
    void line(double /*intercept*/, double /*slope*/) override { ALIQUOT_EXPECT(false); }
    void broadened(const TemplateGrid& /*shape*/, double /*sigma*/, double /*amplitude*/, double /*stretch*/) override {
        ALIQUOT_EXPECT(false);
    }
    void dense(const Component& /*component*/, std::span<const double> /*values*/) override { ALIQUOT_EXPECT(false); }

  private:
    const Use& use_;
};

template <typename Use>
void for_each_convolved(const Component& lines, std::span<const double> values, double lsf_sigma, const Use& use) {
    const auto broaden = [&](double amplitude, double centre, double sigma) {
        const double broad = std::sqrt(sigma * sigma + lsf_sigma * lsf_sigma);
        use(amplitude * sigma / broad, centre, broad);
    };
    Gaussians sink(broaden);
    lines.emit(values, sink);
}

}  // namespace

Convolved::Convolved(std::shared_ptr<const Component> lines, double lsf_sigma) : lines_(std::move(lines)), lsf_sigma_(lsf_sigma) {
    if (!lines_->gaussian_lines())
        throw ConfigError(
            format("a line-spread function on {} (only Gaussian lines have a closed form): leave it out", lines_->type()));
    if (!(lsf_sigma > 0.0 && std::isfinite(lsf_sigma)))
        throw ConfigError(format("line-spread function of {} Angstrom (must be positive): change it", lsf_sigma));
}

void Convolved::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), 0.0);
    for_each_convolved(*lines_, values, lsf_sigma_, [&](double amplitude, double centre, double sigma) {
        for (std::size_t i = 0; i < wavelength.size(); ++i) {
            const double u = (wavelength[i] - centre) / sigma;
            flux[i] += amplitude * std::exp(-0.5 * u * u);
        }
    });
}

void Convolved::emit(std::span<const double> values, TermSink& terms) const {
    for_each_convolved(*lines_, values, lsf_sigma_,
                       [&](double amplitude, double centre, double sigma) { terms.gaussian(amplitude, centre, sigma); });
}

std::vector<ComponentPart> Convolved::parts(std::span<const double> values) const {
    std::vector<ComponentPart> all = lines_->parts(values);
    for (ComponentPart& part : all)
        part.component = std::make_shared<Convolved>(part.component, lsf_sigma_);
    return all;
}

}  // namespace aliquot::spectra
