#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aliquot/core/matrix_view.hpp"
#include "aliquot/core/parallel.hpp"
#include "aliquot/core/random.hpp"

namespace aliquot::infer {

/// A mixture of multivariate Student-t densities with a common number of degrees of freedom, for importance sampling: its tails
/// are heavier than a posterior's.
class TMixture {
  public:
    static constexpr int degrees_of_freedom = 5;

    /// Fit to equally weighted points (n, d) by expectation maximisation (Peel & McLachlan 2000, Stat. Comput. 10, 339), started
    /// from well separated points, and from at least one of each of `groups` of rows (none: the points are one group).
    /// Covariances are kept away from zero by a thousandth of the groups'.
    TMixture(MatrixView<const double> points, std::size_t components, std::uint64_t seed, Threads& threads,
             std::span<const std::vector<std::size_t>> groups = {});

    /// One density of a mixture: its scale matrix (d, d) row-major, its share of the mass.
    struct Component {
        double weight;
        std::vector<double> mean;
        std::vector<double> scale;
    };
    /// A mixture of these; weights need not sum to one.
    explicit TMixture(std::span<const Component> components);

    /// Give a share of the mass to one broad component: the whole's mean and `inflation` times its covariance. It bounds the
    /// importance weights where the others are too narrow.
    void add_defence(MatrixView<const double> points, double share, double inflation);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::size_t components() const { return parts_.size(); }
    [[nodiscard]] double log_density(std::span<const double> point) const;
    void draw(RandomStream& random, std::span<double> point) const;

  private:
    struct Part {
        double weight = 0.0;
        std::vector<double> mean;
        std::vector<double> factor;  ///< lower Cholesky factor of the scale matrix, row-major
        double log_norm = 0.0;       ///< of the density, weight included
    };

    /// What an iteration thinks of every point.
    struct Expectation {
        Matrix<double> pull;   ///< (n, parts), responsibility of each part for each point, times its scale weight
        Matrix<double> share;  ///< (n, parts), responsibility
        std::vector<double> log_density;
    };
    void expect(MatrixView<const double> points, std::size_t first, std::size_t last, Expectation& expectation) const;
    void maximise(MatrixView<const double> points, const Expectation& expectation, const std::vector<double>& floor,
                  std::size_t part);

    /// Squared Mahalanobis distance to a part.
    [[nodiscard]] double distance(const Part& part, std::span<const double> point, std::span<double> scratch) const;
    void set_factor(Part& part, const std::vector<double>& scale) const;

    std::size_t dimension_;
    std::vector<Part> parts_;
};

}  // namespace aliquot::infer
