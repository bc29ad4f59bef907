#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "evidence/problems.hpp"

/// The problems of bench_evidence for other samplers (bench/rivals/infer): the signatures of aliquot.h's callbacks.
namespace {

using namespace aliquot;

const std::vector<bench::EvidenceProblem>& problems() {
    static const std::vector<bench::EvidenceProblem> all = [] {
        std::vector<bench::EvidenceProblem> list = bench::analytic_problems();
        for (bench::EvidenceProblem& problem : bench::linear_problems())
            list.push_back(std::move(problem));
        for (bench::EvidenceProblem& problem : bench::spectral_problems())
            list.push_back(std::move(problem));
        return list;
    }();
    return all;
}

const infer::Problem& problem_of(void* handle) {
    return *static_cast<infer::Problem*>(handle);
}

}  // namespace

extern "C" {

/// NULL for an unknown name; otherwise a problem, its dimension and truth. Never freed.
void* problem_open(const char* name, std::size_t* dimension, double* truth, double* truth_error) {
    const auto found =
        std::find_if(problems().begin(), problems().end(), [&](const bench::EvidenceProblem& p) { return p.name == name; });
    if (found == problems().end()) return nullptr;
    std::unique_ptr<infer::Problem> problem = found->make();
    *dimension = problem->dimension();
    *truth = found->truth;
    *truth_error = found->truth_error;
    return problem.release();
}

int problem_transform(void* problem, std::size_t count, std::size_t dimension, const double* unit, double* parameters) {
    problem_of(problem).transform({unit, count, dimension}, {parameters, count, dimension});
    return 0;
}

int problem_log_likelihood(void* problem, std::size_t count, std::size_t dimension, const double* parameters, double* values) {
    problem_of(problem).log_likelihood({parameters, count, dimension}, {values, count});
    return 0;
}
}
