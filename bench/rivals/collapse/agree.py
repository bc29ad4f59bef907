#!/usr/bin/env python3
"""Hold aliquot collapse to views-frames on 20 000 random rows: 1 to 1000 draws, ties, negatives, zeros. Tower, tip, exceedance, frozen HDI and
bimodality must be equal bit for bit, sums and interpolations to 1e-6, map_estimate to one bin. Exits with 77 where views-frames is not installed."""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import views_frames_summarize as summarize
    from peer import frame_of
except ImportError:
    print("skipped: views-frames is not installed (bench/rivals/install installs it)")
    sys.exit(77)

ALIQUOT = os.environ.get("ALIQUOT_BIN", pathlib.Path(__file__).resolve().parents[3] / "build/release/bin/aliquot")
DRAWS = (1, 2, 3, 4, 5, 7, 10, 13, 16, 17, 32, 50, 64, 90, 100, 128, 333, 500, 999, 1000)
ROWS = 1000
FLOORS = [f"{5 * i}" for i in range(1, 19)] + ["92", "94", "95", "96", "97", "98", "99"]
THRESHOLDS = (-1.0, 0.0, 0.1, 1.0, 25.0)
TAILS = ("01", "05", "07", "50", "100")
QUANTILES = ("0", "5", "25", "50", "75", "97.5", "100")


def make_rows(draws, random):
    values = np.exp(random.standard_normal((ROWS, draws))).astype(np.float32)
    kind = np.arange(ROWS) % 6
    zeros = random.random((ROWS, draws)) < random.random((ROWS, 1))
    values[(kind[:, None] == 1) & zeros] = 0
    values[(kind[:, None] == 2) & (random.random((ROWS, draws)) < 0.99)] = 0
    values[kind == 3] = np.floor(3 * values[kind == 3])
    values[kind == 4] = np.floor(3 * random.standard_normal((int((kind == 4).sum()), draws)))
    values[kind == 5] = np.round(random.standard_normal((int((kind == 5).sum()), draws)), 2)
    return values.astype(np.float32)


def expected(frame):
    """Name of a layer -> (values, relative tolerance; 0 means bit for bit)."""
    layers = {"map": (summarize.tower_point(frame).values[:, 0], 0), "bimodal": (summarize.bimodality(frame)[:, 0], 0)}
    tower = summarize.hdi_tower(frame, masses=[int(f) / 100 for f in FLOORS])
    for i, floor in enumerate(FLOORS):
        layers[f"hdi{floor}_lower"] = (tower[:, i, 0], 0)
        layers[f"hdi{floor}_upper"] = (tower[:, i, 1], 0)
    for i, threshold in enumerate(THRESHOLDS):
        layers[f"p_gt_{threshold:g}"] = (summarize.exceedance(frame, THRESHOLDS)[:, i], 0)
    for mass in (50, 90, 95):
        frozen = summarize.hdi(frame, mass=mass / 100)
        layers[f"shortest{mass}_lower"] = (frozen[:, 0], 0)
        layers[f"shortest{mass}_upper"] = (frozen[:, 1], 0)
    shortfall = summarize.expected_shortfall(frame, [int(t) / 100 for t in TAILS])
    quantiles = summarize.quantiles(frame, [float(q) / 100 for q in QUANTILES])
    layers.update({f"es_{t}": (shortfall[:, i], 1e-6) for i, t in enumerate(TAILS)})
    layers.update({f"q{q}": (quantiles[:, i], 1e-6) for i, q in enumerate(QUANTILES)})
    layers["mean"] = (frame.values.mean(axis=1, dtype=np.float64), 1e-6)
    layers["sd"] = (frame.values.std(axis=1, dtype=np.float64), 1e-6)
    layers["median"] = (np.median(frame.values, axis=1), 1e-6)
    return layers


def main():
    random = np.random.default_rng(20260731)
    wrong = 0
    for draws in DRAWS:
        values = make_rows(draws, random)
        frame = frame_of(values)
        layers = expected(frame)
        with tempfile.TemporaryDirectory(prefix="aliquot-agree-") as folder:
            np.save(f"{folder}/y.npy", values)
            names = ",".join([*layers, "map_estimate"])
            subprocess.run([ALIQUOT, "collapse", f"{folder}/y.npy", "--out", folder, "--layers", names, "--quiet", "--no-report"], check=True)
            for name, (truth, tolerance) in layers.items():
                found = np.load(f"{folder}/y/{name}.npy")
                near = found == truth if tolerance == 0 else np.abs(found - truth) <= tolerance * np.maximum(1, np.abs(truth))
                if not near.all():
                    wrong += 1
                    row = int(np.argmin(near))
                    print(f"S = {draws}, {name}: {int((~near).sum())} rows differ, first row {row}: {found[row]!r}, expected {truth[row]!r}")
            mode = summarize.map_estimate(frame).values[:, 0]
            bin_width = np.maximum(np.ptp(values, axis=1), 1) / 100
            off = np.abs(np.load(f"{folder}/y/map_estimate.npy") - mode) > 1.001 * bin_width
            wrong += int(off.any())
            if off.any():
                print(f"S = {draws}, map_estimate: {int(off.sum())} rows differ by more than a bin")
    print(f"{len(DRAWS) * ROWS} rows compared, {wrong} layers differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
