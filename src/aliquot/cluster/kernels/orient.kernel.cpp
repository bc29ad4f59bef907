#include "aliquot/cluster/kernels/orient.hpp"

#include "aliquot/math/simd_vector.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

constexpr double half_pi = 1.57079632679489661923;

struct CirclePoints {
    vector_f64 cosine, sine;
};

/// cos and sin of 2 pi u for u in [0, 1), to rounding: the nearest quarter turn is exact, Taylor series do the rest. Without
/// fused operations: every instruction set gives the same bits.
ALIQUOT_KERNEL_INLINE CirclePoints on_circle(vector_f64 u) {
    const vector_f64 shift = broadcast(0x1.8p52);
    const vector_f64 four = u * 4.0;
    const vector_f64 quarter = (four + shift) - shift;
    const vector_f64 x = (four - quarter) * half_pi;
    const vector_f64 y = x * x;
    const vector_f64 s =
        x * (1.0 + y * (-1.0 / 6 +
                        y * (1.0 / 120 +
                             y * (-1.0 / 5040 +
                                  y * (1.0 / 362880 + y * (-1.0 / 39916800 + y * (1.0 / 6227020800.0 - y / 1307674368000.0)))))));
    const vector_f64 c =
        1.0 + y * (-0.5 + y * (1.0 / 24 + y * (-1.0 / 720 + y * (1.0 / 40320 + y * (-1.0 / 3628800 + y * (1.0 / 479001600.0 -
                                                                                                          y / 87178291200.0))))));
    const vector_f64 zero{};
    const vector_f64 one = broadcast(1.0);
    // cos and sin of the quarter turns 0 to 4.
    const vector_f64 qc = quarter == 0.0 ? one : quarter == 4.0 ? one : quarter == 2.0 ? -one : zero;
    const vector_f64 qs = quarter == 1.0 ? one : quarter == 3.0 ? -one : zero;
    return {qc * c - qs * s, qs * c + qc * s};
}

ALIQUOT_KERNEL_INLINE vector_f64 root(vector_f64 a) {
#if defined(ALIQUOT_ISA_v4)
    return _mm512_maskz_sqrt_pd(0xFF, a);  // the plain form warns of an uninitialised value in g++ 12
#elif defined(ALIQUOT_ISA_v3)
    return _mm256_sqrt_pd(a);
#else
    return _mm_sqrt_pd(a);
#endif
}

}  // namespace

void orient(const cluster::UnturnedStars& stars, std::size_t count, double length, double speed,
            cluster::TurnedStars& turned) noexcept {
    for (std::size_t i = 0; i < count; i += simd_width) {
        const vector_f64 cosine = load(stars.height + i) * 2.0 - 1.0;
        const vector_f64 sine = root((1.0 - cosine) * (1.0 + cosine));
        const CirclePoints l = on_circle(load(stars.azimuth + i));
        const CirclePoints a = on_circle(load(stars.turn + i));
        const vector_f64 radial = load(stars.radial + i);
        const vector_f64 along = load(stars.tangential + i) * a.cosine;
        const vector_f64 around = load(stars.tangential + i) * a.sine;
        const vector_f64 r = load(stars.radius + i) * length;
        const vector_f64 flat = radial * sine + along * cosine;
        store(turned.x + i, r * sine * l.cosine);
        store(turned.y + i, r * sine * l.sine);
        store(turned.z + i, r * cosine);
        store(turned.vx + i, speed * (flat * l.cosine - around * l.sine));
        store(turned.vy + i, speed * (flat * l.sine + around * l.cosine));
        store(turned.vz + i, speed * (radial * cosine - along * sine));
    }
}

}  // namespace aliquot::ALIQUOT_ISA
