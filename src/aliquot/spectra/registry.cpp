#include "aliquot/spectra/registry.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"

namespace aliquot::spectra {

namespace {

template <typename T>
std::shared_ptr<const Component> plain(const io::ConfigTable& /*table*/, const DataPaths& /*paths*/) {
    return std::make_shared<T>();
}

template <typename T>
std::shared_ptr<const Component> profile(const io::ConfigTable& table, const DataPaths& /*paths*/) {
    const auto components = table.get<std::size_t>("n_components", 1);
    if (components < 1 || components > 20)
        table.fail("n_components", format("n_components = {} (a profile has 1 to 20 Gaussians): change it", components));
    return std::make_shared<T>(components);
}

template <typename T>
std::shared_ptr<const Component> iron(const io::ConfigTable& table, const DataPaths& paths) {
    const TemplateSpectrum spectrum = read_template(paths.resolve(table.require<std::string>("template")));
    return std::make_shared<T>(spectrum, table.require<double>("intrinsic_fwhm"));
}

constexpr std::array classes{
    ComponentClass{"Const1D", "", "a constant", plain<Constant>},
    ComponentClass{"IronTemplate", "template, intrinsic_fwhm", "Fe II template on its own grid, the published CPU form",
                   iron<IronTemplate>},
    ComponentClass{"IronTemplate_new", "template, intrinsic_fwhm", "Fe II template broadened on an even grid of ln(wavelength)",
                   iron<IronTemplateNew>},
    ComponentClass{"Line_Gaussian", "", "one Gaussian line", plain<LineGaussian>},
    ComponentClass{"Line_MultiGauss", "n_components", "a line of a core and winds", profile<LineMultiGauss>},
    ComponentClass{"Line_MultiGauss_doublet", "n_components", "two lines of one core-and-winds profile",
                   profile<LineMultiGaussDoublet>},
    ComponentClass{"Linear1D", "", "a straight line", plain<Linear>},
    ComponentClass{"PowerLaw1D", "", "amplitude (x / x_0)^(-alpha)", plain<PowerLaw>},
};

}  // namespace

std::span<const ComponentClass> component_classes() {
    return classes;
}

std::shared_ptr<const Component> make_component(const io::ConfigTable& table, const DataPaths& paths) {
    const auto name = table.require<std::string>("class");
    const auto found = std::find_if(classes.begin(), classes.end(), [&](const ComponentClass& c) { return c.name == name; });
    if (found == classes.end()) {
        std::vector<std::string> names;
        for (const ComponentClass& c : classes)
            names.emplace_back(c.name);
        table.fail("class", format("unknown component class \"{}\"{}", name, suggest(name, names)));
    }
    return found->make(table, paths);
}

}  // namespace aliquot::spectra
