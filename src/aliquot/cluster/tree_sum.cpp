#include "aliquot/cluster/tree_sum.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

#include "aliquot/cluster/kernels/pair_kernels.hpp"
#include "aliquot/cluster/scaled_stars.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

namespace {

constexpr std::size_t leaf_stars = 64;
constexpr std::size_t task_count = 1024;  // pieces of the double descent, as nearly as it comes
constexpr double rounding = 1e-13;
constexpr MonomialTable monomials;

struct Group {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t left = 0;  ///< children are left and left + 1; 0 = a leaf
    std::array<double, 3> centre{};
    double mass = 0.0;
    double radius = 0.0;
    std::array<double, multipole_order + 2> absolute{};  ///< sum m |x|^n from the centre
    std::array<double, multipole_terms> moments{};

    [[nodiscard]] std::size_t size() const { return last - first; }
};

struct GroupPair {
    std::size_t a;
    std::size_t b;
};

/// Order of the stars in which every group is a run, and the groups, root first; halves of equal count along the longer side.
class Tree {
  public:
    explicit Tree(const Stars& stars) : order_(stars.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        groups_.push_back({.first = 0, .last = stars.size()});
        for (std::size_t g = 0; g < groups_.size(); ++g)
            split(stars, g);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

    /// Masses, centres, radii and moments of all groups.
    void fill(const PairColumns& s, Threads& threads) {
        constexpr std::size_t block = 64;
        threads.for_each_block((groups_.size() + block - 1) / block, [&](std::size_t b) {
            for (std::size_t g = b * block; g < std::min(groups_.size(), (b + 1) * block); ++g)
                measure(s, groups_[g]);
        });
        for (std::size_t g = groups_.size(); g-- > 0;) {
            if (groups_[g].left != 0) {
                shift(groups_[groups_[g].left], groups_[g]);
                shift(groups_[groups_[g].left + 1], groups_[g]);
            }
        }
    }

  private:
    void split(const Stars& stars, std::size_t g) {
        const Group group = groups_[g];
        if (group.size() <= leaf_stars) return;
        const std::vector<double>* longest = nullptr;
        double length = -1.0;
        for (const auto* column : {&stars.x, &stars.y, &stars.z}) {
            double low = (*column)[order_[group.first]];
            double high = low;
            for (std::size_t k = group.first; k < group.last; ++k) {
                low = std::min(low, (*column)[order_[k]]);
                high = std::max(high, (*column)[order_[k]]);
            }
            if (high - low > length) {
                length = high - low;
                longest = column;
            }
        }
        const std::size_t middle = group.first + group.size() / 2;
        const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
        std::nth_element(at(group.first), at(middle), at(group.last), [&](std::uint32_t a, std::uint32_t b) {
            return (*longest)[a] != (*longest)[b] ? (*longest)[a] < (*longest)[b] : a < b;
        });
        groups_[g].left = groups_.size();
        groups_.push_back({.first = group.first, .last = middle});
        groups_.push_back({.first = middle, .last = group.last});
    }

    /// x^n / n! for n up to the order.
    static std::array<double, multipole_order + 1> powers(double x) {
        std::array<double, multipole_order + 1> p{};
        p[0] = 1.0;
        for (int n = 1; n <= multipole_order; ++n)
            p[n] = p[n - 1] * x / n;
        return p;
    }

    static void measure(const PairColumns& s, Group& g) {
        std::array<long double, 3> sum{};
        long double mass = 0.0L;
        for (std::size_t k = g.first; k < g.last; ++k) {
            const long double m = s.mass[k];
            mass += m;
            sum[0] += m * s.x[k];
            sum[1] += m * s.y[k];
            sum[2] += m * s.z[k];
        }
        g.mass = static_cast<double>(mass);
        for (std::size_t axis = 0; axis < 3; ++axis)
            g.centre[axis] = mass > 0.0L ? static_cast<double>(sum[axis] / mass) : 0.0;
        for (std::size_t k = g.first; k < g.last; ++k) {
            const double x = s.x[k] - g.centre[0];
            const double y = s.y[k] - g.centre[1];
            const double z = s.z[k] - g.centre[2];
            const double r = std::sqrt(x * x + y * y + z * z);
            g.radius = std::max(g.radius, r);
            double term = s.mass[k];
            for (double& n : g.absolute) {
                n += term;
                term *= r;
            }
            if (g.left != 0) continue;
            const auto px = powers(x);
            const auto py = powers(y);
            const auto pz = powers(z);
            for (std::size_t t = 0; t < multipole_terms; ++t)
                g.moments[t] += s.mass[k] * (px[monomials.i[t]] * py[monomials.j[t]] * pz[monomials.k[t]]);
        }
        g.radius *= 1.0 + 1e-12;
    }

    /// Add a child's moments to its parent's, about the parent's centre.
    static void shift(const Group& child, Group& parent) {
        const auto px = powers(child.centre[0] - parent.centre[0]);
        const auto py = powers(child.centre[1] - parent.centre[1]);
        const auto pz = powers(child.centre[2] - parent.centre[2]);
        for (std::size_t t = 0; t < multipole_terms; ++t) {
            double sum = 0.0;
            for (int i = 0; i <= monomials.i[t]; ++i) {
                for (int j = 0; j <= monomials.j[t]; ++j) {
                    const double xy = px[monomials.i[t] - i] * py[monomials.j[t] - j];
                    for (int k = 0; k <= monomials.k[t]; ++k)
                        sum += xy * pz[monomials.k[t] - k] * child.moments[monomials.index[i][j][k]];
                }
            }
            parent.moments[t] += sum;
        }
    }

    std::vector<std::uint32_t> order_;
    std::vector<Group> groups_;
};

/// One piece of the double descent and what it adds up. A pair of groups is taken by its multipoles where that costs at most
/// `price` of the bound for each pair of stars that it spares: the cheapest way to spend a given bound.
class Descent {
  public:
    /// Without kernels it only adds up the bound, and what the energy is at least.
    Descent(const std::vector<Group>& groups, const PairColumns& columns, const PairKernels* kernels, double price)
        : groups_(groups), columns_(columns), kernels_(kernels), price_(price) {}

    /// Take a pair if it can be taken as it is; otherwise append the pairs that it falls into.
    void visit(GroupPair pair, std::vector<GroupPair>& rest) {
        const Group& a = groups_[pair.a];
        const Group& b = groups_[pair.b];
        if (pair.a == pair.b) {
            if (a.left == 0) {
                direct(a, b);
            } else {
                rest.push_back({a.left, a.left});
                rest.push_back({a.left, a.left + 1});
                rest.push_back({a.left + 1, a.left + 1});
            }
            return;
        }
        if (by_multipoles(a, b)) return;
        if (a.left == 0 && b.left == 0) {
            direct(a, b);
        } else if (b.left == 0 || (a.left != 0 && a.radius >= b.radius)) {
            rest.push_back({a.left, pair.b});
            rest.push_back({a.left + 1, pair.b});
        } else {
            rest.push_back({pair.a, b.left});
            rest.push_back({pair.a, b.left + 1});
        }
    }

    void descend(GroupPair start) {
        std::vector<GroupPair> stack{start};
        while (!stack.empty()) {
            const GroupPair pair = stack.back();
            stack.pop_back();
            visit(pair, stack);
        }
        flush();
    }

    /// Evaluate what waits for a full batch.
    void flush() {
        for (Batch& batch : batches_)
            evaluate(batch);
    }

    [[nodiscard]] long double energy() const { return energy_; }
    [[nodiscard]] double bound() const { return bound_; }
    [[nodiscard]] double least() const { return least_; }
    [[nodiscard]] std::uint64_t direct_pairs() const { return direct_pairs_; }
    [[nodiscard]] std::uint64_t group_pairs() const { return group_pairs_; }
    [[nodiscard]] std::uint64_t coincident() const { return coincident_; }

  private:
    struct Batch {
        MultipolePairs pairs{};
        std::size_t count = 0;
    };

    void direct(const Group& a, const Group& b) {
        if (kernels_ == nullptr) {
            if (&a != &b) least_ += least_energy(a, b, distance(a, b));
            return;
        }
        energy_ += kernels_->energy(columns_, {a.first, a.last}, {b.first, b.last}, coincident_);
        direct_pairs_ += &a == &b ? a.size() * (a.size() - 1) / 2 : a.size() * b.size();
    }

    /// sum over the stars of both groups of m_i m_j (|x_i| + |x_j|)^n
    static double spread(const Group& a, const Group& b, int n) {
        double binomial = 1.0;
        double sum = 0.0;
        for (int k = 0; k <= n; ++k) {
            sum += binomial * a.absolute[k] * b.absolute[n - k];
            binomial *= static_cast<double>(n - k) / (k + 1);
        }
        return sum;
    }

    static double distance(const Group& a, const Group& b) {
        const double x = b.centre[0] - a.centre[0];
        const double y = b.centre[1] - a.centre[1];
        const double z = b.centre[2] - a.centre[2];
        return std::sqrt(x * x + y * y + z * z);
    }

    /// No star of one is farther from a star of the other than this says.
    [[nodiscard]] double least_energy(const Group& a, const Group& b, double apart) const {
        const double farthest = apart + a.radius + b.radius;
        const double square = farthest * farthest + columns_.softening_squared;
        return square > 0.0 ? a.mass * b.mass / std::sqrt(square) : 0.0;
    }

    bool by_multipoles(const Group& a, const Group& b) {
        const double apart = distance(a, b);
        const double gap = apart - (a.radius + b.radius);
        if (!(gap > 0.1 * apart)) return false;
        const double allowed = price_ * static_cast<double>(a.size()) * static_cast<double>(b.size());
        const double softened = 0.5 * columns_.softening_squared * a.mass * b.mass / (gap * gap * gap);
        if (softened > allowed) return false;
        const auto bound_at = [&](int order) {
            double power = 1.0;
            for (int n = 0; n <= order; ++n)
                power *= apart;
            return softened + spread(a, b, order + 1) / (power * gap);
        };
        int order = multipole_order;
        double bound = bound_at(order);
        if (bound > allowed) return false;
        for (; order > 2; --order) {  // a lower order is cheaper, and a tenth of the price buys little else
            const double lower = bound_at(order - 1);
            if (lower > 0.1 * allowed) break;
            bound = lower;
        }
        least_ += least_energy(a, b, apart);
        bound_ += bound;
        ++group_pairs_;
        if (kernels_ == nullptr) return true;
        Batch& batch = batches_[static_cast<std::size_t>(order)];
        batch.pairs.order = order;
        batch.pairs.first[batch.count] = a.moments.data();
        batch.pairs.second[batch.count] = b.moments.data();
        batch.pairs.x[batch.count] = b.centre[0] - a.centre[0];
        batch.pairs.y[batch.count] = b.centre[1] - a.centre[1];
        batch.pairs.z[batch.count] = b.centre[2] - a.centre[2];
        if (++batch.count == multipole_batch) evaluate(batch);
        return true;
    }

    void evaluate(Batch& batch) {
        if (batch.count == 0) return;
        for (std::size_t k = batch.count; k < multipole_batch; ++k) {  // a lane that is not needed repeats the first
            batch.pairs.first[k] = batch.pairs.first[0];
            batch.pairs.second[k] = batch.pairs.second[0];
            batch.pairs.x[k] = batch.pairs.x[0];
            batch.pairs.y[k] = batch.pairs.y[0];
            batch.pairs.z[k] = batch.pairs.z[0];
        }
        std::array<double, multipole_batch> energies{};
        kernels_->multipoles(batch.pairs, energies.data());
        for (std::size_t k = 0; k < batch.count; ++k)
            energy_ += energies[k];
        batch.count = 0;
    }

    const std::vector<Group>& groups_;
    PairColumns columns_;
    const PairKernels* kernels_;
    double price_;
    std::array<Batch, multipole_order + 1> batches_{};
    long double energy_ = 0.0L;
    double bound_ = 0.0;
    double least_ = 0.0;
    std::uint64_t direct_pairs_ = 0;
    std::uint64_t group_pairs_ = 0;
    std::uint64_t coincident_ = 0;
};

/// The whole double descent in pieces of a fixed order: breadth first until there are enough pieces, then each by itself. What is
/// taken on the way is the last piece.
std::vector<Descent> descend_all(const std::vector<Group>& groups, const PairColumns& columns, const PairKernels* kernels,
                                 double price, Threads& threads) {
    Descent top(groups, columns, kernels, price);
    std::vector<GroupPair> pieces{{0, 0}};
    while (!pieces.empty() && pieces.size() < task_count) {
        std::vector<GroupPair> next;
        for (const GroupPair& pair : pieces)
            top.visit(pair, next);
        pieces = std::move(next);
    }
    top.flush();
    std::vector<Descent> descents(pieces.size(), Descent(groups, columns, kernels, price));
    threads.for_each_block(pieces.size(), [&](std::size_t piece) { descents[piece].descend(pieces[piece]); });
    descents.push_back(top);
    return descents;
}

/// The price at which the bounds add up to at most `tolerance` times what the energy is at least, found by descents without
/// evaluation; 0, at which everything is summed star by star, where it is not found.
double find_price(const std::vector<Group>& groups, const PairColumns& columns, double tolerance, Threads& threads) {
    constexpr int trials = 5;
    constexpr double well_spent = 0.6;  // of the tolerance
    const Group& root = groups.front();
    if (!(root.radius > 0.0)) return 0.0;
    const double count = static_cast<double>(root.size());
    double price = tolerance * root.mass * root.mass / (root.radius * count * count);
    double best = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
        double bound = 0.0;
        double least = 0.0;
        for (const Descent& d : descend_all(groups, columns, nullptr, price, threads)) {
            bound += d.bound();
            least += d.least();
        }
        const double spent = bound / (tolerance * least);
        if (spent <= 1.0) best = std::max(best, price);
        if (spent <= 1.0 && spent >= well_spent) break;
        price *= spent > 0.0 ? std::clamp(0.8 / spent, 0.01, 100.0) : 100.0;
    }
    return best;
}

}  // namespace

TreeSum tree_potential_energy(const Stars& stars, double gravity, double softening, double tolerance, Threads& threads) {
    if (!(tolerance >= 1e-12 && tolerance <= 0.1))
        throw ConfigError(format("tolerance = {} (not between 1e-12 and 0.1): choose one, or sum directly", tolerance));
    const auto start = std::chrono::steady_clock::now();
    TreeSum result;
    result.pairs = stars.size() < 2 ? 0 : static_cast<std::uint64_t>(stars.size()) * (stars.size() - 1) / 2;
    {
        const ScaledStars checked(stars, softening);
    }  // positions can be put in order only where all are numbers
    Tree tree(stars);
    const ScaledStars scaled(stars, softening, tree.order());
    const PairColumns columns = scaled.columns();
    tree.fill(columns, threads);
    const double price = find_price(tree.groups(), columns, tolerance, threads);
    const auto descents = descend_all(tree.groups(), columns, &pair_kernels(math::simd_level()), price, threads);

    long double energy = 0.0L;
    long double bound = 0.0L;
    for (const Descent& d : descents) {
        energy += d.energy();
        bound += d.bound();
        result.direct_pairs += d.direct_pairs();
        result.group_pairs += d.group_pairs();
        result.coincident_pairs += d.coincident();
    }
    result.energy = scaled.unscale(-gravity * static_cast<double>(energy), 2, -1);
    result.bound = scaled.unscale(gravity * static_cast<double>(bound), 2, -1) + rounding * std::abs(result.energy);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace aliquot::cluster
