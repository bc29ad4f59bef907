#include "aliquot/infer/modes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "aliquot/infer/periodic.hpp"
#include "aliquot/infer/whitening.hpp"

namespace aliquot::infer {

namespace {

constexpr std::size_t fewest_points = 4;  // of a group
constexpr std::size_t most_groups = 64;
// Within a group gaps are narrower than this in standard deviations, plus the second over the number of points.
constexpr double widest_gap = 1.0;
constexpr double gap_of_few = 20.0;
// Within a group the links of its spanning tree are shorter than so many times the 90 % quantile of all: their lengths vary the
// more, the fewer the dimensions.
double longest_link(std::size_t dimension) {
    return 2.0 + 2.0 / static_cast<double>(dimension);
}
constexpr double typical_links = 0.9;
constexpr std::size_t points_per_axis = 3;  // fewer points have no principal axes
constexpr std::size_t most_linked = 1000;   // points
constexpr double points_of_doubt = 100.0;   // a radius from fewer coordinates of points is mostly that of all groups
constexpr double smallest_scale = 1e-150;   // of a coordinate that does not vary

bool is_periodic(std::span<const char> periodic, std::size_t j) {
    return !periodic.empty() && periodic[j] != 0;
}

double apart(double a, double b, std::span<const char> periodic, std::size_t j) {
    return is_periodic(periodic, j) ? shortest(a - b) : a - b;
}

/// A link of a minimal spanning tree, between positions in a list of rows.
struct Link {
    double length2;
    std::size_t a;
    std::size_t b;
};

/// Points in units of each coordinate's standard deviation, counted from their centre.
Matrix<double> scaled(MatrixView<const double> points, std::span<const std::size_t> rows, std::span<const char> periodic) {
    const std::size_t d = points.columns();
    const std::vector<double> centre = centre_of(points, rows, periodic);
    Matrix<double> all(rows.size(), d);
    for (std::size_t j = 0; j < d; ++j) {
        double square = 0.0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            all(i, j) = apart(points(rows[i], j), centre[j], periodic, j);
            square += all(i, j) * all(i, j);
        }
        const double scale = std::max(std::sqrt(square / static_cast<double>(rows.size())), smallest_scale);
        for (std::size_t i = 0; i < rows.size(); ++i)
            all(i, j) /= scale;
    }
    return all;
}

/// Prim's algorithm.
std::vector<Link> spanning_tree(const Matrix<double>& points) {
    const std::size_t n = points.rows();
    std::vector<Link> nearest(n, {std::numeric_limits<double>::infinity(), 0, 0});  // of the points that are not in the tree yet
    for (std::size_t i = 0; i < n; ++i)
        nearest[i].b = i;
    std::vector<Link> tree;
    std::size_t last = 0;
    std::swap(nearest[0], nearest.back());
    nearest.pop_back();
    while (!nearest.empty()) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            const auto x = points.row(last);
            const auto y = points.row(nearest[i].b);
            double length2 = 0.0;
            for (std::size_t j = 0; j < x.size(); ++j)
                length2 += (x[j] - y[j]) * (x[j] - y[j]);
            if (length2 < nearest[i].length2) nearest[i] = {length2, last, nearest[i].b};
            if (nearest[i].length2 < nearest[next].length2) next = i;
        }
        last = nearest[next].b;
        tree.push_back(nearest[next]);
        std::swap(nearest[next], nearest.back());
        nearest.pop_back();
    }
    return tree;
}

/// Groups of rows that only long links of their spanning tree join; rows beyond the first most_linked go to the group of the
/// nearest of these.
std::vector<std::vector<std::size_t>> linked_groups(MatrixView<const double> points, std::span<const std::size_t> rows,
                                                    std::span<const char> periodic) {
    const std::size_t n = std::min(rows.size(), most_linked);
    if (n < 2 * fewest_points) return {{rows.begin(), rows.end()}};
    const Matrix<double> all = scaled(points, rows.first(n), periodic);
    std::vector<Link> tree = spanning_tree(all);
    std::sort(tree.begin(), tree.end(), [](const Link& a, const Link& b) { return a.length2 < b.length2; });
    const double limit = longest_link(points.columns());
    const double longest2 =
        limit * limit * tree[static_cast<std::size_t>(typical_links * static_cast<double>(tree.size()))].length2;
    std::vector<std::size_t> group(n);  // the name of each point's: one of its points
    std::iota(group.begin(), group.end(), std::size_t{0});
    std::vector<std::size_t> size(n, 1);
    for (const Link& link : tree) {
        const std::size_t a = group[link.a];
        const std::size_t b = group[link.b];
        const bool few = std::min(size[a], size[b]) < fewest_points;
        if (!few && link.length2 > longest2) continue;
        for (std::size_t& name : group)
            name = name == b ? a : name;
        size[a] += size[b];
    }
    std::vector<std::vector<std::size_t>> groups;
    std::vector<std::size_t> place(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        if (place[group[i]] == n) {
            place[group[i]] = groups.size();
            groups.emplace_back();
        }
        groups[place[group[i]]].push_back(rows[i]);
    }
    return rows.size() > n ? group_by_mode(points, rows, modes_of(points, groups, periodic), periodic) : groups;
}

struct Cut {
    double gap = 0.0;  ///< over the larger standard deviation
    std::vector<double> projection;
    double at = 0.0;
};

/// The widest gap of projections that leaves enough points on both sides.
void widest_cut(const std::vector<double>& projection, std::vector<double>& sorted, Cut& best) {
    const std::size_t n = projection.size();
    sorted = projection;
    std::sort(sorted.begin(), sorted.end());
    double total = 0.0;
    double total2 = 0.0;
    for (const double x : sorted) {
        total += x;
        total2 += x * x;
    }
    const auto variance = [](double sum, double sum2, double count) {
        return std::max(0.0, (sum2 - sum * sum / count) / (count - 1.0));
    };
    double sum = 0.0;
    double sum2 = 0.0;
    for (std::size_t k = 0; k + fewest_points < n; ++k) {
        sum += sorted[k];
        sum2 += sorted[k] * sorted[k];
        if (k + 1 < fewest_points) continue;
        const auto left = static_cast<double>(k + 1);
        const double spread =
            std::sqrt(std::max(variance(sum, sum2, left), variance(total - sum, total2 - sum2, static_cast<double>(n) - left)));
        const double gap = (sorted[k + 1] - sorted[k]) / std::max(spread, std::numeric_limits<double>::min());
        if (gap <= best.gap) continue;
        best = {gap, projection, 0.5 * (sorted[k] + sorted[k + 1])};
    }
}

/// Cut a group in two, or find that it is one.
bool cut_in_two(MatrixView<const double> points, std::span<const char> periodic, std::vector<std::size_t>& group,
                std::vector<std::size_t>& other) {
    const std::size_t d = points.columns();
    const std::size_t n = group.size();
    if (n < 2 * fewest_points) return false;
    const std::vector<double> middle = centre_of(points, group, periodic);
    Eigen::MatrixXd centred(n, d);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < d; ++j)
            centred(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                apart(points(group[i], j), middle[j], periodic, j);
    }
    Cut best;
    std::vector<double> projection(n);
    std::vector<double> sorted;
    const auto look_along = [&](const Eigen::VectorXd& values) {
        std::copy(values.begin(), values.end(), projection.begin());
        widest_cut(projection, sorted, best);
    };
    for (Eigen::Index j = 0; j < centred.cols(); ++j)
        look_along(centred.col(j));
    if (d > 1 && n >= points_per_axis * d) {
        const Eigen::MatrixXd turned =
            centred * Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(centred.transpose() * centred).eigenvectors();
        for (Eigen::Index j = 0; j < turned.cols(); ++j)
            look_along(turned.col(j));
    }
    if (best.gap <= widest_gap + gap_of_few / static_cast<double>(n)) return false;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < n; ++i)
        (best.projection[i] < best.at ? kept : other).push_back(group[i]);
    group = std::move(kept);
    return true;
}

}  // namespace

std::size_t Modes::nearest(std::span<const double> unit, std::span<const char> periodic) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t mode = 0; mode < count(); ++mode) {
        const auto c = centre(mode);
        double distance = 0.0;
        for (std::size_t j = 0; j < c.size(); ++j) {
            const double x = apart(unit[j], c[j], periodic, j) / scale[j];
            distance += x * x;
        }
        if (distance >= least) continue;
        least = distance;
        best = mode;
    }
    return best;
}

double Modes::leap(std::size_t from, std::size_t to, std::span<const double> unit, std::span<const char> periodic,
                   std::span<double> moved) const {
    const double log_stretch = log_radius[to] - log_radius[from];
    const double stretch = std::exp(log_stretch);
    const auto start = centre(from);
    const auto end = centre(to);
    for (std::size_t j = 0; j < start.size(); ++j) {
        const double away = stretch * apart(unit[j], start[j], periodic, j);
        moved[j] = end[j] + away;
        if (is_periodic(periodic, j)) {
            if (std::abs(away) >= 0.5) return -std::numeric_limits<double>::infinity();
            moved[j] = wrapped(moved[j]);
        } else if (!(moved[j] >= 0.0 && moved[j] <= 1.0)) {
            return -std::numeric_limits<double>::infinity();
        }
    }
    return static_cast<double>(start.size()) * log_stretch;
}

std::vector<std::vector<std::size_t>> separate_groups(MatrixView<const double> points, std::span<const std::size_t> rows,
                                                      std::span<const char> periodic) {
    std::vector<std::vector<std::size_t>> groups = linked_groups(points, rows, periodic);
    for (std::size_t g = 0; g < groups.size() && groups.size() < most_groups;) {
        std::vector<std::size_t> other;
        if (cut_in_two(points, periodic, groups[g], other)) {
            groups.push_back(std::move(other));
        } else {
            ++g;
        }
    }
    return groups;
}

std::vector<std::vector<std::size_t>> group_by_mode(MatrixView<const double> points, std::span<const std::size_t> rows,
                                                    const Modes& modes, std::span<const char> periodic) {
    if (modes.count() < 2) return {{rows.begin(), rows.end()}};
    std::vector<std::vector<std::size_t>> groups(modes.count());
    for (const std::size_t row : rows)
        groups[modes.nearest(points.row(row), periodic)].push_back(row);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
}

Modes modes_of(MatrixView<const double> points, std::span<const std::vector<std::size_t>> groups,
               std::span<const char> periodic) {
    Modes modes;
    if (groups.size() < 2) return modes;
    const std::size_t d = points.columns();
    std::vector<double> squares(d, 0.0);
    double count = 0.0;
    for (const auto& group : groups) {
        const std::vector<double> centre = centre_of(points, group, periodic);
        modes.centres.insert(modes.centres.end(), centre.begin(), centre.end());
        for (const std::size_t row : group) {
            for (std::size_t j = 0; j < d; ++j) {
                const double x = apart(points(row, j), centre[j], periodic, j);
                squares[j] += x * x;
            }
        }
        count += static_cast<double>(group.size() - 1);
    }
    for (const double sum : squares)
        modes.scale.push_back(std::max(std::sqrt(sum / count), smallest_scale));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::span<const double> centre(modes.centres.data() + g * d, d);
        double sum = 0.0;
        for (const std::size_t row : groups[g]) {
            for (std::size_t j = 0; j < d; ++j) {
                const double x = apart(points(row, j), centre[j], periodic, j) / modes.scale[j];
                sum += x * x;
            }
        }
        const auto free = static_cast<double>((groups[g].size() - 1) * d);
        const double radius = std::log(std::max(sum / free, 1e-12)) / 2.0;
        modes.log_radius.push_back(radius * free / (free + points_of_doubt));
    }
    return modes;
}

}  // namespace aliquot::infer
