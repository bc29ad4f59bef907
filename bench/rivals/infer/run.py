#!/usr/bin/env python3
"""dynesty, UltraNest and nautilus beside Aliquot on one likelihood, ours, through the C interface: same prior, same live points, same remainder.

build/rivals/bin/python bench/rivals/infer/run.py [--problem NAME]... [--seeds N] [--live N] [--limit SECONDS] [--json]

All on one thread; seconds are CPU seconds of the run. A run that takes longer than --limit is stopped and counted as such. An evidence is right
within three of its quoted errors. Aliquot's second row is what it quotes, by importance sampling where that can be believed, and counts its likelihoods too.
"""

import argparse
import ctypes
import json
import math
import pathlib
import statistics
import sys
import time
import warnings

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from aliquot_c import Options, Summary

PROBLEMS = ["gaussian_20", "loggamma_20", "rosenbrock_10", "linear_21", "oiii_1x"]
pointer = ctypes.POINTER(ctypes.c_double)


class OutOfTime(Exception):
    pass


class Problem:
    def __init__(self, library, name, limit):
        self.library = library
        dimension, truth, error = ctypes.c_size_t(), ctypes.c_double(), ctypes.c_double()
        library.problem_open.restype = ctypes.c_void_p
        self.handle = library.problem_open(name.encode(), ctypes.byref(dimension), ctypes.byref(truth), ctypes.byref(error))
        if not self.handle:
            sys.exit(f"unknown problem {name}: build/release/bin/bench_evidence --list names them")
        self.name, self.dimension, self.truth, self.truth_error = name, dimension.value, truth.value, error.value
        self.calls, self.limit, self.begun = 0, limit, time.process_time()

    def start(self):
        self.calls, self.begun = 0, time.process_time()

    def batch(self, function, points, out):
        points = numpy.ascontiguousarray(points, dtype=float)
        function(ctypes.c_void_p(self.handle), ctypes.c_size_t(out.size // (self.dimension if out.ndim == 2 else 1)), ctypes.c_size_t(self.dimension),
                 points.ctypes.data_as(pointer), out.ctypes.data_as(pointer))
        return out

    def transform(self, unit):
        unit = numpy.atleast_2d(unit)
        return self.batch(self.library.problem_transform, unit, numpy.empty_like(unit))

    def log_likelihood(self, parameters):
        parameters = numpy.atleast_2d(parameters)
        self.calls += len(parameters)
        if time.process_time() - self.begun > self.limit:
            raise OutOfTime
        return self.batch(self.library.problem_log_likelihood, parameters, numpy.empty(len(parameters)))


def ours(problem, aliquot, live, seed):
    options = Options()
    aliquot.aliquot_options_init(ctypes.byref(options))
    options.live_points, options.seed, options.threads = live, seed, 1
    aliquot.aliquot_sample.restype = ctypes.c_void_p
    run = aliquot.aliquot_sample(ctypes.c_size_t(problem.dimension), problem.library.problem_transform, problem.library.problem_log_likelihood,
                                 ctypes.c_void_p(problem.handle), ctypes.byref(options), None)
    summary = Summary()
    aliquot.aliquot_run_summary(ctypes.c_void_p(run), ctypes.byref(summary))
    aliquot.aliquot_run_free(ctypes.c_void_p(run))
    problem.calls = summary.likelihood_calls + summary.second_opinion_calls
    return summary


def dynesty(problem, live, seed):
    import dynesty
    sampler = dynesty.NestedSampler(lambda x: problem.log_likelihood(x)[0], lambda u: problem.transform(u)[0], problem.dimension, nlive=live,
                                    rstate=numpy.random.default_rng(seed))
    sampler.run_nested(dlogz=0.01, print_progress=False)
    return sampler.results.logz[-1], sampler.results.logzerr[-1]


def ultranest(problem, live, seed):
    import logging
    import ultranest
    logging.getLogger("ultranest").setLevel(logging.ERROR)
    numpy.random.seed(seed)
    sampler = ultranest.ReactiveNestedSampler([f"p{i}" for i in range(problem.dimension)], problem.log_likelihood, problem.transform, vectorized=True)
    if problem.dimension > 9:
        import ultranest.stepsampler
        sampler.stepsampler = ultranest.stepsampler.SliceSampler(nsteps=2 * problem.dimension,
                                                                 generate_direction=ultranest.stepsampler.generate_mixture_random_direction)
    # Its dlogz is an error that it adds live points to reach: the default stays, the share left in the live points is ours.
    result = sampler.run(min_num_live_points=live, frac_remain=0.01, show_status=False, viz_callback=False)
    return result["logz"], result["logzerr"]


def nautilus(problem, live, seed):
    import nautilus
    sampler = nautilus.Sampler(problem.transform, problem.log_likelihood, n_dim=problem.dimension, n_live=live, seed=seed, vectorized=True, pass_dict=False)
    sampler.run(verbose=False)
    return sampler.log_z, 1.0 / math.sqrt(sampler.n_eff)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", action="append")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--live", type=int, default=400)
    parser.add_argument("--limit", type=float, default=600.0, help="CPU seconds that a rival's run may take")
    parser.add_argument("--libraries", type=pathlib.Path, default=ROOT / "build" / "release" / "lib")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    numpy.seterr(all="ignore")
    aliquot = ctypes.CDLL(str(arguments.libraries / "libaliquot.so"))
    library = ctypes.CDLL(str(arguments.libraries / "libaliquot_problems.so"))
    table = []
    if not arguments.json:
        print(f"{'problem':15} {'sampler':18} {'mean error':>10} {'quoted':>8} {'right':>7} {'calls':>10} {'CPU s':>9}")
    for name in arguments.problem or PROBLEMS:
        problem = Problem(library, name, arguments.limit)
        rows = {}

        def note(sampler, error, quoted, seconds):
            rows.setdefault(sampler, []).append((error, quoted, problem.calls, seconds))

        for seed in range(1, arguments.seeds + 1):
            problem.start()
            summary = ours(problem, aliquot, arguments.live, seed)
            seconds = time.process_time() - problem.begun
            note("aliquot, nested", summary.log_evidence - problem.truth, summary.log_evidence_error, seconds)
            note("aliquot, quoted", summary.quoted_log_evidence - problem.truth, summary.quoted_log_evidence_error, seconds)
            for rival in (dynesty, ultranest, nautilus):
                problem.start()
                try:
                    log_evidence, error = rival(problem, arguments.live, seed)
                    note(rival.__name__, log_evidence - problem.truth, error, time.process_time() - problem.begun)
                except OutOfTime:
                    note(rival.__name__, math.nan, math.nan, time.process_time() - problem.begun)
                except ImportError as missing:
                    print(f"{rival.__name__} is left out: {missing}", file=sys.stderr)
        for sampler, runs in rows.items():
            done = [r for r in runs if not math.isnan(r[0])]
            right = sum(abs(r[0]) <= 3.0 * math.hypot(r[1], problem.truth_error) for r in done)
            row = {"problem": name, "sampler": sampler, "runs": len(runs), "finished": len(done), "right": right,
                   "mean_error": statistics.mean(r[0] for r in done) if done else None, "quoted_error": statistics.mean(r[1] for r in done) if done else None,
                   "calls": statistics.mean(r[2] for r in runs), "cpu_seconds": statistics.mean(r[3] for r in runs)}
            table.append(row)
            if not arguments.json:
                error = f"{row['mean_error']:+10.3f} {row['quoted_error']:8.3f}" if done else f"{'-':>10} {'-':>8}"
                stopped = "" if len(done) == len(runs) else f"  {len(runs) - len(done)} stopped at {arguments.limit:.0f} s"
                print(f"{name:15} {sampler:18} {error} {right:3}/{len(runs):<3} {row['calls']:10.3g} {row['cpu_seconds']:9.2f}{stopped}", flush=True)
    if arguments.json:
        print(json.dumps(table, indent=2))


if __name__ == "__main__":
    main()
