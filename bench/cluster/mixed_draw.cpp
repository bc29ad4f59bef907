#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/phase_sampler.hpp"

// One stage of progenax's memory script, which the command line has no words for: N stars stand where the isotropic model puts
// them (W0 7, g 1) and move as the anisotropic one (r_a 10) has it at that radius. Prints their mean square speed.
int main(int argc, char** argv) {
    using namespace aliquot;
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
    const cluster::LoweredModel isotropic = cluster::LoweredModel::king(7.0);
    const cluster::LoweredModel anisotropic = cluster::LoweredModel::king(7.0, 10.0);
    const cluster::PhaseSampler positions(isotropic, 0);
    const cluster::PhaseSampler velocities(anisotropic, 0, cluster::DrawMethod::table);
    double square = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) {
        RandomStream random(1, 0, i);
        const double radius = positions.draw(random).radius;
        const cluster::PhasePoint star = velocities.draw_at(radius, random);
        square += star.radial * star.radial + star.tangential * star.tangential;
    }
    std::printf("%.6f\n", square / static_cast<double>(count));
    return 0;
}
