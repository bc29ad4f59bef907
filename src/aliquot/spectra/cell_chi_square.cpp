#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/spectra/cell_tree.hpp"
#include "aliquot/spectra/chi_square.hpp"
#include "aliquot/spectra/gram_matrix.hpp"
#include "aliquot/spectra/kernels/tile_kernels.hpp"
#include "aliquot/spectra/plan.hpp"
#include "aliquot/spectra/point_terms.hpp"
#include "aliquot/spectra/workspace.hpp"

namespace aliquot::spectra {

namespace {

/// Widest cell in units of the narrowest dispersion that reaches it. At 2.8, a Gaussian's interpolation at 16 nodes is wrong by
/// at most 2 (2.8 / 4)^16 / 16! max |f^(16)| = 6.5e-10 of its peak.
constexpr double widest_in_sigma = 2.8;
/// Widest cell for power laws, in units of its low end over (|exponent| + 8): a power law's interpolation at 16 nodes is then
/// wrong by at most 4e-11 of its own value, for exponents up to +-1000 (against 40-digit arithmetic).
constexpr double widest_for_power = 5.0;
constexpr double power_offset = 8.0;
constexpr std::size_t most_gaussians = 65535;
constexpr std::size_t count_draws = 32;
constexpr double node_cost = 3.0;    // of a node, in pixels of a tile
constexpr double gain_wanted = 0.7;  // cells must do with this share of the tiles' work

struct CellWorkspace : Workspace {
    PointTerms terms;
    std::vector<std::uint16_t> reaching;  // Gaussians per level of the descent
    GramMatrix gram;
    // Of all columns together, for the descent.
    std::vector<GaussianTerm> gaussians;
    std::vector<PowerTerm> powers;
    std::vector<TableTerm> tables;
    std::vector<std::size_t> first_gaussian;  // of each column, and the end
    std::vector<std::uint16_t> of_column;     // Gaussians of one that reach a cell, counted within the column
};

/// Work of one evaluation, counted instead of timed.
struct Work {
    std::size_t nodes = 0;
    std::size_t pixels = 0;
};

class CellChiSquare final : public ChiSquare {
  public:
    CellChiSquare(const Model& model, std::span<const double> wavelength, std::span<const double> flux,
                  std::span<const double> error, math::SimdLevel level)
        : model_(model),
          shapes_(fixed_shapes(model, wavelength)),
          tree_(wavelength, flux, error, shapes_),
          pixels_(wavelength.size()),
          plan_(make_plan(model.expression())),
          program_{plan_.program.data(), plan_.program.size()},
          kernels_(tile_kernels(level)),
          tiles_(make_tile_chi_square(model, wavelength, flux, error, level)),
          owner_(next_evaluator()) {
        ALIQUOT_EXPECT(plan_.groups.size() == 1);
    }

    void evaluate(MatrixView<const double> theta, std::span<double> chi_square) const override {
        CellWorkspace& work = workspace();
        for (std::size_t point = 0; point < theta.rows(); ++point) {
            chi_square[point] = std::numeric_limits<double>::quiet_NaN();
            if (!bind(theta.row(point), work)) continue;
            double total = 0.0;
            descend(work, work.terms.sums()[0],
                    [&](const CellTree::Cell& cell, const std::uint16_t* reaching, std::size_t count, double constant) {
                        total += count == direct
                                     ? kernels_.chi_square(cell.tile, program_, work.terms.sums(), work.registers.data())
                                     : kernels_.cell_chi_square(cell.form, work.terms.sums()[0], reaching, count, constant);
                    });
            chi_square[point] = total;
        }
    }

    [[nodiscard]] bool gram(std::span<const double> theta, const AmplitudeColumns& columns,
                            std::span<double> form) const override {
        CellWorkspace& work = workspace();
        model_.expand(unit_amplitudes(columns, theta, work), work.values);
        if (!work.terms.bind_columns(model_, plan_, columns, work.values, kernels_, tree_.padded_wavelength(), shapes_))
            return false;
        const TermSum all = joined(columns.count(), work);
        if (all.gaussian_count >= most_gaussians) return false;
        work.gram.start(columns.count(), kernels_);
        descend(work, all,
                [&](const CellTree::Cell& cell, const std::uint16_t* reaching, std::size_t count, double /*constant*/) {
                    const bool by_pixel = count == direct;
                    const std::size_t length = by_pixel ? cell.tile.padded : cell_row;
                    std::size_t at = 0;  // in `reaching`
                    for (std::size_t c = 0; c < columns.count(); ++c) {
                        const TermSum& sum = work.terms.sums()[c];
                        if (by_pixel) {
                            if (touches(sum, cell.low, cell.high))
                                kernels_.model(cell.tile, program_, &sum, work.registers.data(), work.gram.row(c, length));
                            continue;
                        }
                        work.of_column.clear();
                        for (; at < count && reaching[at] < work.first_gaussian[c + 1]; ++at)
                            work.of_column.push_back(static_cast<std::uint16_t>(reaching[at] - work.first_gaussian[c]));
                        if (work.of_column.empty() && !everywhere(sum)) continue;
                        double constant = 0.0;
                        (void)constant_tables(cell, sum, constant);  // they are, or the cell would be evaluated by pixel
                        kernels_.cell_column(cell.form, sum, work.of_column.data(), work.of_column.size(), constant,
                                             work.gram.row(c, length));
                    }
                    double* data = work.gram.row(columns.count(), length);
                    if (by_pixel) {
                        std::copy_n(cell.tile.flux, length, data);
                        work.gram.add(length, cell.tile.inverse_variance);
                        return;
                    }
                    std::fill_n(data, length, 0.0);
                    std::copy_n(cell.form.right, cell_nodes, data);
                    const std::size_t shapes = shapes_.size();
                    for (std::size_t f = 0; f < shapes; ++f)
                        data[cell_nodes + f] = cell.form.tail[f * (shapes + 1) + shapes];
                    data[cell_nodes + shapes] = std::sqrt(cell.form.floor);
                    work.gram.add(length, nullptr);
                });
        work.gram.finish(form);
        return true;
    }

    void model(std::span<const double> theta, std::span<double> flux) const override { tiles_->model(theta, flux); }

    [[nodiscard]] std::string describe() const override {
        const Work mean = mean_work();
        return format("compressed cells: about {} nodes and {} single pixels stand for {} pixels", mean.nodes, mean.pixels,
                      pixels_);
    }

    /// Mean work over points of the prior.
    [[nodiscard]] Work mean_work() const {
        CellWorkspace& work = workspace();
        Work sum;
        for (std::size_t draw = 0; draw < count_draws; ++draw) {
            if (!bind(model_.prior_point(draw), work)) continue;
            descend(work, work.terms.sums()[0],
                    [&](const CellTree::Cell& cell, const std::uint16_t* /*reaching*/, std::size_t count, double /*constant*/) {
                        (count == direct ? sum.pixels : sum.nodes) += count == direct ? cell.tile.padded : cell_nodes;
                    });
        }
        return {sum.nodes / count_draws, sum.pixels / count_draws};
    }

  private:
    static constexpr std::size_t direct = std::numeric_limits<std::size_t>::max();

    CellWorkspace& workspace() const { return workspace_of<CellWorkspace>(owner_, model_.parameters().size()); }

    bool bind(std::span<const double> theta, CellWorkspace& work) const {
        model_.expand(theta, work.values);
        return work.terms.bind(model_, plan_, work.values, kernels_, tree_.padded_wavelength(), shapes_) &&
               work.terms.sums()[0].gaussian_count < most_gaussians;
    }

    /// The terms of all columns in one sum, for what the descent asks of them.
    static TermSum joined(std::size_t columns, CellWorkspace& work) {
        work.gaussians.clear();
        work.powers.clear();
        work.tables.clear();
        work.first_gaussian.clear();
        std::uint32_t dense = 0;
        for (std::size_t c = 0; c < columns; ++c) {
            const TermSum& sum = work.terms.sums()[c];
            work.first_gaussian.push_back(work.gaussians.size());
            work.gaussians.insert(work.gaussians.end(), sum.gaussians, sum.gaussians + sum.gaussian_count);
            work.powers.insert(work.powers.end(), sum.powers, sum.powers + sum.power_count);
            work.tables.insert(work.tables.end(), sum.tables, sum.tables + sum.table_count);
            dense += sum.dense_count;
        }
        work.first_gaussian.push_back(work.gaussians.size());
        return {.gaussians = work.gaussians.data(),
                .powers = work.powers.data(),
                .tables = work.tables.data(),
                .dense = nullptr,
                .fixed = nullptr,
                .gaussian_count = static_cast<std::uint32_t>(work.gaussians.size()),
                .power_count = static_cast<std::uint32_t>(work.powers.size()),
                .table_count = static_cast<std::uint32_t>(work.tables.size()),
                .dense_count = dense,
                .fixed_count = 0,
                .intercept = 0.0,
                .slope = 0.0};
    }

    /// Call use(cell, Gaussians that reach it, their count or `direct`, constant) for cells that cover the spectrum, as wide as
    /// the terms of `sum` allow.
    template <typename Use>
    void descend(CellWorkspace& work, const TermSum& sum, const Use& use) const {
        const std::size_t stride = sum.gaussian_count;
        work.reaching.resize((tree_.depth() + 2) * std::max<std::size_t>(stride, 1));
        for (std::size_t g = 0; g < stride; ++g)
            work.reaching[g] = static_cast<std::uint16_t>(g);
        double width_of_low = std::numeric_limits<double>::infinity();
        for (std::uint32_t p = 0; p < sum.power_count; ++p)
            width_of_low = std::min(width_of_low, widest_for_power / (std::abs(sum.powers[p].exponent) + power_offset));
        for (std::size_t root = 0; root < tree_.roots(); ++root)
            visit(tree_.cells()[root], sum, width_of_low, work.reaching.data(), stride, use);
    }

    /// `above` holds the Gaussians that reach the cell's parent; cells wider than `width_of_low` times their low end are too wide
    /// for the power laws.
    template <typename Use>
    void visit(const CellTree::Cell& cell, const TermSum& sum, double width_of_low, std::uint16_t* above, std::size_t above_count,
               const Use& use) const {
        if (cell.pixels == 0) return;
        std::uint16_t* reaching = above + sum.gaussian_count;
        std::size_t count = 0;
        double narrowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < above_count; ++i) {
            const GaussianTerm& g = sum.gaussians[above[i]];
            if (g.centre + g.reach < cell.low || g.centre - g.reach > cell.high) continue;
            reaching[count++] = above[i];
            narrowest = std::min(narrowest, g.reach);
        }
        double constant = 0.0;
        const bool kinked = sum.dense_count > 0 || !constant_tables(cell, sum, constant);
        const double width = cell.high - cell.low;
        const bool smooth = width * gaussian_reach <= widest_in_sigma * narrowest && width <= width_of_low * cell.low;
        if (!kinked && smooth && cell.compressed) {
            use(cell, reaching, count, constant);
        } else if (cell.first_child >= 0 && !(kinked && cell.tile.count > 0)) {
            for (std::size_t child = 0; child < 2; ++child)
                visit(tree_.cells()[static_cast<std::size_t>(cell.first_child) + child], sum, width_of_low, reaching, count, use);
        } else {
            use(cell, reaching, direct, 0.0);
        }
    }

    /// True where every table is constant over the cell; `constant` becomes their sum.
    static bool constant_tables(const CellTree::Cell& cell, const TermSum& sum, double& constant) {
        for (std::uint32_t t = 0; t < sum.table_count; ++t) {
            const TableTerm& table = sum.tables[t];
            if (table.amplitude == 0.0) continue;
            if (cell.high <= table.wavelength[0] * table.stretch) {
                constant += table.amplitude * table.value[0];
            } else if (cell.low >= table.wavelength[table.count - 1] * table.stretch) {
                constant += table.amplitude * table.value[table.count - 1];
            } else {
                return false;
            }
        }
        return true;
    }

    const Model& model_;
    std::vector<FixedShape> shapes_;  // padded by the tree's block
    CellTree tree_;
    std::size_t pixels_;
    Plan plan_;
    TileProgram program_;
    const TileKernels& kernels_;
    std::unique_ptr<ChiSquare> tiles_;
    std::uint64_t owner_;
};

/// Cells need a sum of terms and room for children.
bool cells_possible(const Model& model, std::span<const double> wavelength) {
    return make_plan(model.expression()).groups.size() == 1 && wavelength.size() >= 1024;
}

}  // namespace

std::unique_ptr<ChiSquare> make_cell_chi_square(const Model& model, std::span<const double> wavelength,
                                                std::span<const double> flux, std::span<const double> error,
                                                math::SimdLevel level) {
    return std::make_unique<CellChiSquare>(model, wavelength, flux, error, level);
}

std::unique_ptr<ChiSquare> make_chi_square(const Model& model, std::span<const double> wavelength, std::span<const double> flux,
                                           std::span<const double> error, math::SimdLevel level) {
    if (cells_possible(model, wavelength)) {
        auto cells = std::make_unique<CellChiSquare>(model, wavelength, flux, error, level);
        const Work work = cells->mean_work();
        if (node_cost * static_cast<double>(work.nodes) + static_cast<double>(work.pixels) <
            gain_wanted * static_cast<double>(wavelength.size()))
            return cells;
    }
    return make_tile_chi_square(model, wavelength, flux, error, level);
}

}  // namespace aliquot::spectra
