#include "aliquot/spectra/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/spectra/components/continuum_shapes.hpp"
#include "aliquot/spectra/components/gaussian_1d.hpp"
#include "aliquot/spectra/components/iron_template.hpp"
#include "aliquot/spectra/components/line_absorption.hpp"
#include "aliquot/spectra/components/line_gaussian.hpp"
#include "aliquot/spectra/components/line_hermite.hpp"
#include "aliquot/spectra/components/line_multi_gauss.hpp"
#include "aliquot/spectra/components/line_template.hpp"
#include "aliquot/spectra/components/line_wings.hpp"
#include "aliquot/spectra/components/linear.hpp"
#include "aliquot/spectra/components/power_law.hpp"
#include "aliquot/spectra/components/star_spectrum.hpp"

namespace aliquot::spectra {

namespace {

template <typename T>
std::shared_ptr<const Component> plain(const io::ConfigTable& /*table*/, const DataPaths& /*paths*/) {
    return std::make_shared<T>();
}

std::size_t gaussians_of(const io::ConfigTable& table) {
    const auto components = table.get<std::size_t>("n_components", 1);
    if (components < 1 || components > 20)
        table.fail("n_components", format("n_components = {} (a profile has 1 to 20 Gaussians): change it", components));
    return components;
}

template <typename T>
std::shared_ptr<const Component> profile(const io::ConfigTable& table, const DataPaths& /*paths*/) {
    return std::make_shared<T>(gaussians_of(table));
}

std::shared_ptr<const Component> polynomial(const io::ConfigTable& table, const DataPaths& /*paths*/) {
    const auto degree = table.require<std::size_t>("degree");
    const auto domain = table.get<std::vector<double>>("domain", {0.0, 0.0});
    if (domain.size() != 2)
        table.fail("domain", format("domain takes two wavelengths, low and high (here are {})", domain.size()));
    return std::make_shared<Polynomial>(degree, domain[0], domain[1]);
}

template <typename T>
std::shared_ptr<const Component> hermite(const io::ConfigTable& table, const DataPaths& /*paths*/) {
    return std::make_shared<T>(table.get<bool>("clip", true));
}

template <typename T>
std::shared_ptr<const Component> velocity_profile(const io::ConfigTable& table, const DataPaths& paths) {
    return std::make_shared<T>(read_velocity_profile(paths.resolve(table.require<std::string>("profile"))));
}

double velscale_of(const io::ConfigTable& table, double otherwise) {
    const auto velscale = table.get<double>("velscale", otherwise);
    if (!(velscale >= 0.0 && std::isfinite(velscale)))
        table.fail(
            "velscale",
            format("velscale = {} (a channel's width in km/s): give a positive number, or 0 for the star's own", velscale));
    return velscale;
}

std::shared_ptr<const Component> star(const io::ConfigTable& table, const DataPaths& paths) {
    return std::make_shared<StarSpectrum>(read_template(paths.resolve(table.require<std::string>("template"))),
                                          velscale_of(table, 0.0));
}

std::shared_ptr<const Component> stars(const io::ConfigTable& table, const DataPaths& paths) {
    std::vector<TemplateSpectrum> all;
    for (const std::string& file : table.require<std::vector<std::string>>("templates"))
        all.push_back(read_template(paths.resolve(file)));
    return std::make_shared<MultiStarSpectrum>(all, velscale_of(table, 69.0));
}

std::shared_ptr<const Component> iron_tied(const io::ConfigTable& table, const DataPaths& paths) {
    return std::make_shared<IronTemplateTied>(read_template(paths.resolve(table.require<std::string>("template"))),
                                              table.require<double>("intrinsic_fwhm"), gaussians_of(table));
}

template <typename T>
std::shared_ptr<const Component> iron(const io::ConfigTable& table, const DataPaths& paths) {
    const TemplateSpectrum spectrum = read_template(paths.resolve(table.require<std::string>("template")));
    return std::make_shared<T>(spectrum, table.require<double>("intrinsic_fwhm"));
}

constexpr std::array classes{
    ComponentClass{"BlackBody", "", "Planck's law, scaled at x_0", plain<BlackBody>},
    ComponentClass{"BrokenPowerLaw1D", "", "two power laws that meet at x_break", plain<BrokenPowerLaw>},
    ComponentClass{"Const1D", "", "a constant", plain<Constant>},
    ComponentClass{"Gaussian1D", "", "a Gaussian in wavelength", plain<Gaussian1D>},
    ComponentClass{"IronTemplate", "template, intrinsic_fwhm", "Fe II template on its own grid, the published CPU form",
                   iron<IronTemplate>},
    ComponentClass{"IronTemplate_new", "template, intrinsic_fwhm", "Fe II template broadened on an even grid of ln(wavelength)",
                   iron<IronTemplateNew>},
    ComponentClass{"IronTemplate_tied", "template, intrinsic_fwhm, n_components",
                   "Fe II template convolved with the shape of a broad line, to be tied to it", iron_tied},
    ComponentClass{"Line_Absorption", "", "transmission of an absorption line, to be multiplied with", plain<LineAbsorption>},
    ComponentClass{"Line_Absorption_doublet", "", "transmission of two absorption lines", plain<LineAbsorptionDoublet>},
    ComponentClass{"Line_Exponential", "", "exponential wings convolved with a Gaussian", plain<LineExponential>},
    ComponentClass{"Line_GaussHermite", "clip", "a line with skewness and kurtosis", hermite<LineGaussHermite>},
    ComponentClass{"Line_GaussHermite_doublet", "clip", "two such lines of one shape", hermite<LineGaussHermiteDoublet>},
    ComponentClass{"Line_Gaussian", "", "one Gaussian line", plain<LineGaussian>},
    ComponentClass{"Line_Lorentz", "", "a Lorentzian line", plain<LineLorentz>},
    ComponentClass{"Line_MultiGauss", "n_components", "a line of a core and winds", profile<LineMultiGauss>},
    ComponentClass{"Line_MultiGauss_doublet", "n_components", "two lines of one core-and-winds profile",
                   profile<LineMultiGaussDoublet>},
    ComponentClass{"Line_Voigt", "", "a Gaussian convolved with a Lorentzian", plain<LineVoigt>},
    ComponentClass{"Line_template", "profile", "a measured line profile", velocity_profile<LineTemplate>},
    ComponentClass{"Line_template_doublet", "profile", "two lines of one measured profile",
                   velocity_profile<LineTemplateDoublet>},
    ComponentClass{"Linear1D", "", "a straight line", plain<Linear>},
    ComponentClass{"Multi_StarSpectrum", "templates, velscale", "stars of one dispersion", stars},
    ComponentClass{"Polynomial1D", "degree, domain", "a polynomial in raw wavelength, or from -1 to 1 over a domain", polynomial},
    ComponentClass{"PowerLaw1D", "", "amplitude (x / x_0)^(-alpha)", plain<PowerLaw>},
    ComponentClass{"StarSpectrum", "template, velscale", "a broadened star", star},
    ComponentClass{"WindowedLinear", "", "a straight line within a window", plain<WindowedLinear>},
    ComponentClass{"WindowedPowerLaw1D", "", "a power law within a window", plain<WindowedPowerLaw>},
    ComponentClass{"extinction_calzetti00", "", "dust in a starburst, to be multiplied with", plain<ExtinctionCalzetti>},
    ComponentClass{"extinction_ccm89", "", "dust in the source, to be multiplied with", plain<ExtinctionCcm89>},
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
