#include "aliquot/cluster/shells.hpp"

#include <algorithm>
#include <cmath>

namespace aliquot::cluster {

std::vector<double> shell_radii(const Equilibrium& model, std::size_t component, double ratio, double depth_ratio) {
    const bool finite = std::isfinite(model.edge());
    const double end = finite ? model.edge() : model.lagrangian_radius(0.999, component);
    const double core = model.lagrangian_radius(1e-3, component);
    std::vector<double> radii{0.0, 0.4 * core, 0.7 * core, core};
    const double shallow = 1e-3 * model.potential(0.0);
    while (radii.back() < end) {
        const double from = radii.back();
        const double depth = model.potential(from);
        double to = std::min(ratio * from, end);
        if (finite && depth < shallow) {
            to = end;
        } else if (finite) {
            for (int i = 0; i < 40 && model.potential(to) < depth_ratio * depth; ++i)
                to = from + 0.5 * (to - from);
        }
        radii.push_back(end - to < 0.2 * (to - from) ? end : to);
    }
    return radii;
}

}  // namespace aliquot::cluster
