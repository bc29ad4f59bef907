#include <cstdio>
#include <nlohmann/json.hpp>

#include "aliquot/core/parallel.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/math/dispatch.hpp"
#include "aliquot/spectra/registry.hpp"
#include "app/commands.hpp"

namespace aliquot::app {

int run_info(bool json) {
    std::vector<std::string> levels;
    for (const math::SimdLevel level : math::available_simd_levels())
        levels.emplace_back(math::to_string(level));
    const std::string chosen(math::to_string(math::simd_level()));
    const std::size_t threads = Threads().count();
    if (json) {
        nlohmann::ordered_json classes = nlohmann::ordered_json::array();
        for (const spectra::ComponentClass& c : spectra::component_classes())
            classes.push_back({{"class", c.name}, {"arguments", c.arguments}, {"summary", c.summary}});
        const nlohmann::ordered_json info = {{"version", version},
                                             {"instruction_sets", levels},
                                             {"instruction_set", chosen},
                                             {"threads", threads},
                                             {"components", classes}};
        std::printf("%s\n", info.dump(2).c_str());
        return 0;
    }
    std::string list;
    for (const std::string& level : levels)
        list += (list.empty() ? "" : ", ") + level;
    std::printf("aliquot %s\n", version);
    std::printf("instruction sets  %s; using %s (force one with ALIQUOT_SIMD)\n", list.c_str(), chosen.c_str());
    std::printf("threads           %zu\n", threads);
    std::printf("components\n");
    for (const spectra::ComponentClass& c : spectra::component_classes())
        std::printf("  %-24s %-26s %s\n", std::string(c.name).c_str(), std::string(c.arguments).c_str(),
                    std::string(c.summary).c_str());
    return 0;
}

}  // namespace aliquot::app
