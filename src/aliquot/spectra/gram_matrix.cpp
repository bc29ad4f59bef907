#include "aliquot/spectra/gram_matrix.hpp"

#include <algorithm>

namespace aliquot::spectra {

void GramMatrix::start(std::size_t columns, const TileKernels& kernels) {
    kernels_ = &kernels;
    size_ = columns + 1;
    lanes_.assign(gram_lanes * size_ * (size_ + 1) / 2, 0.0);
    numbers_.clear();
}

double* GramMatrix::row(std::size_t column, std::size_t length) {
    rows_.resize(std::max(rows_.size(), length * size_));
    numbers_.push_back(static_cast<std::uint16_t>(column));
    return rows_.data() + (numbers_.size() - 1) * length;
}

void GramMatrix::add(std::size_t length, const double* weights) {
    kernels_->gram(rows_.data(), numbers_.size(), length, weights, numbers_.data(), lanes_.data());
    numbers_.clear();
}

void GramMatrix::finish(std::span<double> form) const {
    const double* pair = lanes_.data();
    for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b <= a; ++b, pair += gram_lanes) {
            double sum = 0.0;
            for (std::size_t i = 0; i < gram_lanes / 2; ++i)
                sum += pair[i] + pair[i + gram_lanes / 2];
            form[a * size_ + b] = form[b * size_ + a] = sum;
        }
    }
}

}  // namespace aliquot::spectra
