#include "aliquot/spectra/fixed_shapes.hpp"

#include <algorithm>

#include "aliquot/spectra/kernels/tile.hpp"
#include "aliquot/spectra/terms.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::size_t points = 4;  // of the prior that are compared

struct Template {
    const TemplateGrid* grid;
    double sigma_channels;
    double stretch;
    bool operator==(const Template&) const = default;
};

/// Notes the templates of a model and forgets everything else.
class Templates final : public TermSink {
  public:
    void gaussian(double /*amplitude*/, double /*centre*/, double /*sigma*/) override {}
    void power(double /*amplitude*/, double /*reference*/, double /*exponent*/) override {}
    void line(double /*intercept*/, double /*slope*/) override {}
    void broadened(const TemplateGrid& shape, double sigma_channels, double /*amplitude*/, double stretch) override {
        all.push_back({&shape, sigma_channels, stretch});
    }
    void dense(const Component& /*component*/, std::span<const double> /*values*/) override {}

    std::vector<Template> all;
};

std::vector<Template> templates_at(const Model& model, std::uint64_t point) {
    const std::vector<double> values = model.expand(model.prior_point(point));
    Templates templates;
    for (std::size_t leaf = 0; leaf < model.leaves().size(); ++leaf)
        model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), templates);
    return templates.all;
}

}  // namespace

std::vector<FixedShape> fixed_shapes(const Model& model, std::span<const double> wavelength) {
    std::vector<Template> common = templates_at(model, 0);
    for (std::uint64_t point = 1; point < points; ++point) {
        const std::vector<Template> others = templates_at(model, point);
        std::erase_if(common, [&](const Template& t) { return std::find(others.begin(), others.end(), t) == others.end(); });
    }
    std::vector<FixedShape> shapes;
    for (const Template& t : common) {
        if (shapes.size() == most_fixed) break;
        FixedShape shape{t.grid, t.sigma_channels, t.stretch, std::vector<double>(wavelength.size())};
        project(*t.grid, gaussian_filter(t.grid->value(), t.sigma_channels), 1.0, t.stretch, wavelength, shape.value);
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

}  // namespace aliquot::spectra
