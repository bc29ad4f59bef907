#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "aliquot/infer/prior.hpp"
#include "aliquot/infer/problem.hpp"

namespace aliquot::infer {

/// The shortest way to a Problem: independent priors and a function of one point's parameters.
class FunctionProblem final : public Problem {
  public:
    /// `log_likelihood` gets one value per prior and may be called from many threads at once; -inf rejects a point. Throws
    /// ConfigError for priors that cannot be. `periodic` names parameters whose prior's two ends are the same place.
    FunctionProblem(std::vector<Prior> priors, std::function<double(std::span<const double>)> log_likelihood,
                    std::vector<std::size_t> periodic = {})
        : priors_(std::move(priors)), log_likelihood_(std::move(log_likelihood)), periodic_(std::move(periodic)) {
        for (const Prior& prior : priors_)
            prior.validate();
    }
    [[nodiscard]] std::size_t dimension() const override { return priors_.size(); }
    void transform(MatrixView<const double> unit, MatrixView<double> parameters) const override {
        for (std::size_t i = 0; i < unit.rows(); ++i)
            for (std::size_t k = 0; k < priors_.size(); ++k)
                parameters(i, k) = priors_[k].transform(unit(i, k));
    }
    void log_likelihood(MatrixView<const double> parameters, std::span<double> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = log_likelihood_(parameters.row(i));
    }

    [[nodiscard]] std::span<const std::size_t> periodic() const override { return periodic_; }

  private:
    std::vector<Prior> priors_;
    std::function<double(std::span<const double>)> log_likelihood_;
    std::vector<std::size_t> periodic_;
};

}  // namespace aliquot::infer
