#include "aliquot/spectra/point_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace aliquot::spectra {

namespace {

constexpr std::size_t most_compared = 32;  // Gaussians that a new one is compared with: the work stays linear in their number

}  // namespace

bool everywhere(const TermSum& sum) {
    const auto* fixed_end = sum.fixed + sum.fixed_count;
    return sum.power_count + sum.table_count + sum.dense_count > 0 || sum.intercept != 0.0 || sum.slope != 0.0 ||
           std::any_of(sum.fixed, fixed_end, [](const FixedTerm& term) { return term.amplitude != 0.0; });
}

bool touches(const TermSum& sum, double low, double high) {
    return everywhere(sum) || std::any_of(sum.gaussians, sum.gaussians + sum.gaussian_count, [&](const GaussianTerm& g) {
               return g.centre + g.reach >= low && g.centre - g.reach <= high;
           });
}

void PointTerms::start(std::size_t sums, const TileKernels& kernels, std::span<const double> padded_wavelength,
                       std::span<const FixedShape> shapes) {
    kernels_ = &kernels;
    padded_wavelength_ = padded_wavelength;
    shapes_ = shapes;
    if (parts_.size() < sums) parts_.resize(sums);
    for (Sum& sum : std::span(parts_).first(sums)) {
        sum.gaussians.clear();
        sum.powers.clear();
        sum.tables.clear();
        sum.dense.clear();
        sum.fixed.clear();
        for (const FixedShape& shape : shapes)
            sum.fixed.push_back({0.0, shape.value.data()});
        sum.intercept = 0.0;
        sum.slope = 0.0;
    }
    column_of_ = {};
    curves_used_ = 0;
    dense_used_ = 0;
    finite_ = true;
}

void PointTerms::finish(std::size_t sums) {
    sums_.clear();
    for (const Sum& sum : std::span(parts_).first(sums))
        sums_.push_back({.gaussians = sum.gaussians.data(),
                         .powers = sum.powers.data(),
                         .tables = sum.tables.data(),
                         .dense = sum.dense.data(),
                         .fixed = sum.fixed.data(),
                         .gaussian_count = static_cast<std::uint32_t>(sum.gaussians.size()),
                         .power_count = static_cast<std::uint32_t>(sum.powers.size()),
                         .table_count = static_cast<std::uint32_t>(sum.tables.size()),
                         .dense_count = static_cast<std::uint32_t>(sum.dense.size()),
                         .fixed_count = static_cast<std::uint32_t>(sum.fixed.size()),
                         .intercept = sum.intercept,
                         .slope = sum.slope});
}

bool PointTerms::bind(const Model& model, const Plan& plan, std::span<const double> values, const TileKernels& kernels,
                      std::span<const double> padded_wavelength, std::span<const FixedShape> shapes) {
    start(plan.groups.size(), kernels, padded_wavelength, shapes);
    for (filled_ = 0; filled_ < plan.groups.size(); ++filled_) {
        for (const std::size_t leaf : plan.groups[filled_])
            model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), *this);
    }
    finish(plan.groups.size());
    return finite_;
}

bool PointTerms::bind_columns(const Model& model, const Plan& plan, const AmplitudeColumns& columns,
                              std::span<const double> values, const TileKernels& kernels,
                              std::span<const double> padded_wavelength, std::span<const FixedShape> shapes) {
    start(columns.count(), kernels, padded_wavelength, shapes);
    column_of_ = columns.column_of_term;
    term_ = 0;
    for (const std::size_t leaf : plan.groups[0])
        model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), *this);
    finish(columns.count());
    return finite_ && term_ == column_of_.size();
}

/// The sum that the next term belongs to.
PointTerms::Sum& PointTerms::next_sum() {
    if (column_of_.empty()) return parts_[filled_];
    if (term_ < column_of_.size()) return parts_[column_of_[term_++]];
    finite_ = false;  // more terms than the columns know of
    return parts_[0];
}

void PointTerms::gaussian(double amplitude, double centre, double sigma) {
    finite_ &= std::isfinite(amplitude) && std::isfinite(centre) && sigma > 0.0;
    auto& gaussians = next_sum().gaussians;
    if (amplitude == 0.0) return;
    const GaussianTerm term{amplitude, centre, 1.0 / (std::numbers::sqrt2 * sigma), gaussian_reach * sigma};
    const std::size_t candidates = std::min(gaussians.size(), most_compared);
    for (auto g = gaussians.end() - static_cast<std::ptrdiff_t>(candidates); g != gaussians.end(); ++g) {
        if (g->centre != term.centre || g->inverse != term.inverse || g->reach != term.reach) continue;
        g->amplitude += amplitude;
        return;
    }
    gaussians.push_back(term);
}

void PointTerms::power(double amplitude, double reference, double exponent) {
    finite_ &= std::isfinite(amplitude) && std::isfinite(exponent) && reference > 0.0;
    next_sum().powers.push_back({amplitude, std::log(reference), exponent});
}

void PointTerms::line(double intercept, double slope) {
    finite_ &= std::isfinite(intercept) && std::isfinite(slope);
    next_sum().intercept += intercept;
    next_sum().slope += slope;
}

void PointTerms::broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) {
    finite_ &= std::isfinite(sigma_channels) && std::isfinite(amplitude) && stretch > 0.0;
    Sum& sum = next_sum();
    if (!finite_) return;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        const FixedShape& fixed = shapes_[i];
        if (fixed.grid != &shape || fixed.sigma_channels != sigma_channels || fixed.stretch != stretch) continue;
        sum.fixed[i].amplitude += amplitude;
        return;
    }
    if (curves_used_ == curves_.size()) curves_.emplace_back();
    BroadenedCurve& curve = curves_[curves_used_++];
    if (curve.grid != &shape || curve.sigma != sigma_channels) broaden(shape, sigma_channels, curve);
    sum.tables.push_back({amplitude, stretch, shape.wavelength().data() + curve.first, curve.value.data(), curve.value.size()});
}

void PointTerms::dense(const Component& component, std::span<const double> values) {
    if (dense_used_ == dense_arrays_.size()) dense_arrays_.emplace_back(padded_wavelength_.size());
    std::vector<double>& array = dense_arrays_[dense_used_++];
    component.evaluate(padded_wavelength_, values, array);
    next_sum().dense.push_back({array.data()});
}

void PointTerms::broaden(const TemplateGrid& shape, double sigma, BroadenedCurve& curve) {
    const BroadeningTable& table = shape.broadening();
    const std::size_t radius = filter_radius(sigma);
    const BroadeningTable::Channels channels = table.channels(radius);
    curve.grid = &shape;
    curve.sigma = sigma;
    curve.first = channels.first;
    curve.value.resize(channels.count());
    if (BroadeningTable::holds(radius)) {
        const BroadeningTable::Basis& basis = table.basis(radius);
        const auto weights = basis.weights(sigma);
        kernels_->combine(basis.value.data(), channels.count(), weights.data(), basis.nodes, curve.value.data());
        return;
    }
    table.pad(radius, padded_);
    const std::vector<double> weights = gaussian_weights(sigma, radius);
    kernels_->filter(padded_.data(), channels.count(), weights.data(), radius, curve.value.data());
}

}  // namespace aliquot::spectra
