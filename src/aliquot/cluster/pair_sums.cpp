#include "aliquot/cluster/pair_sums.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "aliquot/cluster/kernels/pair_kernels.hpp"
#include "aliquot/cluster/scaled_stars.hpp"

namespace aliquot::cluster {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Stars cut into blocks whose size depends on their number only; a tile of the sum is a pair of blocks.
class Blocks {
  public:
    explicit Blocks(std::size_t padded)
        : padded_(padded), size_(std::clamp<std::size_t>((padded / 64 + pair_lanes - 1) / pair_lanes * pair_lanes, 64, 2048)) {}

    [[nodiscard]] std::size_t count() const { return (padded_ + size_ - 1) / size_; }
    [[nodiscard]] PairRange range(std::size_t block) const { return {block * size_, std::min(padded_, (block + 1) * size_)}; }

  private:
    std::size_t padded_;
    std::size_t size_;
};

std::uint64_t pairs_of(std::size_t n) {
    return n < 2 ? 0 : static_cast<std::uint64_t>(n) * (n - 1) / 2;
}

/// A sum in long double: its order is fixed, its rounding far below that of what it adds up.
double sum_of(const std::vector<double>& values) {
    long double sum = 0.0L;
    for (const double value : values)
        sum += value;
    return static_cast<double>(sum);
}

struct Vector3 {
    long double x = 0.0L, y = 0.0L, z = 0.0L;
};

/// The self-checks: sum of forces and Clausius.
void check(const Stars& stars, PairForces& forces) {
    Vector3 sum;
    Vector3 centre;
    long double magnitude = 0.0L;
    long double mass = 0.0L;
    for (std::size_t i = 0; i < stars.size(); ++i) {
        const long double m = stars.mass[i];
        sum.x += m * forces.ax[i];
        sum.y += m * forces.ay[i];
        sum.z += m * forces.az[i];
        magnitude += m * std::hypot(forces.ax[i], forces.ay[i], forces.az[i]);
        centre.x += m * stars.x[i];
        centre.y += m * stars.y[i];
        centre.z += m * stars.z[i];
        mass += m;
    }
    if (!(magnitude > 0.0L)) return;
    forces.force_sum = static_cast<double>(std::sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / magnitude);
    long double clausius = 0.0L;
    for (std::size_t i = 0; i < stars.size(); ++i)
        clausius -= static_cast<long double>(stars.mass[i]) *
                    ((stars.x[i] - centre.x / mass) * forces.ax[i] + (stars.y[i] - centre.y / mass) * forces.ay[i] +
                     (stars.z[i] - centre.z / mass) * forces.az[i]);
    forces.clausius = static_cast<double>(clausius);
    if (forces.sums.energy != 0.0)
        forces.clausius_error = static_cast<double>(std::abs((clausius + forces.sums.energy) / forces.sums.energy));
}

}  // namespace

PairSums potential_energy(const Stars& stars, double gravity, double softening, Threads& threads) {
    const auto start = Clock::now();
    const ScaledStars scaled(stars, softening);
    const PairKernels& kernels = pair_kernels(math::simd_level());
    const PairColumns columns = scaled.columns();
    const Blocks blocks(scaled.size());
    // Row a of tiles holds its diagonal one and those right of it; rows a and count - 1 - a together are one piece of even work.
    const std::size_t count = blocks.count();
    const std::size_t tiles = count * (count + 1) / 2;
    std::vector<double> sums(tiles);
    std::vector<std::uint64_t> coincident(tiles);
    const std::size_t wide = count + 1;
    threads.for_each_block(tiles, [&](std::size_t tile) {
        std::size_t a = tile / wide;
        std::size_t b = a + tile % wide;
        if (b >= count) {
            a = count - 1 - a;
            b = a + (b - count);
        }
        sums[tile] = kernels.energy(columns, blocks.range(a), blocks.range(b), coincident[tile]);
    });
    PairSums result;
    result.energy = scaled.unscale(-gravity * sum_of(sums), 2, -1);
    result.pairs = pairs_of(stars.size());
    for (const std::uint64_t found : coincident)
        result.coincident_pairs += found;
    result.seconds = seconds_since(start);
    return result;
}

PairForces pair_forces(const Stars& stars, double gravity, double softening, Threads& threads) {
    const auto start = Clock::now();
    const ScaledStars scaled(stars, softening);
    const PairKernels& kernels = pair_kernels(math::simd_level());
    const PairColumns columns = scaled.columns();
    const Blocks blocks(scaled.padded());
    const std::size_t count = blocks.count();
    PairForces result;
    for (std::vector<double>* field : {&result.ax, &result.ay, &result.az, &result.potential})
        field->assign(scaled.padded(), 0.0);
    const PairFields fields{result.ax.data(), result.ay.data(), result.az.data(), result.potential.data()};
    std::vector<std::uint64_t> coincident(count);
    // A tournament: in each round every block meets at most one other, so that no two tiles of a round touch the same stars and
    // each star's sums are added in an order that is fixed. An odd block has a round off. The blocks meet themselves last:
    // stars of a binary stand side by side, and their forces would swallow what is added to them.
    const std::size_t players = count + count % 2;
    for (std::size_t round = 0; round + 1 < players; ++round) {
        threads.for_each_block(players / 2, [&](std::size_t table) {
            const std::size_t first = table == 0 ? players - 1 : (round + table) % (players - 1);
            const std::size_t second = (round + players - 1 - table) % (players - 1);
            const std::size_t a = std::min(first, second);
            const std::size_t b = std::max(first, second);
            if (b < count) kernels.forces(columns, blocks.range(a), blocks.range(b), fields, coincident[a]);
        });
    }
    threads.for_each_block(
        count, [&](std::size_t a) { kernels.forces(columns, blocks.range(a), blocks.range(a), fields, coincident[a]); });
    long double energy = 0.0L;
    for (std::size_t i = 0; i < scaled.size(); ++i)
        energy += static_cast<long double>(columns.mass[i]) * result.potential[i];
    result.sums.energy = scaled.unscale(-0.5 * gravity * static_cast<double>(energy), 2, -1);
    result.sums.pairs = pairs_of(stars.size());
    for (const std::uint64_t found : coincident)
        result.sums.coincident_pairs += found;
    for (std::vector<double>* field : {&result.ax, &result.ay, &result.az, &result.potential}) {
        field->resize(stars.size());
        const bool potential = field == &result.potential;
        for (double& value : *field)
            value = potential ? scaled.unscale(-gravity * value, 1, -1) : scaled.unscale(gravity * value, 1, -2);
    }
    check(stars, result);
    result.sums.seconds = seconds_since(start);
    return result;
}

}  // namespace aliquot::cluster
