// The posterior of a straight line through five points, and its evidence.
#include <aliquot/infer/function_problem.hpp>
#include <aliquot/infer/nested_run.hpp>
#include <aliquot/infer/posterior.hpp>
#include <aliquot/infer/verdict.hpp>
#include <cmath>
#include <cstdio>
#include <numbers>

using namespace aliquot;

int main() {
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1.1, 1.4, 2.2, 2.4, 3.1}, sigma = 0.2;

    const infer::FunctionProblem line({infer::Prior::uniform(-10, 10), infer::Prior::uniform(-10, 10)},  // intercept, slope
                                      [&](std::span<const double> p) {
                                          double sum = 0;
                                          for (int i = 0; i < 5; ++i) {
                                              const double u = (y[i] - p[0] - p[1] * x[i]) / sigma;
                                              sum -= 0.5 * u * u + std::log(sigma * std::sqrt(2 * std::numbers::pi));
                                          }
                                          return sum;
                                      });
    Threads threads;  // all cores; the result does not depend on how many
    infer::NestedOptions options;
    options.seed = 1;
    const infer::NestedResult run = infer::run_nested(line, options, threads);
    const infer::SecondOpinion opinion = infer::second_opinion(line, run, {}, threads);
    const infer::Verdict verdict = infer::judge(run, opinion, {});

    std::printf("ln Z       %.4f +- %.4f  (%s)\n", verdict.log_evidence, verdict.log_evidence_error,
                verdict.trusted ? "trusted" : "not trusted");
    for (std::size_t k = 0; k < 2; ++k) {
        const auto q = infer::weighted_quantiles(infer::column(run.samples, k), run.log_weight, std::vector{0.16, 0.5, 0.84});
        std::printf("%-9s  %.4f  -%.4f +%.4f\n", k == 0 ? "intercept" : "slope", q[1], q[1] - q[0], q[2] - q[1]);
    }
}
