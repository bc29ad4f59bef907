#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "aliquot/cluster/lowered_model.hpp"
#include "aliquot/cluster/phase_sampler.hpp"

// The fidelity gates of progenax's page, run again: 20 000 stars drawn by `table` and by `exact` against `quadrature`, their
// speeds compared by the two-sample Kolmogorov-Smirnov distance, means and mean squares, and the anisotropy in eight shells.

namespace {

using namespace aliquot;

constexpr std::size_t paired_stars = 20000;
constexpr std::size_t unpaired_stars = 200000;
constexpr std::size_t shells = 8;
constexpr double ks_gate = 0.02;
constexpr double mean_gate = 0.02;
constexpr double square_gate = 0.03;
constexpr double anisotropy_gate = 0.06;

struct Sample {
    std::vector<cluster::PhasePoint> points;
    std::vector<double> speeds;  ///< ascending
    double mean = 0.0;
    double square = 0.0;
};

/// Positions are the model's own, the same stars for all methods; `stream` tells unpaired draws apart.
Sample draw(const cluster::LoweredModel& model, cluster::DrawMethod method, std::uint32_t stream, std::size_t stars) {
    const cluster::PhaseSampler positions(model, 0, cluster::DrawMethod::table);
    const cluster::PhaseSampler velocities(model, 0, method);
    Sample sample;
    for (std::uint64_t i = 0; i < stars; ++i) {
        RandomStream where(7, 0, i);
        RandomStream how(7, stream, i);
        sample.points.push_back(velocities.draw_at(positions.draw(where).radius, how));
        const cluster::PhasePoint& p = sample.points.back();
        sample.speeds.push_back(std::hypot(p.radial, p.tangential));
        sample.mean += sample.speeds.back() / static_cast<double>(stars);
        sample.square += sample.speeds.back() * sample.speeds.back() / static_cast<double>(stars);
    }
    std::sort(sample.speeds.begin(), sample.speeds.end());
    return sample;
}

double kolmogorov(const std::vector<double>& a, const std::vector<double>& b) {
    double distance = 0.0;
    std::size_t j = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        while (j < b.size() && b[j] < a[i])
            ++j;
        distance = std::max(distance, std::abs(static_cast<double>(i) - static_cast<double>(j)) / static_cast<double>(a.size()));
    }
    return distance;
}

/// beta in equal-number shells between the 2 % and the 98 % radius.
std::array<double, shells> anisotropy(const Sample& sample) {
    std::vector<cluster::PhasePoint> points = sample.points;
    std::sort(points.begin(), points.end(),
              [](const cluster::PhasePoint& a, const cluster::PhasePoint& b) { return a.radius < b.radius; });
    std::array<double, shells> beta{};
    const std::size_t first = points.size() / 50;
    const std::size_t each = (points.size() - 2 * first) / shells;
    for (std::size_t k = 0; k < shells; ++k) {
        double radial = 0.0;
        double tangential = 0.0;
        for (std::size_t i = first + k * each; i < first + (k + 1) * each; ++i) {
            radial += points[i].radial * points[i].radial;
            tangential += points[i].tangential * points[i].tangential;
        }
        beta[k] = 1.0 - tangential / (2.0 * radial);
    }
    return beta;
}

bool compare(const char* name, const char* page, const cluster::LoweredModel& model) {
    bool passed = true;
    for (const auto& [method, label, stream, stars] : {std::tuple{cluster::DrawMethod::table, "table (paired)", 1U, paired_stars},
                                                       std::tuple{cluster::DrawMethod::exact, "exact", 2U, unpaired_stars}}) {
        const Sample truth = draw(model, cluster::DrawMethod::quadrature, 1, stars);
        const Sample sample = draw(model, method, stream, stars);
        const double ks = kolmogorov(sample.speeds, truth.speeds);
        const double mean = std::abs(sample.mean / truth.mean - 1.0);
        const double square = std::abs(sample.square / truth.square - 1.0);
        const auto beta = anisotropy(sample);
        const auto true_beta = anisotropy(truth);
        double worst = 0.0;
        for (std::size_t k = 0; k < shells; ++k)
            worst = std::max(worst, std::abs(beta[k] - true_beta[k]));
        const bool good = ks < ks_gate && mean < mean_gate && square < square_gate && worst < anisotropy_gate;
        passed = passed && good;
        std::printf("%-26s %-15s %9.1e %9.1e %9.1e %9.1e  %s   page: %s\n", name, label, ks, mean, square, worst,
                    good ? "pass" : "FAIL", page);
    }
    return passed;
}

}  // namespace

int main() {
    std::printf("%-26s %-15s %9s %9s %9s %9s\n", "model", "method", "KS", "mean", "square", "beta");
    std::printf("%-26s %-15s %9.1e %9.1e %9.1e %9.1e\n", "gates", "", ks_gate, mean_gate, square_gate, anisotropy_gate);
    bool passed = compare("King W0 5", "KS 1e-4 (paired)", cluster::LoweredModel::king(5.0));
    passed = compare("LIMEPY W0 5, g 1, r_a 4", "KS 3e-4, beta 1e-5 (paired)", cluster::LoweredModel::king(5.0, 4.0)) && passed;
    passed = compare("Michie W0 7, r_a 8", "KS 6.7e-3, beta 0.042", cluster::LoweredModel::king(7.0, 8.0)) && passed;
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
