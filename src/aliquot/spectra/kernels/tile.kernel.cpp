#include "aliquot/spectra/kernels/tile.hpp"
#include "aliquot/math/simd_vector.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

using spectra::FixedTerm;
using spectra::GaussianTerm;
using spectra::PowerTerm;
using spectra::TableTerm;
using spectra::TermSum;
using spectra::Tile;
using spectra::tile_block;
using spectra::TileOp;
using spectra::TileProgram;

constexpr std::size_t width = simd_width;
constexpr std::size_t vectors = tile_block / width;  // per block of pixels
constexpr int max_degree = 7;                        // of the polynomial that stands for smooth terms in a tile
constexpr double negligible = 1e-14;                 // of a power law's value

ALIQUOT_KERNEL_INLINE double absolute(double x) {
    return x < 0 ? -x : x;
}
ALIQUOT_KERNEL_INLINE double exp_scalar(double x) {
    return exp_bounded(broadcast(x))[0];
}
/// Natural logarithm of a positive normal number by atanh series; used a few times per tile.
ALIQUOT_KERNEL_INLINE double log_scalar(double x) {
    return __builtin_log(x);
}

/// Add the series of (x / reference)^exponent around the tile's middle to `coefficients`, in powers of (x - middle); returns
/// false where the series would need more than max_degree terms.
ALIQUOT_KERNEL_INLINE bool add_power_series(const PowerTerm& term, double middle, double half, double* coefficients,
                                            int& degree) {
    const double relative = half / middle;
    double c = term.amplitude * exp_scalar(term.exponent * (log_scalar(middle) - term.log_reference));
    double size = 1.0;
    double factor[max_degree + 1];
    int n = 0;
    factor[0] = c;
    for (;;) {
        const double ratio = (term.exponent - n) / (n + 1);
        size *= absolute(ratio) * relative;
        if (size <= negligible) break;
        if (n == max_degree) return false;
        c *= ratio / middle;
        factor[++n] = c;
    }
    for (int i = 0; i <= n; ++i)
        coefficients[i] += factor[i];
    degree = n > degree ? n : degree;
    return true;
}

/// Polynomial in (x - middle) into out, a block at a time: its vectors are independent chains.
template <int Degree>
ALIQUOT_KERNEL_INLINE void fill_polynomial(const Tile& tile, double middle, const double* coefficients, double* out) {
    vector_f64 c[Degree + 1];
    for (int i = 0; i <= Degree; ++i)
        c[i] = broadcast(coefficients[i]);
    const vector_f64 centre = broadcast(middle);
    const vector_f64 step = broadcast(tile.step);
    vector_f64 lanes[vectors];
    for (std::size_t v = 0; v < vectors; ++v)
        lanes[v] = fused(lane_numbers() + broadcast(static_cast<double>(static_cast<int>(v * width))), step,
                         broadcast(tile.first - middle));
    for (std::size_t i = 0; i < tile.padded; i += tile_block) {
        vector_f64 d[vectors];
        vector_f64 p[vectors];
        const vector_f64 start = broadcast(static_cast<double>(static_cast<long long>(i)));
        for (std::size_t v = 0; v < vectors; ++v) {
            d[v] = tile.step != 0.0 ? fused(start, step, lanes[v]) : load(tile.wavelength + i + v * width) - centre;
            p[v] = c[Degree];
        }
        for (int k = Degree; k-- > 0;) {
            for (std::size_t v = 0; v < vectors; ++v)
                p[v] = fused(p[v], d[v], c[k]);
        }
        for (std::size_t v = 0; v < vectors; ++v)
            store(out + i + v * width, p[v]);
    }
}

void add_power_direct(const Tile& tile, const PowerTerm& term, double* out) {
    const vector_f64 amplitude = broadcast(term.amplitude);
    const vector_f64 exponent = broadcast(term.exponent);
    const vector_f64 log_reference = broadcast(term.log_reference);
    for (std::size_t i = 0; i < tile.padded; i += width) {
        const vector_f64 t = (load(tile.log_wavelength + i) - log_reference) * exponent;
        store(out + i, fused(amplitude, exp_bounded(t), load(out + i)));
    }
}

void fill_smooth(const Tile& tile, const TermSum& sum, double* out) {
    const double middle = 0.5 * (tile.first + tile.last);
    const double half = 0.5 * (tile.last - tile.first);
    double coefficients[max_degree + 1] = {sum.intercept + sum.slope * middle, sum.slope};
    int degree = 1;
    bool long_series = false;
    for (std::uint32_t p = 0; p < sum.power_count; ++p)
        long_series |= !add_power_series(sum.powers[p], middle, half, coefficients, degree);
    switch (degree) {
        case 1:
            fill_polynomial<1>(tile, middle, coefficients, out);
            break;
        case 2:
            fill_polynomial<2>(tile, middle, coefficients, out);
            break;
        case 3:
            fill_polynomial<3>(tile, middle, coefficients, out);
            break;
        case 4:
            fill_polynomial<4>(tile, middle, coefficients, out);
            break;
        case 5:
            fill_polynomial<5>(tile, middle, coefficients, out);
            break;
        case 6:
            fill_polynomial<6>(tile, middle, coefficients, out);
            break;
        default:
            fill_polynomial<max_degree>(tile, middle, coefficients, out);
    }
    if (!long_series) return;
    // A tile so wide that the series would be long: by exponentials.
    for (std::uint32_t p = 0; p < sum.power_count; ++p) {
        double unused[max_degree + 1] = {};
        if (!add_power_series(sum.powers[p], middle, half, unused, degree)) add_power_direct(tile, sum.powers[p], out);
    }
}

/// Blocks [first, last) of evenly sampled pixels by recurrence: each lane steps tile_block pixels at a time,
/// G(t + d) = G(t) R(t), R(t + d) = R(t) Q with R(t) = exp(-2 t d - d^2), Q = exp(-2 d^2).
ALIQUOT_KERNEL_INLINE void add_gaussian_even(const Tile& tile, const GaussianTerm& term, std::size_t first, std::size_t last,
                                             double* out) {
    const double k = term.inverse * tile.step;
    const double d = k * static_cast<double>(tile_block);
    const double t0 = (tile.first - term.centre) * term.inverse + k * static_cast<double>(static_cast<long long>(first));
    const vector_f64 amplitude = broadcast(term.amplitude);
    const vector_f64 q = broadcast(exp_scalar(-2.0 * d * d));
    vector_f64 g[vectors];
    vector_f64 r[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        const vector_f64 t =
            fused(lane_numbers() + broadcast(static_cast<double>(static_cast<int>(v * width))), broadcast(k), broadcast(t0));
        g[v] = amplitude * exp_bounded(-t * t);
        r[v] = exp_bounded(fused(t, broadcast(-2.0 * d), broadcast(-d * d)));
    }
    for (std::size_t i = first; i < last; i += tile_block) {
        for (std::size_t v = 0; v < vectors; ++v) {
            double* p = out + i + v * width;
            store(p, load(p) + g[v]);
            g[v] = g[v] * r[v];
            r[v] = r[v] * q;
        }
    }
}

ALIQUOT_KERNEL_INLINE void add_gaussian_direct(const Tile& tile, const GaussianTerm& term, std::size_t first, std::size_t last,
                                               double* out) {
    const vector_f64 amplitude = broadcast(term.amplitude);
    const vector_f64 centre = broadcast(term.centre);
    const vector_f64 inverse = broadcast(term.inverse);
    for (std::size_t i = first; i < last; i += width) {
        const vector_f64 t = (load(tile.wavelength + i) - centre) * inverse;
        store(out + i, fused(amplitude, exp_bounded(-t * t), load(out + i)));
    }
}

/// First pixel of the tile at or above a wavelength, in [0, count].
ALIQUOT_KERNEL_INLINE std::size_t pixel_at(const Tile& tile, double wavelength) {
    if (wavelength <= tile.first) return 0;
    if (wavelength > tile.last) return tile.count;
    std::size_t low = 0;
    std::size_t high = tile.count - 1;  // wavelength[high] >= wavelength
    while (low < high) {
        const std::size_t mid = (low + high) / 2;
        if (tile.wavelength[mid] < wavelength) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

ALIQUOT_KERNEL_INLINE void add_gaussian(const Tile& tile, const GaussianTerm& term, double* out) {
    const double low = term.centre - term.reach;
    const double high = term.centre + term.reach;
    if (!(high >= tile.first && low <= tile.last)) return;
    std::size_t first = 0;
    std::size_t last = tile.count;
    if (tile.step != 0.0) {
        if (low > tile.first) first = static_cast<std::size_t>((low - tile.first) / tile.step);
        if (high < tile.last) last = static_cast<std::size_t>((high - tile.first) / tile.step) + 1;
    } else {
        first = pixel_at(tile, low);
        last = pixel_at(tile, high);
    }
    first = first / tile_block * tile_block;
    last = (last + tile_block - 1) / tile_block * tile_block;
    if (last > tile.padded) last = tile.padded;
    const double block_step = term.inverse * tile.step * static_cast<double>(tile_block);
    if (tile.step != 0.0 && block_step < 1.0 && last - first > 2 * tile_block) {
        add_gaussian_even(tile, term, first, last, out);
    } else {
        add_gaussian_direct(tile, term, first, last, out);
    }
}

/// Add base + slope (x - knot) to pixels [first, last). The last vector may overlap pixels that are done: it leaves them alone.
ALIQUOT_KERNEL_INLINE void add_straight(const Tile& tile, std::size_t first, std::size_t last, double base, double slope,
                                        double knot, double* out) {
    const double* x = tile.wavelength;
    const vector_f64 b = broadcast(base);
    const vector_f64 s = broadcast(slope);
    const vector_f64 k = broadcast(knot);
    std::size_t i = first;
    for (; i + width <= last; i += width)
        store(out + i, load(out + i) + fused(load(x + i) - k, s, b));
    if (i == last) return;
    if (last >= width) {
        const std::size_t at = last - width;
        const vector_f64 number = lane_numbers() + broadcast(static_cast<double>(static_cast<long long>(at)));
        const vector_f64 done = broadcast(static_cast<double>(static_cast<long long>(i)));
        const vector_f64 line = fused(load(x + at) - k, s, b);
        store(out + at, load(out + at) + (number < done ? vector_f64{} : line));
        return;
    }
    for (; i < last; ++i)
        out[i] += (fused(broadcast(x[i]) - k, s, b))[0];
}

/// Piecewise linear: walk the table's intervals, each a straight line over its pixels.
void add_table(const Tile& tile, const TableTerm& term, double* out) {
    const double first_edge = term.wavelength[0] * term.stretch;
    const double last_edge = term.wavelength[term.count - 1] * term.stretch;
    std::size_t i = 0;
    if (tile.first < first_edge) {
        const std::size_t end = pixel_at(tile, first_edge);
        const double held = term.amplitude * term.value[0];
        for (; i < end; ++i)
            out[i] += held;
        if (i == tile.count) return;
    }
    if (tile.wavelength[i] < last_edge) {
        std::size_t low = 0;  // last knot at or below the pixel
        std::size_t high = term.count - 1;
        while (high - low > 1) {
            const std::size_t mid = (low + high) / 2;
            if (term.wavelength[mid] * term.stretch <= tile.wavelength[i]) {
                low = mid;
            } else {
                high = mid;
            }
        }
        for (std::size_t j = low; j + 1 < term.count && i < tile.count; ++j) {
            const double next = term.wavelength[j + 1] * term.stretch;
            std::size_t end = i;
            if (tile.step != 0.0) {
                if (next > tile.last) {
                    end = tile.count;
                } else if (next > tile.first) {
                    end = static_cast<std::size_t>((next - tile.first) / tile.step);
                    while (end < tile.count && tile.wavelength[end] < next)
                        ++end;
                    while (end > i && tile.wavelength[end - 1] >= next)
                        --end;
                }
            } else {
                while (end < tile.count && tile.wavelength[end] < next)
                    ++end;
            }
            if (end <= i) continue;
            const double slope = (term.value[j + 1] - term.value[j]) / (term.wavelength[j + 1] - term.wavelength[j]);
            const double knot = term.wavelength[j] * term.stretch;
            add_straight(tile, i, end, term.amplitude * term.value[j], term.amplitude * slope / term.stretch, knot, out);
            i = end;
        }
    }
    const double held = term.amplitude * term.value[term.count - 1];
    for (; i < tile.count; ++i)
        out[i] += held;
}

void add_dense(const Tile& tile, const double* values, double* out) {
    for (std::size_t i = 0; i < tile.padded; i += width)
        store(out + i, load(out + i) + load(values + tile.offset + i));
}

void add_fixed(const Tile& tile, const FixedTerm& term, double* out) {
    const vector_f64 amplitude = broadcast(term.amplitude);
    for (std::size_t i = 0; i < tile.padded; i += width)
        store(out + i, fused(amplitude, load(term.value + tile.offset + i), load(out + i)));
}

void evaluate_sum(const Tile& tile, const TermSum& sum, double* out) {
    fill_smooth(tile, sum, out);
    for (std::uint32_t g = 0; g < sum.gaussian_count; ++g)
        add_gaussian(tile, sum.gaussians[g], out);
    for (std::uint32_t t = 0; t < sum.table_count; ++t)
        add_table(tile, sum.tables[t], out);
    for (std::uint32_t d = 0; d < sum.dense_count; ++d)
        add_dense(tile, sum.dense[d].value, out);
    for (std::uint32_t f = 0; f < sum.fixed_count; ++f)
        add_fixed(tile, sum.fixed[f], out);
}

/// Runs the program; the result stands in the first register.
double* run(const Tile& tile, TileProgram program, const TermSum* sums, double* registers) {
    std::size_t depth = 0;
    for (std::size_t op = 0; op < program.count; ++op) {
        if (program.ops[op] == TileOp::sum) {
            evaluate_sum(tile, *sums++, registers + depth * spectra::tile_pixels);
            ++depth;
            continue;
        }
        --depth;
        double* a = registers + (depth - 1) * spectra::tile_pixels;
        const double* b = registers + depth * spectra::tile_pixels;
        for (std::size_t i = 0; i < tile.padded; i += width)
            store(a + i, program.ops[op] == TileOp::multiply ? load(a + i) * load(b + i) : load(a + i) + load(b + i));
    }
    return registers;
}

}  // namespace

void tile_model(const Tile& tile, TileProgram program, const TermSum* sums, double* registers, double* model) noexcept {
    const double* result = run(tile, program, sums, registers);
    for (std::size_t i = 0; i < tile.padded; i += width)
        store(model + i, load(result + i));
}

double tile_chi_square(const Tile& tile, TileProgram program, const TermSum* sums, double* registers) noexcept {
    const double* model = run(tile, program, sums, registers);
    vector_f64 total[vectors] = {};
    for (std::size_t i = 0; i < tile.padded; i += tile_block) {
        for (std::size_t v = 0; v < vectors; ++v) {
            const std::size_t at = i + v * width;
            const vector_f64 residual = load(tile.flux + at) - load(model + at);
            total[v] = fused(residual * residual, load(tile.inverse_variance + at), total[v]);
        }
    }
    double lanes[tile_block];
    for (std::size_t v = 0; v < vectors; ++v)
        store(lanes + v * width, total[v]);
    for (std::size_t half = tile_block / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i)
            lanes[i] += lanes[i + half];
    }
    return lanes[0];
}

void filter(const double* padded, std::size_t count, const double* weights, std::size_t radius, double* out) noexcept {
    std::size_t i = 0;
    const vector_f64 centre_weight = broadcast(weights[0]);
    for (; i + tile_block <= count; i += tile_block) {
        const double* centre = padded + radius + i;
        vector_f64 total[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            total[v] = load(centre + v * width) * centre_weight;
        for (std::size_t k = 1; k <= radius; ++k) {
            const vector_f64 w = broadcast(weights[k]);
            for (std::size_t v = 0; v < vectors; ++v)
                total[v] = fused(w, load(centre + v * width - k) + load(centre + v * width + k), total[v]);
        }
        for (std::size_t v = 0; v < vectors; ++v)
            store(out + i + v * width, total[v]);
    }
    for (; i < count; ++i) {
        const double* centre = padded + radius + i;
        vector_f64 total = broadcast(centre[0] * weights[0]);
        for (std::size_t k = 1; k <= radius; ++k)
            total = fused(broadcast(weights[k]), broadcast(centre[-static_cast<std::ptrdiff_t>(k)] + centre[k]), total);
        out[i] = total[0];
    }
}

void combine(const double* arrays, std::size_t count, const double* weights, std::size_t rows, double* out) noexcept {
    std::size_t i = 0;
    for (; i + tile_block <= count; i += tile_block) {
        vector_f64 total[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            total[v] = load(arrays + i + v * width) * broadcast(weights[0]);
        for (std::size_t row = 1; row < rows; ++row) {
            const vector_f64 w = broadcast(weights[row]);
            for (std::size_t v = 0; v < vectors; ++v)
                total[v] = fused(w, load(arrays + row * count + i + v * width), total[v]);
        }
        for (std::size_t v = 0; v < vectors; ++v)
            store(out + i + v * width, total[v]);
    }
    for (; i < count; ++i) {
        vector_f64 total = broadcast(arrays[i] * weights[0]);
        for (std::size_t row = 1; row < rows; ++row)
            total = fused(broadcast(weights[row]), broadcast(arrays[row * count + i]), total);
        out[i] = total[0];
    }
}

}  // namespace aliquot::ALIQUOT_ISA
