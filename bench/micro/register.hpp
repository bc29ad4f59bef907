#pragma once

/// Each topic of bench_micro registers its benchmarks by one function.
namespace aliquot::bench {

/// exp/f64, log/f64, erfc/f64: nanoseconds per element in the counter ns_per_element, at the chosen level and at each one this
/// machine has.
void register_functions();
/// likelihood/P1, likelihood/P3 and what they are compared with: time per likelihood, in the region where a run spends its calls.
void register_likelihoods();

}  // namespace aliquot::bench
