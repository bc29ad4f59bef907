#include "aliquot/infer/merge_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "aliquot/core/error.hpp"
#include "aliquot/core/fnv_hash.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/infer/evidence.hpp"
#include "aliquot/infer/posterior.hpp"

namespace aliquot::infer {

namespace {

constexpr double unlikely_scatter = 3.09;  // normal deviates: one in a thousand

/// A run by its place in the caller's list, from 1.
struct Member {
    std::size_t number;
    const NestedResult* run;
};

/// A point of one of the members.
struct Death {
    std::size_t member;
    std::size_t point;
};

bool from_prior(const NestedResult& run) {
    return !std::isfinite(run.start_contour);
}

void check_independent(const std::vector<Member>& members) {
    struct Point {
        std::uint64_t hash;
        std::size_t number;
    };
    std::vector<Point> points;
    for (const Member& member : members) {
        for (std::size_t i = 0; i < member.run->unit_samples.rows(); ++i) {
            FnvHash hash;
            hash.add(member.run->unit_samples.row(i));
            points.push_back({hash.value(), member.number});
        }
    }
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return std::pair(a.hash, a.number) < std::pair(b.hash, b.number); });
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (points[i].hash == points[i - 1].hash && points[i].number != points[i - 1].number)
            throw DataError(
                format("runs {} and {} share points (they have the same seed, or one was merged from the other): merge "
                       "runs of different seeds, each once",
                       points[i - 1].number, points[i].number));
    }
}

std::vector<Member> checked(std::span<const NestedResult> runs) {
    if (runs.size() < 2) throw DataError(format("{} run to merge (merging takes two or more): name more", runs.size()));
    std::vector<Member> members;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].dimension != runs[0].dimension)
            throw DataError(
                format("runs 1 and {} have {} and {} parameters (they are of different problems): merge runs of one "
                       "problem",
                       i + 1, runs[0].dimension, runs[i].dimension));
        members.push_back({i + 1, &runs[i]});
    }
    if (std::none_of(runs.begin(), runs.end(), [](const NestedResult& run) { return run.status == Status::converged; }))
        throw DataError("none of the runs has converged (all of them miss the peak of the posterior): finish one with --resume");
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
        return std::tuple(a.run->seed, a.run->live_points, a.run->log_evidence) <
               std::tuple(b.run->seed, b.run->live_points, b.run->log_evidence);
    });
    check_independent(members);
    return members;
}

/// All points in order of ln L, those of one run in their own order.
std::vector<Death> common_order(const std::vector<Member>& members) {
    std::vector<Death> deaths;
    for (std::size_t m = 0; m < members.size(); ++m) {
        for (std::size_t i = 0; i < members[m].run->log_likelihood.size(); ++i)
            deaths.push_back({m, i});
    }
    std::stable_sort(deaths.begin(), deaths.end(), [&](const Death& a, const Death& b) {
        return members[a.member].run->log_likelihood[a.point] < members[b.member].run->log_likelihood[b.point];
    });
    return deaths;
}

/// The share of the prior in which ln L is finite, from the draws of all runs.
void merge_start(const std::vector<Member>& members, NestedResult& merged) {
    double found = 0.0;
    double drawn = 0.0;
    for (const Member& member : members) {
        if (!from_prior(*member.run)) continue;
        const auto live = static_cast<double>(member.run->live_points);
        found += live;
        drawn += live / std::exp(member.run->log_start_volume);
    }
    const double share = std::min(1.0, found / drawn);
    merged.log_start_volume = std::log(share);
    merged.log_start_volume_sd = std::sqrt((1.0 - share) / found);
}

void merge_diagnostics(const std::vector<Member>& members, NestedResult& merged) {
    Diagnostics& all = merged.diagnostics;
    const bool several =
        std::count_if(members.begin(), members.end(), [](const Member& member) { return from_prior(*member.run); }) > 1;
    double chains = 0.0;
    double slices = 0.0;
    for (const Member& member : members) {
        const Diagnostics& d = member.run->diagnostics;
        all.insertion_rank_p_value = std::min(all.insertion_rank_p_value, d.insertion_rank_p_value);
        const double made = d.rank_correlation_error < 1.0 ? 1.0 / (d.rank_correlation_error * d.rank_correlation_error) : 0.0;
        chains += made;
        slices += made * d.slices_per_point;
        all.rank_correlation += made * d.rank_correlation;
        all.calls_per_slice += made * d.slices_per_point * d.calls_per_slice;
        all.nan_likelihoods += d.nan_likelihoods;
        all.failed_slices += d.failed_slices;
        all.amplitude_rounds += d.amplitude_rounds;
        all.leaps += d.leaps;
        all.plateau_points += d.plateau_points;
        all.nan_examples.insert(all.nan_examples.end(), d.nan_examples.begin(), d.nan_examples.end());
        for (const std::string& warning : d.warnings)
            all.warnings.push_back(from_prior(*member.run) ? several ? format("seed {}: {}", member.run->seed, warning) : warning
                                                           : "top-up: " + warning);
    }
    all.insertion_rank_p_value = std::min(1.0, all.insertion_rank_p_value * static_cast<double>(members.size()));
    if (chains > 0.0) {
        all.rank_correlation /= chains;
        all.slices_per_point = slices / chains;
        all.calls_per_slice /= slices;
    }
    all.rank_correlation_error = chains > 0.0 ? 1.0 / std::sqrt(chains) : 1.0;
    all.effective_samples = effective_samples(merged.log_weight);
}

/// Whether the evidences of the converged runs agree within their errors: chi-square by the cube root of Wilson and Hilferty.
void check_scatter(const std::vector<Member>& members, NestedResult& merged) {
    double weights = 0.0;
    double mean = 0.0;
    std::size_t count = 0;
    for (const Member& member : members) {
        const double error = member.run->log_evidence_error;
        if (member.run->status != Status::converged || !from_prior(*member.run) || !(error > 0.0)) continue;
        weights += 1.0 / (error * error);
        mean += member.run->log_evidence / (error * error);
        ++count;
    }
    if (count < 2) return;
    mean /= weights;
    double chi_square = 0.0;
    for (const Member& member : members) {
        const double error = member.run->log_evidence_error;
        if (member.run->status != Status::converged || !from_prior(*member.run) || !(error > 0.0)) continue;
        chi_square += (member.run->log_evidence - mean) * (member.run->log_evidence - mean) / (error * error);
    }
    const auto freedom = static_cast<double>(count - 1);
    const double spread = 2.0 / (9.0 * freedom);
    if ((std::cbrt(chi_square / freedom) - (1.0 - spread)) / std::sqrt(spread) > unlikely_scatter)
        merged.diagnostics.warnings.insert(
            merged.diagnostics.warnings.begin(),
            format(
                "the evidences of the {} runs scatter by {:.1f} times what they quote: ln Z may be off by more than its error; "
                "raise sampler.slices_per_dimension or nlive",
                count, std::sqrt(chi_square / freedom)));
}

}  // namespace

NestedResult merge_runs(std::span<const NestedResult> runs, Threads& threads) {
    const std::vector<Member> members = checked(runs);
    NestedResult merged;
    merged.dimension = members[0].run->dimension;
    merged.seed = members[0].run->seed;
    merged.unit_samples = Matrix<double>(0, merged.dimension);
    merged.samples = Matrix<double>(0, merged.dimension);
    for (const Member& member : members) {
        if (from_prior(*member.run)) merged.live_points += member.run->live_points;
        merged.dlogz = std::max(merged.dlogz, member.run->dlogz);
        merged.iterations += member.run->iterations;
        merged.likelihood_calls += member.run->likelihood_calls;
        merged.seconds += member.run->seconds;
    }
    merge_start(members, merged);

    const std::vector<Death> order = common_order(members);
    std::vector<std::size_t> next(members.size(), 0);
    std::vector<double> last_live;
    DeathOrder deaths{{}, {}, merged.log_start_volume, merged.log_start_volume_sd};
    for (const Death& death : order) {
        // Between two of its deaths, a run has as many points alive as its next one will find.
        double alive = 0.0;
        for (std::size_t m = 0; m < members.size(); ++m) {
            const NestedResult& other = *members[m].run;
            const bool begun = members[death.member].run->log_likelihood[death.point] > other.start_contour;
            if (begun && next[m] < other.live_count.size()) alive += other.live_count[next[m]];
        }
        const NestedResult& run = *members[death.member].run;
        ++next[death.member];
        merged.unit_samples.append_row(run.unit_samples.row(death.point));
        merged.samples.append_row(run.samples.row(death.point));
        merged.log_birth.push_back(run.log_birth[death.point]);
        deaths.log_likelihood.push_back(run.log_likelihood[death.point]);
        deaths.live_count.push_back(alive);
        last_live.push_back(death.point >= run.iterations ? 1.0 : 0.0);
    }

    Evidence evidence = estimate_evidence(deaths, merged.seed, threads);
    merged.log_likelihood = std::move(deaths.log_likelihood);
    merged.live_count = std::move(deaths.live_count);
    merged.log_volume = std::move(evidence.log_volume);
    merged.log_weight = std::move(evidence.log_weight);
    merged.log_evidence = evidence.log_evidence;
    merged.log_evidence_error = evidence.log_evidence_error;
    merged.information = evidence.information;
    merge_diagnostics(members, merged);
    for (std::size_t i = 0; i < last_live.size(); ++i)
        merged.diagnostics.live_fraction += last_live[i] * std::exp(merged.log_weight[i]);
    check_scatter(members, merged);
    return merged;
}

}  // namespace aliquot::infer
