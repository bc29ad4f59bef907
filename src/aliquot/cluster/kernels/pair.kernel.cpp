#include "aliquot/cluster/kernels/pair.hpp"

#include "aliquot/math/simd_vector.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

using cluster::pair_lanes;
using cluster::PairColumns;
using cluster::PairFields;
using cluster::PairRange;

constexpr std::size_t width = simd_width;
constexpr double least_squared = 0x1p-300;  // below it 1 / r^3 nears the end of the range
constexpr std::size_t rows_at_once = 4;     // stars i that share each load of stars j

/// y[k] = 1 / sqrt(a[k]) to full double precision, step by step for all k: the chains of operations are long and independent. At
/// v3 the seed (rsqrtps, 12 bits, single precision range) is corrected to fifth order, at v4 (rsqrt14pd) to fourth. An argument
/// that is zero or below least_squared (at v3 2^-126) gives NaN or infinity, never a wrong number: whoever sums sees it in the
/// sum and takes these pairs one by one.
template <std::size_t Count>
ALIQUOT_KERNEL_INLINE void inverse_roots(const vector_f64 (&a)[Count], vector_f64 (&y)[Count]) {
#if defined(ALIQUOT_ISA_v3) || defined(ALIQUOT_ISA_v4)
    vector_f64 e[Count], p[Count];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k) {
#if defined(ALIQUOT_ISA_v4)
        const __mmask8 inside = _mm512_cmp_pd_mask(a[k], broadcast(least_squared), _CMP_GE_OQ);
        y[k] = _mm512_mask_rsqrt14_pd(broadcast(__builtin_nan("")), inside, a[k]);
#else
        y[k] = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(a[k])));
#endif
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k)
        e[k] = fused(-(a[k] * y[k]), y[k], broadcast(1.0));
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k) {
#if defined(ALIQUOT_ISA_v4)
        p[k] = fused(broadcast(0.3125), e[k], broadcast(0.375));
#else
        p[k] = fused(broadcast(0.2734375), e[k], broadcast(0.3125));
#endif
    }
#if defined(ALIQUOT_ISA_v3)
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k)
        p[k] = fused(p[k], e[k], broadcast(0.375));
#endif
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k)
        p[k] = fused(p[k], e[k], broadcast(0.5));
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k)
        e[k] = e[k] * y[k];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Count; ++k)
        y[k] = fused(e[k], p[k], y[k]);
#else
    for (std::size_t k = 0; k < Count; ++k) {
        const vector_f64 root = __builtin_ia32_sqrtpd(a[k]);
        y[k] = a[k] >= broadcast(least_squared) ? broadcast(1.0) / root : broadcast(__builtin_nan(""));
    }
#endif
}

ALIQUOT_KERNEL_INLINE double sum_lanes(vector_f64 v) {
    double lanes[width];
    store(lanes, v);
    for (std::size_t half = width / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i)
            lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

/// One pair by itself, at any distance.
struct PairTerm {
    double inverse;     ///< 1 / r, 0 for an unsoftened pair at zero distance
    double dx, dy, dz;  ///< (x_j - x_i) / r^3 and so on
};

ALIQUOT_KERNEL_INLINE PairTerm one_pair(const PairColumns& s, std::size_t i, std::size_t j, std::uint64_t& coincident) {
    double dx = s.x[j] - s.x[i];
    double dy = s.y[j] - s.y[i];
    double dz = s.z[j] - s.z[i];
    if (s.softening_squared == 0.0 && dx == 0.0 && dy == 0.0 && dz == 0.0) {
        ++coincident;
        return {0.0, 0.0, 0.0, 0.0};
    }
    double squared = dz * dz + (dy * dy + (dx * dx + s.softening_squared));
    double scale = 1.0;
    if (squared < 0x1p-960) {  // the squares lose digits, or vanish
        scale = 0x1p500;
        dx *= scale;
        dy *= scale;
        dz *= scale;
        squared = dz * dz + (dy * dy + (dx * dx + s.softening_squared * scale * scale));
    }
    const double inverse = 1.0 / __builtin_sqrt(squared);
    const double square = inverse * inverse * scale * scale;
    return {inverse * scale, square * (dx * inverse), square * (dy * inverse), square * (dz * inverse)};
}

ALIQUOT_KERNEL_INLINE double one_row(const PairColumns& s, std::size_t i, std::size_t first, std::size_t last,
                                     std::uint64_t& coincident) {
    double sum = 0.0;
    for (std::size_t j = first; j < last; ++j)
        sum += s.mass[j] * one_pair(s, i, j, coincident).inverse;
    return s.mass[i] * sum;
}

void one_pair_forces(const PairColumns& s, std::size_t i, std::size_t j, const PairFields& f, std::uint64_t& coincident) {
    const PairTerm t = one_pair(s, i, j, coincident);
    const double mi = s.mass[i];
    const double mj = s.mass[j];
    f.ax[i] += mj * t.dx;
    f.ay[i] += mj * t.dy;
    f.az[i] += mj * t.dz;
    f.potential[i] += mj * t.inverse;
    f.ax[j] -= mi * t.dx;
    f.ay[j] -= mi * t.dy;
    f.az[j] -= mi * t.dz;
    f.potential[j] += mi * t.inverse;
}

/// rows_at_once stars i: sums over j of m_j / r, lane by lane.
struct EnergyRows {
    vector_f64 x[rows_at_once], y[rows_at_once], z[rows_at_once], sum[rows_at_once];
};

ALIQUOT_KERNEL_INLINE void add_energy(EnergyRows& rows, const double* x, const double* y, const double* z, const double* mass,
                                      vector_f64 softening_squared) {
    const vector_f64 xj = load(x);
    const vector_f64 yj = load(y);
    const vector_f64 zj = load(z);
    const vector_f64 mj = load(mass);
    vector_f64 squared[rows_at_once], inverse[rows_at_once];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < rows_at_once; ++k) {
        const vector_f64 dx = rows.x[k] - xj;
        squared[k] = fused(dx, dx, softening_squared);
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < rows_at_once; ++k) {
        const vector_f64 dy = rows.y[k] - yj;
        squared[k] = fused(dy, dy, squared[k]);
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < rows_at_once; ++k) {
        const vector_f64 dz = rows.z[k] - zj;
        squared[k] = fused(dz, dz, squared[k]);
    }
    inverse_roots(squared, inverse);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < rows_at_once; ++k)
        rows.sum[k] = fused(mj, inverse[k], rows.sum[k]);
}

ALIQUOT_KERNEL_INLINE std::size_t round_up(std::size_t n, std::size_t step) {
    return (n + step - 1) / step * step;
}

}  // namespace

double pair_energy(const PairColumns& stars, PairRange rows, PairRange columns, std::uint64_t& coincident) noexcept {
    const PairColumns s = stars;
    const bool triangle = rows.first == columns.first;
    const vector_f64 softening_squared = broadcast(s.softening_squared);
    double total = 0.0;
    for (std::size_t i = rows.first; i < rows.last; i += rows_at_once) {
        const std::size_t end = i + rows_at_once < rows.last ? i + rows_at_once : rows.last;
        std::size_t first = columns.first;
        if (triangle) {
            first = columns.first + round_up(end - columns.first, width);
            first = first < columns.last ? first : columns.last;
            for (std::size_t k = i; k < end; ++k)
                total += one_row(s, k, k + 1, first, coincident);
        }
        EnergyRows tile;
        for (std::size_t k = 0; k < rows_at_once; ++k) {
            const std::size_t row = i + k < end ? i + k : i;  // a row too many repeats the first and is not summed below
            tile.x[k] = broadcast(s.x[row]);
            tile.y[k] = broadcast(s.y[row]);
            tile.z[k] = broadcast(s.z[row]);
            tile.sum[k] = vector_f64{};
        }
        std::size_t j = first;
        for (; j + width <= columns.last; j += width)
            add_energy(tile, s.x + j, s.y + j, s.z + j, s.mass + j, softening_squared);
        if (j < columns.last) {
            double x[width], y[width], z[width], mass[width];
            for (std::size_t lane = 0; lane < width; ++lane) {
                const bool inside = j + lane < columns.last;
                x[lane] = inside ? s.x[j + lane] : 4.0;
                y[lane] = inside ? s.y[j + lane] : 4.0;
                z[lane] = inside ? s.z[j + lane] : 4.0;
                mass[lane] = inside ? s.mass[j + lane] : 0.0;
            }
            add_energy(tile, x, y, z, mass, softening_squared);
        }
        double sum = 0.0;
        for (std::size_t k = 0; i + k < end; ++k)
            sum += s.mass[i + k] * sum_lanes(tile.sum[k]);
        if (sum - sum != 0.0) {  // a pair nearer than the seed's range
            sum = 0.0;
            for (std::size_t k = i; k < end; ++k)
                sum += one_row(s, k, first, columns.last, coincident);
        }
        total += sum;
    }
    return total;
}

void pair_forces(const PairColumns& stars, PairRange rows, PairRange columns, const PairFields& fields,
                 std::uint64_t& coincident) noexcept {
    const PairColumns s = stars;
    const PairFields f = fields;
    const bool triangle = rows.first == columns.first;
    const vector_f64 softening_squared = broadcast(s.softening_squared);
    for (std::size_t i = rows.first; i < rows.last; i += rows_at_once) {
        std::size_t first = columns.first;
        if (triangle) {
            first = round_up(i + rows_at_once, width);
            for (std::size_t k = i; k < i + rows_at_once; ++k) {
                for (std::size_t j = k + 1; j < first; ++j)
                    one_pair_forces(s, k, j, f, coincident);
            }
        }
        vector_f64 xi[rows_at_once], yi[rows_at_once], zi[rows_at_once], mi[rows_at_once];
        vector_f64 ax[rows_at_once], ay[rows_at_once], az[rows_at_once], potential[rows_at_once];
        for (std::size_t k = 0; k < rows_at_once; ++k) {
            xi[k] = broadcast(s.x[i + k]);
            yi[k] = broadcast(s.y[i + k]);
            zi[k] = broadcast(s.z[i + k]);
            mi[k] = broadcast(s.mass[i + k]);
            ax[k] = ay[k] = az[k] = potential[k] = vector_f64{};
        }
        for (std::size_t j = first; j < columns.last; j += width) {
            const vector_f64 xj = load(s.x + j);
            const vector_f64 yj = load(s.y + j);
            const vector_f64 zj = load(s.z + j);
            const vector_f64 mj = load(s.mass + j);
            vector_f64 dx[rows_at_once], dy[rows_at_once], dz[rows_at_once], squared[rows_at_once], q[rows_at_once];
#pragma GCC unroll 4
            for (std::size_t k = 0; k < rows_at_once; ++k) {
                dx[k] = xj - xi[k];
                dy[k] = yj - yi[k];
                dz[k] = zj - zi[k];
                squared[k] = fused(dz[k], dz[k], fused(dy[k], dy[k], fused(dx[k], dx[k], softening_squared)));
            }
            inverse_roots(squared, q);
            vector_f64 sum{};
#pragma GCC unroll 4
            for (std::size_t k = 0; k < rows_at_once; ++k)
                sum = fused(mi[k], q[k], sum);
            bool alone = false;
            const vector_i64 outside = sum - sum != vector_f64{};
#if defined(ALIQUOT_ISA_v4)
            alone = _mm512_movepi64_mask(reinterpret_cast<__m512i>(outside)) != 0;
#elif defined(ALIQUOT_ISA_v3)
            alone = _mm256_movemask_pd(reinterpret_cast<__m256d>(outside)) != 0;
#else
            alone = (outside[0] | outside[1]) != 0;
#endif
            if (__builtin_expect(alone, 0)) {
                for (std::size_t k = i; k < i + rows_at_once; ++k) {
                    for (std::size_t lane = 0; lane < width; ++lane)
                        one_pair_forces(s, k, j + lane, f, coincident);
                }
                continue;
            }
            vector_f64 gx{}, gy{}, gz{};
#pragma GCC unroll 4
            for (std::size_t k = 0; k < rows_at_once; ++k) {
                const vector_f64 cube = q[k] * q[k] * q[k];
                const vector_f64 to_j = mi[k] * cube;
                const vector_f64 to_i = mj * cube;
                gx = fused(to_j, dx[k], gx);
                gy = fused(to_j, dy[k], gy);
                gz = fused(to_j, dz[k], gz);
                ax[k] = fused(to_i, dx[k], ax[k]);
                ay[k] = fused(to_i, dy[k], ay[k]);
                az[k] = fused(to_i, dz[k], az[k]);
                potential[k] = fused(mj, q[k], potential[k]);
            }
            store(f.ax + j, load(f.ax + j) - gx);
            store(f.ay + j, load(f.ay + j) - gy);
            store(f.az + j, load(f.az + j) - gz);
            store(f.potential + j, load(f.potential + j) + sum);
        }
        for (std::size_t k = 0; k < rows_at_once; ++k) {
            f.ax[i + k] += sum_lanes(ax[k]);
            f.ay[i + k] += sum_lanes(ay[k]);
            f.az[i + k] += sum_lanes(az[k]);
            f.potential[i + k] += sum_lanes(potential[k]);
        }
    }
}

}  // namespace aliquot::ALIQUOT_ISA
