#include "aliquot/math/simd_vector.hpp"
#include "aliquot/spectra/kernels/tile.hpp"

namespace aliquot::ALIQUOT_ISA {

namespace {

constexpr std::size_t width = simd_width;
constexpr std::size_t vectors = spectra::cell_nodes / width;

/// The model at the nodes.
ALIQUOT_KERNEL_INLINE void node_model(const spectra::CompressedCell& cell, const spectra::TermSum& sum,
                                      const std::uint16_t* gaussians, std::size_t gaussian_count, double constant,
                                      double* nodes) {
    vector_f64 x[vectors];
    vector_f64 model[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        x[v] = load(cell.wavelength + v * width);
        model[v] = fused(broadcast(sum.slope), x[v], broadcast(sum.intercept + constant));
    }
    for (std::uint32_t p = 0; p < sum.power_count; ++p) {
        const spectra::PowerTerm& term = sum.powers[p];
        for (std::size_t v = 0; v < vectors; ++v) {
            const vector_f64 t =
                (load(cell.log_wavelength + v * width) - broadcast(term.log_reference)) * broadcast(term.exponent);
            model[v] = fused(broadcast(term.amplitude), exp_bounded(t), model[v]);
        }
    }
    for (std::size_t g = 0; g < gaussian_count; ++g) {
        const spectra::GaussianTerm& term = sum.gaussians[gaussians[g]];
        for (std::size_t v = 0; v < vectors; ++v) {
            const vector_f64 t = (x[v] - broadcast(term.centre)) * broadcast(term.inverse);
            model[v] = fused(broadcast(term.amplitude), exp_bounded(-t * t), model[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v)
        store(nodes + v * width, model[v]);
}

/// Add F a and R m to `image`.
ALIQUOT_KERNEL_INLINE void add_image(const spectra::CompressedCell& cell, const spectra::TermSum& sum, const double* nodes,
                                     vector_f64* image) {
    for (std::uint32_t f = 0; f < sum.fixed_count; ++f) {
        for (std::size_t v = 0; v < vectors; ++v)
            image[v] = fused(broadcast(sum.fixed[f].amplitude), load(cell.fixed + f * spectra::cell_nodes + v * width), image[v]);
    }
    for (std::size_t j = 0; j < spectra::cell_nodes; ++j) {
        const vector_f64 value = broadcast(nodes[j]);
        for (std::size_t v = 0; v <= j / width; ++v)
            image[v] = fused(load(cell.matrix + j * spectra::cell_nodes + v * width), value, image[v]);
    }
}

/// Row f of T a.
ALIQUOT_KERNEL_INLINE double tail_image(const spectra::CompressedCell& cell, const spectra::TermSum& sum, std::uint32_t f,
                                        double start) {
    const double* row = cell.tail + f * (sum.fixed_count + 1);
    for (std::uint32_t k = f; k < sum.fixed_count; ++k)
        start += row[k] * sum.fixed[k].amplitude;
    return start;
}

}  // namespace

double cell_chi_square(const spectra::CompressedCell& cell, const spectra::TermSum& sum, const std::uint16_t* gaussians,
                       std::size_t gaussian_count, double constant) noexcept {
    double nodes[spectra::cell_nodes];
    node_model(cell, sum, gaussians, gaussian_count, constant, nodes);
    vector_f64 residual[vectors];
    for (std::size_t v = 0; v < vectors; ++v)
        residual[v] = -load(cell.right + v * width);
    double tail = 0.0;
    for (std::uint32_t f = 0; f < sum.fixed_count; ++f) {
        const double rest = tail_image(cell, sum, f, -cell.tail[f * (sum.fixed_count + 1) + sum.fixed_count]);
        tail += rest * rest;
    }
    add_image(cell, sum, nodes, residual);
    double lanes[spectra::cell_nodes];
    for (std::size_t v = 0; v < vectors; ++v)
        store(lanes + v * width, residual[v] * residual[v]);
    for (std::size_t half = spectra::cell_nodes / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i)
            lanes[i] += lanes[i + half];
    }
    return lanes[0] + (cell.floor + tail);
}

void cell_column(const spectra::CompressedCell& cell, const spectra::TermSum& sum, const std::uint16_t* gaussians,
                 std::size_t gaussian_count, double constant, double* row) noexcept {
    double nodes[spectra::cell_nodes];
    node_model(cell, sum, gaussians, gaussian_count, constant, nodes);
    vector_f64 image[vectors] = {};
    add_image(cell, sum, nodes, image);
    for (std::size_t v = 0; v < vectors; ++v)
        store(row + v * width, image[v]);
    for (std::size_t i = spectra::cell_nodes; i < spectra::cell_row; ++i)
        row[i] = 0.0;
    for (std::uint32_t f = 0; f < sum.fixed_count; ++f)
        row[spectra::cell_nodes + f] = tail_image(cell, sum, f, 0.0);
}

}  // namespace aliquot::ALIQUOT_ISA
