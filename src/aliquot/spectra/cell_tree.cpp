#include "aliquot/spectra/cell_tree.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "aliquot/core/contract.hpp"
#include "aliquot/spectra/pixel_tiles.hpp"

namespace aliquot::spectra {

namespace {

constexpr double widest_cell = 300.0;      // Angstrom
constexpr std::size_t fewest_pixels = 48;  // of a cell, unless its sibling holds the more: three per node
static_assert(2 * fewest_pixels <= tile_pixels, "every leaf must fit a tile");
using Panel = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// Chebyshev nodes of the first kind on [-1, 1] and the weights of barycentric interpolation in them.
struct Nodes {
    std::array<double, cell_nodes> at;
    std::array<double, cell_nodes> weight;
    Nodes() {
        for (std::size_t k = 0; k < cell_nodes; ++k) {
            const double angle =
                std::numbers::pi * (2.0 * static_cast<double>(k) + 1.0) / (2.0 * static_cast<double>(cell_nodes));
            at[k] = std::cos(angle);
            weight[k] = (k % 2 == 0 ? 1.0 : -1.0) * std::sin(angle);
        }
    }
};

const Nodes& nodes() {
    static const Nodes n;
    return n;
}

/// Coefficients with which values at the nodes of [-1, 1] give the polynomial's value at t.
std::array<double, cell_nodes> interpolation(double t) {
    std::array<double, cell_nodes> row{};
    double sum = 0.0;
    for (std::size_t k = 0; k < cell_nodes; ++k) {
        const double distance = t - nodes().at[k];
        if (distance == 0.0) {
            row.fill(0.0);
            row[k] = 1.0;
            return row;
        }
        row[k] = nodes().weight[k] / distance;
        sum += row[k];
    }
    for (double& value : row)
        value /= sum;
    return row;
}

/// The upper triangle, (columns, columns) column by column, that has the same Gram matrix as `panel`.
std::vector<double> triangle_of(Panel& panel) {
    const auto columns = static_cast<std::size_t>(panel.cols());
    const Eigen::HouseholderQR<Eigen::Ref<Panel>> qr(panel);
    std::vector<double> triangle(columns * columns, 0.0);
    for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t r = 0; r <= c; ++r)
            triangle[c * columns + r] = panel(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    }
    return triangle;
}

}  // namespace

CellTree::CellTree(std::span<const double> wavelength, std::span<const double> flux, std::span<const double> error,
                   std::vector<FixedShape>& shapes)
    : columns_(cell_nodes + shapes.size() + 1),
      wavelength_(wavelength.begin(), wavelength.end()),
      flux_(flux.begin(), flux.end()) {
    const std::size_t n = wavelength.size();
    ALIQUOT_EXPECT(n > 1 && flux.size() == n && error.size() == n);
    ALIQUOT_EXPECT(std::adjacent_find(wavelength.begin(), wavelength.end(), std::greater_equal<>()) == wavelength.end());
    for (FixedShape& shape : shapes) {
        ALIQUOT_EXPECT(shape.value.size() == n);
        shape.value.resize(n + tile_block, 0.0);
        fixed_.push_back(shape.value.data());
    }
    wavelength_.resize(n + tile_block, wavelength.back());
    flux_.resize(n + tile_block, 0.0);
    for (const double w : wavelength_)
        log_wavelength_.push_back(std::log(w));
    for (const double e : error)
        inverse_variance_.push_back(1.0 / (e * e));

    const double first = wavelength.front();
    const double range = wavelength.back() - first;
    roots_ = static_cast<std::size_t>(std::ceil(range / widest_cell));
    for (std::size_t root = 0; root < roots_; ++root) {
        const double low = first + range * static_cast<double>(root) / static_cast<double>(roots_);
        const double high = first + range * static_cast<double>(root + 1) / static_cast<double>(roots_);
        cells_.push_back({.low = low, .high = high, .first_child = -1, .compressed = false, .form = {}, .tile = {}, .pixels = 0});
    }
    std::size_t at = 0;
    for (std::size_t root = 0; root < roots_; ++root) {
        const auto end =
            root + 1 == roots_
                ? n
                : static_cast<std::size_t>(std::lower_bound(wavelength.begin(), wavelength.end(), cells_[root].high) -
                                           wavelength.begin());
        place(root, at, end, 0);
        compress(root, at, end);
        at = end;
    }
}

/// Set a cell's pixels for direct evaluation and make its children: cells are split where the pixels are, so that leaves fit a
/// tile however uneven the sampling.
void CellTree::place(std::size_t index, std::size_t first, std::size_t last, std::size_t level) {
    const std::size_t count = last - first;
    depth_ = std::max(depth_, level);
    cells_[index].pixels = count;
    if (count > 0 && count <= tile_pixels) {
        const std::size_t padded = (count + tile_block - 1) / tile_block * tile_block;
        std::vector<double> weights(inverse_variance_.begin() + static_cast<std::ptrdiff_t>(first),
                                    inverse_variance_.begin() + static_cast<std::ptrdiff_t>(last));
        weights.resize(padded, 0.0);
        cell_weights_.push_back(std::move(weights));
        cells_[index].tile = {.wavelength = wavelength_.data() + first,
                              .log_wavelength = log_wavelength_.data() + first,
                              .flux = flux_.data() + first,
                              .inverse_variance = cell_weights_.back().data(),
                              .count = count,
                              .padded = padded,
                              .offset = first,
                              .first = wavelength_[first],
                              .last = wavelength_[last - 1],
                              .step = even_step(std::span(wavelength_).subspan(first, count))};
    }
    if (count < 2 * fewest_pixels) return;
    const double low = cells_[index].low;
    const double high = cells_[index].high;
    const double middle = 0.5 * (low + high);
    const auto child = cells_.size();
    cells_[index].first_child = static_cast<std::int32_t>(child);
    cells_.push_back({.low = low, .high = middle, .first_child = -1, .compressed = false, .form = {}, .tile = {}, .pixels = 0});
    cells_.push_back({.low = middle, .high = high, .first_child = -1, .compressed = false, .form = {}, .tile = {}, .pixels = 0});
    const auto begin = wavelength_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = wavelength_.begin() + static_cast<std::ptrdiff_t>(last);
    const std::size_t split = first + static_cast<std::size_t>(std::lower_bound(begin, end, middle) - begin);
    place(child, first, split, level + 1);
    place(child + 1, split, last, level + 1);
}

/// The triangle of a cell: from its pixels at the bottom, from its children's triangles above, since a polynomial on the cell is
/// one on each half.
std::vector<double> CellTree::compress(std::size_t index, std::size_t first, std::size_t last) {
    const Cell cell = cells_[index];
    const auto columns = static_cast<Eigen::Index>(columns_);
    const double middle = 0.5 * (cell.low + cell.high);
    const double half = 0.5 * (cell.high - cell.low);
    if (cell.pixels == 0) return std::vector<double>(columns_ * columns_, 0.0);
    Panel panel;
    if (cell.first_child < 0) {
        panel = Panel::Zero(static_cast<Eigen::Index>(std::max(cell.pixels, columns_)), columns);
        for (std::size_t i = first; i < last; ++i) {
            const double root_weight = std::sqrt(inverse_variance_[i]);
            const auto row = interpolation((wavelength_[i] - middle) / half);
            for (std::size_t k = 0; k < cell_nodes; ++k)
                panel(static_cast<Eigen::Index>(i - first), static_cast<Eigen::Index>(k)) = root_weight * row[k];
            for (std::size_t f = 0; f < fixed_.size(); ++f)
                panel(static_cast<Eigen::Index>(i - first), static_cast<Eigen::Index>(cell_nodes + f)) =
                    root_weight * fixed_[f][i];
            panel(static_cast<Eigen::Index>(i - first), columns - 1) = root_weight * flux_[i];
        }
    } else {
        panel = Panel::Zero(2 * columns, columns);
        const auto child = static_cast<std::size_t>(cell.first_child);
        const std::size_t split = first + cells_[child].pixels;
        const std::vector<double> halves[2] = {compress(child, first, split), compress(child + 1, split, last)};
        for (std::size_t side = 0; side < 2; ++side) {
            Panel transfer = Panel::Zero(columns, columns);
            for (std::size_t k = 0; k < cell_nodes; ++k) {
                const auto row = interpolation(0.5 * nodes().at[k] + (side == 0 ? -0.5 : 0.5));
                for (std::size_t j = 0; j < cell_nodes; ++j)
                    transfer(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) = row[j];
            }
            for (Eigen::Index k = cell_nodes; k < columns; ++k)
                transfer(k, k) = 1.0;
            const Eigen::Map<const Panel> child_triangle(halves[side].data(), columns, columns);
            panel.middleRows(static_cast<Eigen::Index>(side) * columns, columns) = child_triangle * transfer;
        }
    }
    std::vector<double> triangle = triangle_of(panel);
    if (cell.pixels >= columns_) set_form(index, triangle);
    return triangle;
}

void CellTree::set_form(std::size_t index, const std::vector<double>& triangle) {
    Cell& cell = cells_[index];
    const std::size_t shapes = fixed_.size();
    const auto entry = [&](std::size_t row, std::size_t column) { return triangle[column * columns_ + row]; };
    const std::size_t flux = columns_ - 1;
    // Nodes, logarithms, r, R, F and the rows of [T | t].
    std::vector<double> values(cell_nodes * (cell_nodes + 3 + shapes) + shapes * (shapes + 1), 0.0);
    double* const right = values.data() + 2 * cell_nodes;
    double* const matrix = right + cell_nodes;
    double* const fixed = matrix + cell_nodes * cell_nodes;
    double* const tail = fixed + cell_nodes * shapes;
    for (std::size_t k = 0; k < cell_nodes; ++k) {
        const double w = 0.5 * (cell.low + cell.high) + 0.5 * (cell.high - cell.low) * nodes().at[k];
        values[k] = w;
        values[cell_nodes + k] = std::log(w);
        right[k] = entry(k, flux);
        for (std::size_t r = 0; r <= k; ++r)
            matrix[k * cell_nodes + r] = entry(r, k);
        for (std::size_t f = 0; f < shapes; ++f)
            fixed[f * cell_nodes + k] = entry(k, cell_nodes + f);
    }
    for (std::size_t f = 0; f < shapes; ++f) {
        for (std::size_t k = f; k < shapes; ++k)
            tail[f * (shapes + 1) + k] = entry(cell_nodes + f, cell_nodes + k);
        tail[f * (shapes + 1) + shapes] = entry(cell_nodes + f, flux);
    }
    storage_.push_back(std::move(values));
    const double* base = storage_.back().data();
    const double last = entry(flux, flux);
    cell.form = {.wavelength = base,
                 .log_wavelength = base + cell_nodes,
                 .matrix = matrix,
                 .right = right,
                 .fixed = fixed,
                 .tail = tail,
                 .floor = last * last};
    cell.compressed = true;
}

}  // namespace aliquot::spectra
