#pragma once

#include "aliquot/math/chebyshev.hpp"

namespace aliquot::cluster {

/// Velocity integrals of the lowered isothermal distribution function (Gieles & Zocchi 2015, MNRAS 454, 576, eq. 1)
///
///     f(E, J^2) = A E_g(W - k) exp(-p^2 k (1 - q^2)),  k = v^2 / 2 s^2 < W,  q = v_r / v,  p = r / r_a,
///
/// in closed form; s is the velocity scale and W = (phi(r_t) - phi) / s^2 the depth. All integrals are over velocity and carry
/// the factor A (2 pi s^2)^(3/2), which cancels from every profile. Fixed truncation g: the special functions are tabulated once.
class LoweredLaw {
  public:
    /// Truncation 0 <= g < 3.5 (0 Woolley, 1 King, 2 Wilson); `anisotropic` tables too where p > 0 will be asked for.
    LoweredLaw(double g, bool anisotropic);

    [[nodiscard]] double truncation() const { return g_; }

    /// I_rho exp(-shift): density (their eq. 12 with the corrected index g + 3/2). W >= 0, p >= 0. `shift` keeps deep components
    /// within range.
    [[nodiscard]] double density(double depth, double p, double shift = 0.0) const;

    struct Pressures {
        double radial;      ///< I_r = rho <v_r^2> / s^2
        double tangential;  ///< I_t = rho <v_t^2> / s^2, both tangential components together
    };
    /// The second moments, times exp(-shift).
    [[nodiscard]] Pressures pressures(double depth, double p, double shift = 0.0) const;

    /// E_g(energy), the distribution function of relative energy in units of s^2, times exp(-shift); 0 below the edge.
    [[nodiscard]] double phase_density(double energy, double shift = 0.0) const;

  private:
    /// E_gamma of one index from a table of 1F1(gamma; gamma + 1; -x) on [0, 40].
    class LoweredExponential {
      public:
        LoweredExponential() = default;
        explicit LoweredExponential(double gamma);
        [[nodiscard]] double operator()(double x, double shift) const;

      private:
        double gamma_ = 0.0;
        double norm_ = 1.0;  ///< 1 / Gamma(gamma + 1)
        math::PiecewiseChebyshev series_;
    };

    [[nodiscard]] double hyp1f1(const math::PiecewiseChebyshev& table, double b, double x) const;

    double g_;
    double density_norm_;   ///< 1 / Gamma(g + 5/2)
    double pressure_norm_;  ///< 1 / Gamma(g + 7/2)
    LoweredExponential phase_;
    LoweredExponential density_;
    LoweredExponential pressure_;
    math::PiecewiseChebyshev density_kummer_;   ///< 1F1(1; g + 5/2; -x)
    math::PiecewiseChebyshev pressure_kummer_;  ///< 1F1(1; g + 7/2; -x)
};

}  // namespace aliquot::cluster
