#include <array>
#include <utility>

#include "aliquot/spectra/fit.hpp"

namespace aliquot::spectra {

std::string parameter_symbol(const std::string& name) {
    static constexpr std::array symbols{std::pair{"amplitude", "A"}, std::pair{"amp", "A"},    std::pair{"dv", "Δv"},
                                        std::pair{"sigma", "σ"},     std::pair{"stddev", "σ"}, std::pair{"alpha", "α"},
                                        std::pair{"wavec", "λ"},     std::pair{"x_0", "x_0"},  std::pair{"slope", "slope"},
                                        std::pair{"intercept", "c"}};
    for (const auto& [stem, symbol] : symbols) {
        if (!name.starts_with(stem)) continue;
        std::string rest = name.substr(std::string(stem).size());
        if (!rest.empty() && rest.front() == '_') rest.erase(0, 1);
        return rest.empty() ? symbol : std::string(symbol) + "_" + rest;
    }
    return name;
}

}  // namespace aliquot::spectra
