#include "aliquot/spectra/point_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace aliquot::spectra {

namespace {

constexpr std::size_t most_compared = 32;  // Gaussians that a new one is compared with: the work stays linear in their number

}  // namespace

bool PointTerms::bind(const Model& model, const Plan& plan, std::span<const double> values, const TileKernels& kernels,
                      std::span<const double> padded_wavelength, std::span<const FixedShape> shapes) {
    kernels_ = &kernels;
    padded_wavelength_ = padded_wavelength;
    shapes_ = shapes;
    fixed_.clear();
    gaussians_.clear();
    powers_.clear();
    tables_.clear();
    dense_.clear();
    sums_.clear();
    starts_.clear();
    curves_used_ = 0;
    dense_used_ = 0;
    finite_ = true;
    for (const auto& group : plan.groups) {
        const Counts before{gaussians_.size(), powers_.size(), tables_.size(), dense_.size()};
        first_gaussian_ = gaussians_.size();
        intercept_ = 0.0;
        slope_ = 0.0;
        for (const FixedShape& shape : shapes)
            fixed_.push_back({0.0, shape.value.data()});
        for (const std::size_t leaf : group)
            model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), *this);
        starts_.push_back(before);
        sums_.push_back({.gaussians = nullptr,
                         .powers = nullptr,
                         .tables = nullptr,
                         .dense = nullptr,
                         .fixed = nullptr,
                         .gaussian_count = static_cast<std::uint32_t>(gaussians_.size() - before.gaussians),
                         .power_count = static_cast<std::uint32_t>(powers_.size() - before.powers),
                         .table_count = static_cast<std::uint32_t>(tables_.size() - before.tables),
                         .dense_count = static_cast<std::uint32_t>(dense_.size() - before.dense),
                         .fixed_count = static_cast<std::uint32_t>(shapes.size()),
                         .intercept = intercept_,
                         .slope = slope_});
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        sums_[i].gaussians = gaussians_.data() + starts_[i].gaussians;
        sums_[i].powers = powers_.data() + starts_[i].powers;
        sums_[i].tables = tables_.data() + starts_[i].tables;
        sums_[i].dense = dense_.data() + starts_[i].dense;
        sums_[i].fixed = fixed_.data() + i * shapes.size();
    }
    return finite_;
}

void PointTerms::gaussian(double amplitude, double centre, double sigma) {
    finite_ &= std::isfinite(amplitude) && std::isfinite(centre) && sigma > 0.0;
    if (amplitude == 0.0) return;
    const GaussianTerm term{amplitude, centre, 1.0 / (std::numbers::sqrt2 * sigma), gaussian_reach * sigma};
    const std::size_t candidates = std::min(gaussians_.size() - first_gaussian_, most_compared);
    for (auto g = gaussians_.end() - static_cast<std::ptrdiff_t>(candidates); g != gaussians_.end(); ++g) {
        if (g->centre != term.centre || g->inverse != term.inverse || g->reach != term.reach) continue;
        g->amplitude += amplitude;
        return;
    }
    gaussians_.push_back(term);
}

void PointTerms::power(double amplitude, double reference, double exponent) {
    finite_ &= std::isfinite(amplitude) && std::isfinite(exponent) && reference > 0.0;
    powers_.push_back({amplitude, std::log(reference), exponent});
}

void PointTerms::line(double intercept, double slope) {
    finite_ &= std::isfinite(intercept) && std::isfinite(slope);
    intercept_ += intercept;
    slope_ += slope;
}

void PointTerms::broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) {
    finite_ &= std::isfinite(sigma_channels) && std::isfinite(amplitude) && stretch > 0.0;
    if (!finite_) return;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        const FixedShape& fixed = shapes_[i];
        if (fixed.grid != &shape || fixed.sigma_channels != sigma_channels || fixed.stretch != stretch) continue;
        fixed_[fixed_.size() - shapes_.size() + i].amplitude += amplitude;
        return;
    }
    if (curves_used_ == curves_.size()) curves_.emplace_back();
    BroadenedCurve& curve = curves_[curves_used_++];
    if (curve.grid != &shape || curve.sigma != sigma_channels) broaden(shape, sigma_channels, curve);
    tables_.push_back({amplitude, stretch, shape.wavelength().data() + curve.first, curve.value.data(), curve.value.size()});
}

void PointTerms::dense(const Component& component, std::span<const double> values) {
    if (dense_used_ == dense_arrays_.size()) dense_arrays_.emplace_back(padded_wavelength_.size());
    std::vector<double>& array = dense_arrays_[dense_used_++];
    component.evaluate(padded_wavelength_, values, array);
    dense_.push_back({array.data()});
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
