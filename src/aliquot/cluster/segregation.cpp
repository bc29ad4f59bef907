#include "aliquot/cluster/segregation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "aliquot/core/contract.hpp"

namespace aliquot::cluster {

namespace {

/// Counts what is left of 0..n-1 and finds the k-th of them (Fenwick 1994).
class Remaining {
  public:
    explicit Remaining(std::size_t count) : tree_(count + 1) {
        for (std::size_t i = 1; i <= count; ++i)
            tree_[i] = static_cast<std::uint32_t>(i & (~i + 1));
    }
    /// Take the k-th of what is left, counted from 0.
    std::size_t take(std::size_t k) {
        std::size_t position = 0;
        for (std::size_t step = std::bit_floor(tree_.size() - 1); step > 0; step /= 2) {
            if (position + step < tree_.size() && tree_[position + step] <= k) {
                position += step;
                k -= tree_[position];
            }
        }
        for (std::size_t i = position + 1; i < tree_.size(); i += i & (~i + 1))
            --tree_[i];
        return position;
    }

  private:
    std::vector<std::uint32_t> tree_;
};

std::vector<std::uint32_t> sorted_indices(std::span<const double> values, bool descending) {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return descending ? values[a] > values[b] : values[a] < values[b];
    });
    return order;
}

}  // namespace

std::vector<std::uint32_t> energy_ordered_orbits(std::span<const double> masses, std::span<const double> energies,
                                                 double strength, RandomStream& random) {
    ALIQUOT_EXPECT(energies.size() >= masses.size());
    const std::vector<std::uint32_t> heavy_first = sorted_indices(masses, true);
    const std::vector<std::uint32_t> bound_first = sorted_indices(energies, false);
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    const std::size_t count = masses.size();
    const std::size_t pool = energies.size();
    Remaining remaining(count);
    std::vector<std::uint32_t> orbits(count);
    double below = 0.0;
    std::size_t next = 0;  // first orbit that nobody has
    for (std::size_t i = 0; i < count; ++i) {
        const auto left = static_cast<double>(count - i);
        const double share = 1.0 - std::pow(random.uniform(), 1.0 - strength);
        const std::uint32_t star = heavy_first[remaining.take(std::min(static_cast<std::size_t>(left * share), count - i - 1))];
        const double at = (below + random.uniform() * masses[star]) / total * static_cast<double>(pool);
        below += masses[star];
        const std::size_t last = pool - (count - i);  // leaves an orbit for each star that is still to come
        const std::size_t orbit = std::min(std::max(static_cast<std::size_t>(at), next), last);
        orbits[star] = bound_first[orbit];
        next = orbit + 1;
    }
    return orbits;
}

}  // namespace aliquot::cluster
