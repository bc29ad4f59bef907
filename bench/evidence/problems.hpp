#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aliquot/infer/problem.hpp"

namespace aliquot::bench {

/// A problem whose evidence is known from outside the sampler.
struct EvidenceProblem {
    std::string name;
    std::size_t live_points;
    double dlogz;
    double truth;        ///< ln Z
    double truth_error;  ///< of the quadrature or sum it comes from
    std::function<std::unique_ptr<infer::Problem>()> make;
};

/// Problems with closed-form or quadrature evidence: correlated Gaussians (gaussian_2 ... gaussian_40), one with axes from 1e-3
/// to 1, half of one, many of unequal weight, Gaussian shells (shells_2 ... shells_30), the egg box, Rosenbrock, LogGamma, spike
/// and slab, funnel, wedding cake, plateaus with a wall and with a hill, a phase, and the four demos of JNesty with the priors of
/// its code.
[[nodiscard]] std::vector<EvidenceProblem> analytic_problems();

/// Spectra of lines and a polynomial with Gaussian priors on the amplitudes: linear_8, linear_21 and linear_40, whose ln Z is a
/// closed form; semi_linear_10 and semi_linear_22 with a shift and a width besides, whose ln Z is the quadrature of that form
/// over the two, and marginal_10 and marginal_22, the same with the amplitudes integrated out, which sample the two alone.
[[nodiscard]] std::vector<EvidenceProblem> linear_problems();

/// The [O III] fit of examples/oiii.toml at 1x and 8x sampling, and the 22 parameters of examples/agn_22.toml; empty where the
/// data is not found.
[[nodiscard]] std::vector<EvidenceProblem> spectral_problems();

}  // namespace aliquot::bench
