#!/usr/bin/env python3
"""Build and draw times and sampling bias of limepy, galpy and AGAMA beside ours, in one run on this machine.

build/rivals/bin/python bench/rivals/cluster/run.py [--bin DIR] [--stars N]
Peers that are not installed are named and left out. CPU seconds, best of three; ours are whole processes.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
W0 = 7.0
MODEL = """
[model]
kind = "limepy"
W0 = 7
g = 1
{orbits}
[scale]
half_mass_radius = 3
[stars]
n = {count}
mass = 1
"""


def best(action, repeats=3):
    """Least CPU seconds of some calls, and what the last one gave."""
    least = math.inf
    for _ in range(repeats):
        start = time.process_time()
        result = action()
        least = min(least, time.process_time() - start)
    return least, result


def child_seconds(command):
    """CPU seconds of a process."""
    pid = os.fork()
    if pid == 0:
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return usage.ru_utime + usage.ru_stime


def read_csv(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    names = [name.split("[")[0] for name in lines[0].split(",")]
    return dict(zip(names, numpy.array([list(map(float, line.split(","))) for line in lines[1:]]).T))


class Truth:
    """M(r) / M of the model, from our profile (41 models of the family agree with an independent solver to 1e-9)."""

    def __init__(self, binaries, config, folder):
        profile = folder / "profile.csv"
        subprocess.run([binaries / "aliquot", "cluster", config, "--profile", profile, "--quiet"], check=True)
        table = read_csv(profile)
        from scipy.interpolate import CubicSpline
        self.edge = table["radius"][-1]
        # d(M^(1/3))/d ln r is smooth: a cubic through 200 points is good to 1e-6.
        keep = table["radius"] > 0
        self.spline = CubicSpline(numpy.log(table["radius"][keep]), numpy.cbrt(table["mass"][keep] / table["mass"][-1]))
        self.first = table["radius"][1]

    def distance(self, radii):
        """sqrt(n) D of one-sample Kolmogorov-Smirnov; 1.95 is exceeded with probability 1e-3."""
        r = numpy.sort(numpy.clip(radii, self.first, self.edge))
        cdf = self.spline(numpy.log(r)) ** 3
        n = len(r)
        steps = numpy.arange(n)
        return math.sqrt(n) * max(numpy.max(cdf - steps / n), numpy.max((steps + 1) / n - cdf))


def row(name, what, build, draw, distance):
    show = lambda value, form: "-" if value is None else form.format(value)
    print(f"{name:<26} {what:<12} {show(build, '{:.2e}'):>10} {show(draw, '{:.3f}'):>9} {show(distance, '{:.2f}'):>8}", flush=True)


def ours(binaries, folder, count, what, orbits):
    config = folder / f"{what}.toml"
    config.write_text(MODEL.format(orbits=orbits, count=count))
    truth = Truth(binaries, config, folder)
    out = folder / "stars.hdf5"
    draw = min(child_seconds([str(binaries / "aliquot"), "cluster", str(config), "--out", str(out), "--quiet"]) for _ in range(3))
    csv = folder / "stars.csv"
    subprocess.run([binaries / "aliquot", "cluster", config, "--out", csv, "--quiet", "--set", "stars.centre=false"], check=True)
    stars = read_csv(csv)
    distance = truth.distance(numpy.sqrt(stars["x"] ** 2 + stars["y"] ** 2 + stars["z"] ** 2))
    row("aliquot (whole process)", what, None, draw, distance)
    return truth


def limepy_rows(count, truths):
    try:
        from limepy import limepy, sample
    except ImportError as error:
        print(f"limepy is not installed ({error})")
        return
    for what, orbits in (("isotropic", {}), ("anisotropic", {"ra": 10})):
        try:
            build, model = best(lambda: limepy(W0, 1, M=count, rh=3, **orbits))
            draw, stars = best(lambda: sample(model, N=count, seed=1), 1)
            row("limepy", what, build, draw, truths[what].distance(numpy.sqrt(stars.x ** 2 + stars.y ** 2 + stars.z ** 2)))
        except Exception as error:  # a peer that fails on this Python is a result too
            print(f"limepy, {what}: {type(error).__name__}: {error}")


def galpy_rows(count, truths):
    try:
        from galpy.df import kingdf
    except ImportError as error:
        print(f"galpy is not installed ({error})")
        return
    build, model = best(lambda: kingdf(W0, M=1.0, rt=truths["isotropic"].edge / 3.0))
    draw, stars = best(lambda: model.sample(n=count, return_orbit=False), 1)
    radius, height = numpy.asarray(stars[0]), numpy.asarray(stars[3])
    row("galpy kingdf", "isotropic", build, draw, truths["isotropic"].distance(3.0 * numpy.sqrt(radius ** 2 + height ** 2)))


def agama_rows(count, truths):
    try:
        import agama
    except ImportError as error:
        print(f"agama is not installed ({error})")
        return
    scale = truths["isotropic"].edge / 33.7085702753
    build, model = best(lambda: agama.Potential(type="King", mass=1, scaleRadius=scale, W0=W0, trunc=1))
    draw, stars = best(lambda: model.sample(count, potential=model), 1)
    row("agama King", "isotropic", build, draw, truths["isotropic"].distance(numpy.sqrt((stars[0][:, :3] ** 2).sum(axis=1))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "release" / "bin")
    parser.add_argument("--stars", type=int, default=100000)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"{options.stars} stars of the King model W0 = 7; anisotropic: r_a = 10 King radii. CPU seconds; sqrt(n) D above 1.95 once in 1000")
    print(f"{'program':<26} {'orbits':<12} {'build':>10} {'draw':>9} {'sqrt(n)D':>8}")
    with tempfile.TemporaryDirectory(prefix="aliquot-rivals-") as name:
        folder = pathlib.Path(name)
        truths = {"isotropic": ours(options.bin, folder, options.stars, "isotropic", ""),
                  "anisotropic": ours(options.bin, folder, options.stars, "anisotropic", "r_a_over_r_0 = 10")}
    limepy_rows(options.stars, truths)
    galpy_rows(options.stars, truths)
    agama_rows(options.stars, truths)
    print("Our models by themselves: bench_micro --benchmark_filter=cluster")


if __name__ == "__main__":
    main()
