#include "aliquot/infer/slice_chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aliquot/core/error.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/normal.hpp"
#include "aliquot/infer/streams.hpp"

namespace aliquot::infer {

namespace {

constexpr int most_shrinks = 200;

/// One chain between two trial points.
struct Lane {
    RandomStream random;
    double log_likelihood;
    double label;
    std::size_t chain;  // within the block
    std::size_t half;   // the half its directions come from
    std::size_t start;  // slot
    std::size_t slices_left;
    double low;  // bracket along the direction
    double high;
    double at;  // the trial
    int shrinks;
};

class Block {
  public:
    Block(const ChainSnapshot& snapshot, std::size_t first, std::span<ChainEnd> ends)
        : s_(snapshot),
          dimension_(snapshot.unit.columns()),
          ends_(ends),
          current_(ends.size(), dimension_),
          direction_(ends.size(), dimension_),
          trial_(ends.size(), dimension_),
          parameters_(ends.size(), dimension_),
          values_(ends.size()),
          normals_(dimension_ + 1) {
        lanes_.reserve(ends.size());
        for (std::size_t chain = 0; chain < ends.size(); ++chain)
            start_chain(first + chain, chain);
    }

    ChainCounts run() {
        while (!lanes_.empty()) {
            for (std::size_t i = 0; i < lanes_.size(); ++i)
                propose(i);
            const std::size_t active = lanes_.size();
            const MatrixView<double> parameters = parameters_.view().middle_rows(0, active);
            s_.problem.transform(trial_.view().middle_rows(0, active), parameters);
            s_.problem.log_likelihood(parameters, std::span(values_).first(active));
            counts_.calls += active;
            settle(active);
        }
        return std::move(counts_);
    }

  private:
    void start_chain(std::size_t number, std::size_t chain) {
        RandomStream random(s_.seed, streams::chains, s_.batch << 20U | number);
        const std::size_t start = s_.survivors[random.below(static_cast<std::uint32_t>(s_.survivors.size()))];
        const auto from = s_.unit.row(start);
        std::copy(from.begin(), from.end(), current_.row(chain).begin());
        lanes_.push_back({.random = random,
                          .log_likelihood = s_.log_likelihood[start],
                          .label = s_.label[start],
                          .chain = chain,
                          .half = 1 - start % 2,
                          .start = start,
                          .slices_left = s_.slices,
                          .low = 0.0,
                          .high = 0.0,
                          .at = 0.0,
                          .shrinks = 0});
        ends_[chain].start_log_likelihood = s_.log_likelihood[start];
        start_slice(lanes_.back());
    }

    void start_slice(Lane& lane) {
        // The label is one more coordinate: given the point, it is uniform where the contour lets it be.
        const double lowest = lane.log_likelihood > s_.contour.log_likelihood ? 0.0 : s_.contour.label;
        lane.label = lowest + (1.0 - lowest) * lane.random.uniform();
        const auto direction = direction_.row(lane.chain);
        if (lane.random.uniform() < 0.5) {
            difference(lane, direction);
        } else {
            whitened(lane, direction);
        }
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();
        const double* u = current_.row(lane.chain).data();
        for (std::size_t j = 0; j < dimension_; ++j) {
            if (direction[j] == 0.0) continue;
            const double inverse = 1.0 / direction[j];
            const double a = -u[j] * inverse;
            const double b = (1.0 - u[j]) * inverse;
            low = std::max(low, std::min(a, b));
            high = std::min(high, std::max(a, b));
        }
        const double offset = s_.bracket * lane.random.uniform();
        lane.low = std::max(low, -offset);
        lane.high = std::min(high, s_.bracket - offset);
        lane.shrinks = 0;
    }

    void difference(Lane& lane, std::span<double> direction) {
        const auto half = s_.halves[lane.half];
        const auto count = static_cast<std::uint32_t>(half.size());
        const std::uint32_t a = lane.random.below(count);
        std::uint32_t b = lane.random.below(count - 1);
        if (b >= a) ++b;
        const auto first = s_.unit.row(half[a]);
        const auto second = s_.unit.row(half[b]);
        const double scale = 1.0 / std::sqrt(2.0 * static_cast<double>(dimension_));
        for (std::size_t j = 0; j < dimension_; ++j)
            direction[j] = (first[j] - second[j]) * scale;
    }

    void whitened(Lane& lane, std::span<double> direction) {
        double norm2 = 0.0;
        for (std::size_t j = 0; j < dimension_; j += 2) {
            const NormalPair pair = normal_pair(lane.random);
            normals_[j] = pair.a;
            normals_[j + 1] = j + 1 < dimension_ ? pair.b : 0.0;
            norm2 += normals_[j] * normals_[j] + normals_[j + 1] * normals_[j + 1];
        }
        const double scale = 1.0 / std::sqrt(norm2);
        const double* row = s_.cholesky[lane.half].data();
        for (std::size_t i = 0; i < dimension_; ++i, row += dimension_) {
            double sum = 0.0;
            for (std::size_t j = 0; j <= i; ++j)
                sum += row[j] * normals_[j];
            direction[i] = sum * scale;
        }
    }

    void propose(std::size_t index) {
        Lane& lane = lanes_[index];
        lane.at = lane.low + (lane.high - lane.low) * lane.random.uniform();
        const double* u = current_.row(lane.chain).data();
        const double* d = direction_.row(lane.chain).data();
        double* t = trial_.row(index).data();
        for (std::size_t j = 0; j < dimension_; ++j)
            t[j] = std::clamp(u[j] + lane.at * d[j], 0.0, 1.0);  // the chord ends on the cube's faces but for rounding
    }

    /// Look at the values of all trials; lanes that end leave, the others keep their order.
    void settle(std::size_t active) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < active; ++i) {
            Lane& lane = lanes_[i];
            double value = values_[i];
            if (std::isnan(value)) {
                note_nan(i);
                value = -std::numeric_limits<double>::infinity();
            } else if (value == std::numeric_limits<double>::infinity()) {
                throw NumericError("ln L = +inf (a likelihood is finite, or zero): look at the model and the errors of the data");
            }
            bool over = false;
            if (s_.contour.below(value, lane.label)) {
                const auto trial = trial_.row(i);
                std::copy(trial.begin(), trial.end(), current_.row(lane.chain).begin());
                lane.log_likelihood = value;
                over = true;
            } else {
                (lane.at < 0.0 ? lane.low : lane.high) = lane.at;
                if (++lane.shrinks == most_shrinks) {
                    ++counts_.failed_slices;
                    over = true;
                }
            }
            if (over) {
                if (--lane.slices_left == 0) {
                    end_chain(lane);
                    continue;
                }
                start_slice(lane);
            }
            if (kept != i) lanes_[kept] = lane;
            ++kept;
        }
        lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(kept), lanes_.end());
    }

    void note_nan(std::size_t index) {
        ++counts_.nan_likelihoods;
        if (counts_.nan_examples.size() == most_nan_examples) return;
        const auto row = parameters_.row(index);
        counts_.nan_examples.emplace_back(row.begin(), row.end());
    }

    void end_chain(const Lane& lane) {
        ChainEnd& end = ends_[lane.chain];
        const auto row = current_.row(lane.chain);
        end.unit.assign(row.begin(), row.end());
        end.log_likelihood = lane.log_likelihood;
        end.label = lane.label;
    }

    const ChainSnapshot& s_;
    std::size_t dimension_;
    std::span<ChainEnd> ends_;
    Matrix<double> current_;    // by chain
    Matrix<double> direction_;  // by chain
    Matrix<double> trial_;      // by active lane
    Matrix<double> parameters_;
    std::vector<double> values_;
    std::vector<double> normals_;
    std::vector<Lane> lanes_;
    ChainCounts counts_;
};

}  // namespace

ChainCounts run_chains(const ChainSnapshot& snapshot, std::size_t first, std::span<ChainEnd> ends) {
    return Block(snapshot, first, ends).run();
}

}  // namespace aliquot::infer
