#include "aliquot/infer/slice_chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "aliquot/core/error.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/infer/amplitude_moves.hpp"
#include "aliquot/infer/normal.hpp"
#include "aliquot/infer/periodic.hpp"
#include "aliquot/infer/slice_bracket.hpp"
#include "aliquot/infer/streams.hpp"

namespace aliquot::infer {

namespace {

constexpr std::size_t slices_between_rounds = 4;
constexpr std::size_t slices_between_leaps = 3;
// Shares of directions where there is an amplitude block; the rest are draws from the whole covariance. A partial direction moves
// the other parameters, and the amplitudes as they follow from them.
constexpr double share_differences = 0.3;
constexpr double share_partial = 0.5;

/// One chain between two trial points.
struct Lane {
    RandomStream random;
    double log_likelihood;
    double label;
    std::size_t chain;  // within the block
    std::size_t half;   // the half its directions come from
    std::size_t start;  // slot
    std::size_t slices_left;
    SliceBracket bracket;
    double at;  // the trial
    int shrinks;
    bool jump;  // the trial is where moves of the amplitudes or a leap led to: taken or left, but not shrunk to
    bool leap;
};

class Block {
  public:
    Block(const ChainSnapshot& snapshot, std::size_t first, std::span<ChainEnd> ends)
        : s_(snapshot),
          amplitudes_(snapshot.problem.amplitudes()),
          dimension_(snapshot.unit.columns()),
          others_(dimension_ - (amplitudes_ != nullptr ? amplitudes_->coordinates.size() : 0)),
          ends_(ends),
          current_(ends.size(), dimension_),
          direction_(ends.size(), dimension_),
          trial_(ends.size(), dimension_),
          parameters_(ends.size(), dimension_),
          values_(ends.size()),
          normals_(dimension_ + 1) {
        if (amplitudes_ != nullptr) {
            moves_.emplace(*amplitudes_);
            const std::size_t columns = amplitudes_->products.size() + 1;
            form_.resize(columns * columns);
            block_unit_.resize(amplitudes_->coordinates.size());
        }
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
                          .bracket = {},
                          .at = 0.0,
                          .shrinks = 0,
                          .jump = false,
                          .leap = false});
        ends_[chain].start_log_likelihood = s_.log_likelihood[start];
        start_slice(lanes_.back());
    }

    void start_slice(Lane& lane) {
        // The label is one more coordinate: given the point, it is uniform where the contour lets it be.
        const double lowest = lane.log_likelihood > s_.contour.log_likelihood ? 0.0 : s_.contour.label;
        lane.label = lowest + (1.0 - lowest) * lane.random.uniform();
        const auto direction = direction_.row(lane.chain);
        const double kind = lane.random.uniform();
        if (kind < (amplitudes_ != nullptr ? share_differences : 0.5)) {
            difference(lane, direction);
        } else {
            const bool partial = amplitudes_ != nullptr && others_ > 0 && kind < share_differences + share_partial;
            whitened(lane, direction, partial ? others_ : dimension_);
        }
        lane.bracket = SliceBracket::around(current_.row(lane.chain), direction, s_.bracket, lane.random, s_.periodic);
        lane.shrinks = 0;
    }

    /// A round of moves within the amplitude block from the lane's point; where it leads is the lane's next trial. False where
    /// the block has no form here.
    bool start_round(Lane& lane) {
        const auto unit = current_.row(lane.chain);
        const auto trial = direction_.row(lane.chain);  // the slice that used it is over
        const auto parameters = parameters_.view().middle_rows(0, 1);
        s_.problem.transform(current_.view().middle_rows(lane.chain, 1), parameters);
        const std::optional<double> constant = s_.problem.amplitude_form(parameters.row(0), form_);
        if (!constant) return false;
        const auto& coordinates = amplitudes_->coordinates;
        for (std::size_t j = 0; j < coordinates.size(); ++j)
            block_unit_[j] = unit[coordinates[j]];
        const std::span<const double> factor = s_.cholesky[lane.half];
        moves_->round({.form = form_,
                       .bound = 2.0 * (*constant - s_.contour.log_likelihood),
                       .factor = factor.subspan(others_ * (dimension_ + 1)),
                       .stride = dimension_,
                       .bracket = s_.bracket},
                      lane.random, block_unit_);
        ++counts_.amplitude_rounds;
        std::copy(unit.begin(), unit.end(), trial.begin());
        for (std::size_t j = 0; j < coordinates.size(); ++j)
            trial[coordinates[j]] = block_unit_[j];
        lane.jump = true;
        lane.leap = false;
        return true;
    }

    /// A leap to another mode of the half that directions come from (Metropolis: taken with the ratio of volumes, if it stays
    /// above the contour). False where none is tried.
    bool start_leap(Lane& lane) {
        const Modes& modes = *s_.modes[lane.half];
        const auto unit = current_.row(lane.chain);
        const auto trial = direction_.row(lane.chain);
        const std::size_t from = modes.nearest(unit, s_.periodic);
        std::size_t to = lane.random.below(static_cast<std::uint32_t>(modes.count() - 1));
        if (to >= from) ++to;
        const double accept = lane.random.uniform();
        const double log_volume = modes.leap(from, to, unit, s_.periodic, trial);
        if (!(std::log(accept) < log_volume) || modes.nearest(trial, s_.periodic) != to) return false;
        lane.jump = true;
        lane.leap = true;
        return true;
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
        for (std::size_t j = 0; j < dimension_; ++j) {
            const double apart = first[j] - second[j];
            direction[j] = (!s_.periodic.empty() && s_.periodic[j] ? shortest(apart) : apart) * scale;
        }
    }

    /// A direction from the covariance; from its first `count` columns only, the last coordinates follow from the first.
    void whitened(Lane& lane, std::span<double> direction, std::size_t count) {
        double norm2 = 0.0;
        for (std::size_t j = 0; j < count; j += 2) {
            const NormalPair pair = normal_pair(lane.random);
            normals_[j] = pair.a;
            normals_[j + 1] = j + 1 < count ? pair.b : 0.0;
            norm2 += normals_[j] * normals_[j] + normals_[j + 1] * normals_[j + 1];
        }
        const double scale = 1.0 / std::sqrt(norm2);
        const double* row = s_.cholesky[lane.half].data();
        for (std::size_t i = 0; i < dimension_; ++i, row += dimension_) {
            double sum = 0.0;
            for (std::size_t j = 0; j <= std::min(i, count - 1); ++j)
                sum += row[j] * normals_[j];
            direction[s_.order[i]] = sum * scale;
        }
    }

    void propose(std::size_t index) {
        Lane& lane = lanes_[index];
        const auto direction = direction_.row(lane.chain);
        const auto trial = trial_.row(index);
        if (lane.jump) {
            std::copy(direction.begin(), direction.end(), trial.begin());
            return;
        }
        ++counts_.slice_calls;
        lane.at = lane.bracket.draw(lane.random);
        step_along(current_.row(lane.chain), direction, lane.at, trial, s_.periodic);
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
            bool over = false;  // the slice is
            if (s_.contour.below(value, lane.label)) {
                const auto trial = trial_.row(i);
                std::copy(trial.begin(), trial.end(), current_.row(lane.chain).begin());
                lane.log_likelihood = value;
                if (lane.jump && lane.leap) ++counts_.leaps;
                over = true;
            } else if (!lane.jump) {
                lane.bracket.shrink(lane.at);
                if (++lane.shrinks == most_shrinks) {
                    ++counts_.failed_slices;
                    over = true;
                }
            }
            if ((over || lane.jump) && !start_next(lane)) {
                end_chain(lane);
                continue;
            }
            if (kept != i) lanes_[kept] = lane;
            ++kept;
        }
        lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(kept), lanes_.end());
    }

    /// What follows a finished slice, leap or round; false at the end of the chain.
    bool start_next(Lane& lane) {
        const bool after_slice = !lane.jump;
        const bool after_leap = lane.jump && lane.leap;
        lane.jump = false;
        if (after_slice) --lane.slices_left;
        const std::size_t made = s_.slices - lane.slices_left;
        if (after_slice && s_.modes[lane.half]->count() > 1 && made % slices_between_leaps == 0 && start_leap(lane)) return true;
        const bool round_due = made % slices_between_rounds == 0 || lane.slices_left == 0;
        if ((after_slice || after_leap) && amplitudes_ != nullptr && round_due && start_round(lane)) return true;
        if (lane.slices_left == 0) return false;
        start_slice(lane);
        return true;
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
    const AmplitudeBlock* amplitudes_;
    std::size_t dimension_;
    std::size_t others_;  // coordinates outside the amplitude block
    std::span<ChainEnd> ends_;
    Matrix<double> current_;    // by chain
    Matrix<double> direction_;  // by chain; the point itself that a round has led to
    Matrix<double> trial_;      // by active lane
    Matrix<double> parameters_;
    std::vector<double> values_;
    std::vector<double> normals_;
    std::optional<AmplitudeMoves> moves_;
    std::vector<double> form_;
    std::vector<double> block_unit_;
    std::vector<Lane> lanes_;
    ChainCounts counts_;
};

}  // namespace

ChainCounts run_chains(const ChainSnapshot& snapshot, std::size_t first, std::span<ChainEnd> ends) {
    return Block(snapshot, first, ends).run();
}

}  // namespace aliquot::infer
