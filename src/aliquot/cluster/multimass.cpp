#include "aliquot/cluster/multimass.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::cluster {

namespace {

void check(const std::vector<double>& stellar_mass, const std::vector<double>& total_mass) {
    if (stellar_mass.empty() || stellar_mass.size() != total_mass.size())
        throw ConfigError(format("{} stellar masses for {} component masses (one of each per component)", stellar_mass.size(),
                                 total_mass.size()));
    for (const auto* list : {&stellar_mass, &total_mass})
        for (const double mass : *list)
            if (!(mass > 0.0 && std::isfinite(mass)))
                throw ConfigError(format("component mass = {} (masses must be positive)", mass));
}

/// Anderson mixing of a fixed-point iteration x <- x + residual(x) (Walker & Ni 2011, SIAM J. Numer. Anal. 49, 1715).
class Anderson {
  public:
    explicit Anderson(std::size_t depth) : depth_(depth) {}

    Eigen::VectorXd next(const Eigen::VectorXd& x, const Eigen::VectorXd& residual) {
        Eigen::VectorXd step = residual;
        if (!points_.empty()) {
            const auto columns = static_cast<Eigen::Index>(points_.size());
            Eigen::MatrixXd dx(x.size(), columns);
            Eigen::MatrixXd dr(x.size(), columns);
            for (Eigen::Index k = 0; k < columns; ++k) {
                dx.col(k) = x - points_[static_cast<std::size_t>(k)];
                dr.col(k) = residual - residuals_[static_cast<std::size_t>(k)];
            }
            const Eigen::VectorXd weights = dr.completeOrthogonalDecomposition().solve(residual);
            step -= (dx + dr) * weights;
        }
        points_.push_back(x);
        residuals_.push_back(residual);
        if (points_.size() > depth_) {
            points_.pop_front();
            residuals_.pop_front();
        }
        return x + step;
    }

  private:
    std::size_t depth_;
    std::deque<Eigen::VectorXd> points_;
    std::deque<Eigen::VectorXd> residuals_;
};

}  // namespace

LoweredSpec segregated_spec(double central_depth, double truncation, const std::vector<double>& stellar_mass,
                            const std::vector<double>& central_fraction, const Segregation& segregation, double mean_mass) {
    LoweredSpec spec{central_depth, truncation, {}};
    for (std::size_t j = 0; j < stellar_mass.size(); ++j) {
        const double mu = stellar_mass[j] / mean_mass;
        spec.components.push_back({central_fraction[j], std::pow(mu, -segregation.delta),
                                   segregation.anisotropy_radius * std::pow(mu, segregation.eta)});
    }
    return spec;
}

LoweredModel solve_multimass(double central_depth, double truncation, const std::vector<double>& stellar_mass,
                             const std::vector<double>& total_mass, const Segregation& segregation, MeanMass mean) {
    check(stellar_mass, total_mass);
    const std::size_t count = stellar_mass.size();
    const double sum = std::accumulate(total_mass.begin(), total_mass.end(), 0.0);
    double stars = 0.0;
    for (std::size_t j = 0; j < count; ++j)
        stars += total_mass[j] / stellar_mass[j];
    const auto spec_at = [&](const Eigen::VectorXd& log_fraction, const Segregation& orbits) {
        const Eigen::VectorXd fraction = (log_fraction.array() - log_fraction.maxCoeff()).exp();
        const std::vector<double> alpha(fraction.begin(), fraction.end());
        double mean_mass = sum / stars;
        if (mean == MeanMass::central)
            mean_mass = std::inner_product(alpha.begin(), alpha.end(), stellar_mass.begin(), 0.0) / fraction.sum();
        return segregated_spec(central_depth, truncation, stellar_mass, alpha, orbits, mean_mass);
    };
    Eigen::VectorXd x(static_cast<Eigen::Index>(count));
    for (std::size_t j = 0; j < count; ++j)
        x[static_cast<Eigen::Index>(j)] = std::log(total_mass[j] / sum);

    // Isotropic orbits first: their edges are nearer, and their fractions are a good start.
    Segregation isotropic = segregation;
    isotropic.anisotropy_radius = std::numeric_limits<double>::infinity();
    const bool two_stages = std::isfinite(segregation.anisotropy_radius);
    for (const bool last : {!two_stages, true}) {
        const Segregation& orbits = last ? segregation : isotropic;
        Anderson anderson(8);
        Eigen::VectorXd before = x;
        for (int iteration = 0;; ++iteration) {
            if (iteration == 300)
                throw NumericError(
                    format("no segregated model with W0 = {:.6g}, g = {:.6g}, delta = {:.6g} and these component masses "
                           "was found (300 iterations): take a smaller W0 or delta, or fewer components",
                           central_depth, truncation, segregation.delta));
            // A step that leaves the models with an edge is halved.
            for (int halving = 0; !LoweredModel::has_edge(spec_at(x, orbits)); ++halving) {
                if (iteration == 0 || halving == 20)
                    throw NoFiniteEdge(
                        format("W0 = {:.6g}, g = {:.6g}, delta = {:.6g}, r_a = {:.6g} r_0 with these component masses "
                               "(the density of the segregated model never reaches zero): take r_a larger, or W0, g "
                               "or delta smaller",
                               central_depth, truncation, segregation.delta, orbits.anisotropy_radius));
                x = 0.5 * (x + before);
            }
            LoweredModel model(spec_at(x, orbits));
            Eigen::VectorXd residual(x.size());
            for (std::size_t j = 0; j < count; ++j)
                residual[static_cast<Eigen::Index>(j)] = 0.5 * std::log(total_mass[j] / sum / model.mass_fraction(j));
            const double worst = residual.cwiseAbs().maxCoeff();
            if (last && worst < 1e-12) return model;
            if (!last && worst < 1e-2) break;
            before = x;
            x = anderson.next(x, residual);
            const double longest = (x - before).cwiseAbs().maxCoeff();
            if (longest > 3.0) x = before + (x - before) * (3.0 / longest);
        }
        if (last) break;
    }
    throw InternalError("solve_multimass left its loop");
}

}  // namespace aliquot::cluster
