#include "aliquot/spectra/components/linear.hpp"

#include <algorithm>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::spectra {

std::span<const ParameterSpec> Constant::parameters() const {
    static const std::vector<ParameterSpec> table{{"amplitude", 1.0, -unbounded, unbounded, false, "flux"}};
    return table;
}

void Constant::evaluate(std::span<const double> /*wavelength*/, std::span<const double> values, std::span<double> flux) const {
    std::fill(flux.begin(), flux.end(), values[0]);
}

void Constant::emit(std::span<const double> values, TermSink& terms) const {
    terms.line(values[0], 0.0);
}

std::span<const ParameterSpec> Linear::parameters() const {
    static const std::vector<ParameterSpec> table{{"slope", 1.0, -unbounded, unbounded, false, "flux/Angstrom"},
                                                  {"intercept", 0.0, -unbounded, unbounded, false, "flux"}};
    return table;
}

void Linear::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i)
        flux[i] = values[0] * wavelength[i] + values[1];
}

void Linear::emit(std::span<const double> values, TermSink& terms) const {
    terms.line(values[1], values[0]);
}

std::span<const ParameterSpec> WindowedLinear::parameters() const {
    static const std::vector<ParameterSpec> table{{"c0", 1.0, -unbounded, unbounded, false, "flux"},
                                                  {"c1", 0.0, -unbounded, unbounded, false, "flux/Angstrom"},
                                                  {"x_min", 4000.0, -unbounded, unbounded, true, "Angstrom"},
                                                  {"x_max", 5000.0, -unbounded, unbounded, true, "Angstrom"}};
    return table;
}

void WindowedLinear::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const bool inside = wavelength[i] >= values[2] && wavelength[i] <= values[3];
        flux[i] = inside ? values[0] + values[1] * wavelength[i] : 0.0;
    }
}

Polynomial::Polynomial(std::size_t degree, double low, double high) {
    if (degree > 20) throw ConfigError(format("degree = {} (a polynomial has at most 20): lower it", degree));
    if (low != 0.0 || high != 0.0) {
        if (!(low < high)) throw ConfigError(format("domain = [{}, {}] (empty or reversed): give the low end first", low, high));
        centre_ = 0.5 * (low + high);
        half_ = 0.5 * (high - low);
    }
    for (std::size_t i = 0; i <= degree; ++i)
        table_.push_back({format("c{}", i), 0.0, -unbounded, unbounded, false, ""});
}

void Polynomial::evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const {
    for (std::size_t i = 0; i < wavelength.size(); ++i) {
        const double x = (wavelength[i] - centre_) / half_;
        double sum = 0.0;
        for (std::size_t k = values.size(); k-- > 0;)
            sum = sum * x + values[k];
        flux[i] = sum;
    }
}

void Polynomial::emit(std::span<const double> values, TermSink& terms) const {
    if (values.size() > 2) return terms.dense(*this, values);
    const double slope = values.size() == 2 ? values[1] / half_ : 0.0;
    terms.line(values[0] - slope * centre_, slope);
}

}  // namespace aliquot::spectra
