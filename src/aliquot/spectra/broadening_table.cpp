#include "aliquot/spectra/broadening_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aliquot/core/contract.hpp"

namespace aliquot::spectra {

namespace {

constexpr double tolerance = 1e-13;  ///< of a filtered template, in units of its peak

/// The 1 / sigma^2 that share a filter radius.
struct Widths {
    double middle;
    double half;
};

Widths widths(std::size_t radius) {
    const double low = 4.0 / (static_cast<double>(radius) + 0.5);
    const double high = 4.0 / (static_cast<double>(radius) - 0.5);
    return {0.5 * (high * high + low * low), 0.5 * (high * high - low * low)};
}

/// Chebyshev nodes that a radius needs. A weight is exp(-m) exp(-m h t), m = k^2 / 2 sigma^2 <= 8, |t| <= 1, whose interpolation
/// is wrong by at most 2 (m h / 2)^n / n! exp(m h); there are 2 radius / (sqrt(2 pi) sigma) = 3.2 units of weight.
std::size_t nodes_for(std::size_t radius) {
    const Widths w = widths(radius);
    const double h = w.half / w.middle;
    const double most = 0.5 * static_cast<double>(radius * radius) * w.middle;
    for (std::size_t n = 2; n < BroadeningTable::most_nodes; ++n) {
        double worst = 0.0;
        for (double m = 0.05 * most; m <= most; m += 0.05 * most)
            worst = std::max(worst, std::exp(m * (h - 1.0) + static_cast<double>(n) * std::log(0.5 * m * h)));
        if (3.2 * 2.0 * worst / std::tgamma(static_cast<double>(n) + 1.0) < tolerance) return n;
    }
    return BroadeningTable::most_nodes;
}

double node(std::size_t i, std::size_t nodes) {
    return std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(nodes));
}

}  // namespace

struct BroadeningTable::Slots {
    std::array<std::once_flag, most_radius + 1> made;
    std::array<Basis, most_radius + 1> basis;
};

BroadeningTable::BroadeningTable(std::span<const double> value, std::size_t first_nonzero, std::size_t end_nonzero)
    : value_(value.begin(), value.end()),
      first_nonzero_(first_nonzero),
      end_nonzero_(end_nonzero),
      slots_(std::make_unique<Slots>()) {}

BroadeningTable::~BroadeningTable() = default;

BroadeningTable::Channels BroadeningTable::channels(std::size_t radius) const {
    return {first_nonzero_ > radius + 1 ? first_nonzero_ - radius - 1 : 0, std::min(value_.size(), end_nonzero_ + radius + 1)};
}

void BroadeningTable::pad(std::size_t radius, std::vector<double>& padded) const {
    const Channels range = channels(radius);
    padded.resize(range.count() + 2 * radius);
    const auto start = static_cast<std::ptrdiff_t>(range.first) - static_cast<std::ptrdiff_t>(radius);
    for (std::size_t i = 0; i < padded.size();) {
        const auto at = start + static_cast<std::ptrdiff_t>(i);
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(value_.size())) {
            padded[i++] = value_[mirrored_index(at, value_.size())];
            continue;
        }
        const std::size_t run = std::min(padded.size() - i, value_.size() - static_cast<std::size_t>(at));
        std::copy_n(value_.data() + at, run, padded.data() + i);
        i += run;
    }
}

const BroadeningTable::Basis& BroadeningTable::basis(std::size_t radius) const {
    ALIQUOT_EXPECT(holds(radius));
    Basis& basis = slots_->basis[radius];
    std::call_once(slots_->made[radius], [&] {
        const Widths range = widths(radius);
        std::vector<double> padded;
        pad(radius, padded);
        const std::size_t count = channels(radius).count();
        const std::size_t nodes = nodes_for(radius);
        basis.value.resize(nodes * count);
        for (std::size_t n = 0; n < nodes; ++n) {
            basis.inverse_variance[n] = range.middle + range.half * node(n, nodes);
            const std::vector<double> weights = gaussian_weights(1.0 / std::sqrt(basis.inverse_variance[n]), radius);
            double* const out = basis.value.data() + n * count;
            for (std::size_t i = 0; i < count; ++i) {
                const double* const centre = padded.data() + radius + i;
                double total = weights[0] * centre[0];
                for (std::size_t k = 1; k <= radius; ++k)
                    total += weights[k] * (*(centre - k) + centre[k]);
                out[i] = total;
            }
        }
        basis.nodes = nodes;
    });
    return basis;
}

std::array<double, BroadeningTable::most_nodes> BroadeningTable::Basis::weights(double sigma_channels) const {
    const double x = 1.0 / (sigma_channels * sigma_channels);
    std::array<double, most_nodes> result{};
    for (std::size_t i = 0; i < nodes; ++i) {
        double product = 1.0;
        for (std::size_t j = 0; j < nodes; ++j)
            if (j != i) product *= (x - inverse_variance[j]) / (inverse_variance[i] - inverse_variance[j]);
        result[i] = product;
    }
    return result;
}

std::vector<double> gaussian_weights(double sigma, std::size_t radius) {
    std::vector<double> weights(radius + 1);
    double total = 0.0;
    for (std::size_t k = 0; k <= radius; ++k) {
        weights[k] = sigma > 0.0 ? std::exp(-0.5 * static_cast<double>(k * k) / (sigma * sigma)) : 1.0;
        total += k == 0 ? weights[k] : 2.0 * weights[k];
    }
    for (double& w : weights)
        w /= total;
    return weights;
}

}  // namespace aliquot::spectra
