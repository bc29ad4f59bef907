#pragma once

#include <cstddef>
#include <vector>

namespace aliquot::cluster {

/// Stars (or centres of mass) as flat columns of one length, all in one unit system; order is meaning: where a cluster has
/// primordial binaries their components come first, side by side.
struct Stars {
    std::vector<double> mass;
    std::vector<double> x, y, z;
    std::vector<double> vx, vy, vz;

    [[nodiscard]] std::size_t size() const { return mass.size(); }
    void resize(std::size_t count) {
        for (auto* column : {&mass, &x, &y, &z, &vx, &vy, &vz})
            column->resize(count);
    }
    void append(const Stars& other) {
        const auto join = [](std::vector<double>& to, const std::vector<double>& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        join(mass, other.mass);
        join(x, other.x);
        join(y, other.y);
        join(z, other.z);
        join(vx, other.vx);
        join(vy, other.vy);
        join(vz, other.vz);
    }
};

}  // namespace aliquot::cluster
