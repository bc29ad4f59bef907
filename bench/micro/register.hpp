#pragma once

/// Each topic of bench_micro registers its benchmarks by one function.
namespace aliquot::bench {

/// exp/f64, log/f64, erf/f64, erfc/f64, erfcx/f64: one iteration is one element, so the time is that of an element; at the chosen
/// level and at each one this machine has.
void register_functions();
/// likelihood/P1, likelihood/P3 and what they are compared with: time per likelihood, in the region where a run spends its calls.
void register_likelihoods();
/// cluster/build: a lowered model solved; cluster/tables: what its draws need; cluster/draw: stars drawn on all cores.
void register_clusters();
/// pairs/energy and pairs/gradient with their number of stars: wall time of one sum over all pairs on all cores.
void register_pairs();
/// rows/...: time per row of draws summarised, at each level this machine has; rows/std_sort, std::sort of one row.
void register_rows();
/// sampler/...: time per likelihood call (`per_call`) of the chains in 20 dimensions, with a likelihood that costs nothing (its
/// own time stands in sampler/likelihood_20d) and with one of 30 us on one and on two threads.
void register_samplers();

}  // namespace aliquot::bench
