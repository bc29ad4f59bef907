#!/usr/bin/env python3
"""Aliquot beside views-frames: the four layers of the VIEWS report from the same rows, in one run. Usage, after bench/rivals/install:

    build/rivals/bin/python bench/rivals/collapse/run.py [--rows 50000] [--draws 1000] [--runs 3] [--globe]

Aliquot's CPU seconds are those of the whole process on one thread, from start to written layers, reading the file included; the peer's are those of the
four calls on an array in memory. Shared machines are noisy: only the ratio within one run means something. --globe adds a tenth of the globe
(233 345 rows) from disk, with the file dropped from the page cache first, and then from the page cache."""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
ALIQUOT = os.environ.get("ALIQUOT_BIN", ROOT / "build/release/bin/aliquot")
TARGETS = {"zi60": 60, "conflict": 200, "dense": 30, "count": None}
GLOBE_ROWS = 2_333_448


def child(command):
    """Wall and CPU seconds of a child process, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    out = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def collapse(frame, out, *more):
    return child([ALIQUOT, "collapse", frame, "--out", out, "--quiet", "--no-report", "--json", *more])


def plain_read(path):
    """CPU seconds of reading a file into one buffer again and again."""
    buffer = bytearray(1 << 18)
    start = time.process_time()
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass
    return time.process_time() - start


def one_kind(kind, folder, arguments):
    frame = folder / kind
    child([ALIQUOT, "mock", "frame", "--rows", arguments.rows, "--draws", arguments.draws, "--kind", kind, "--out", frame])
    ours, peers, reads = [], [], []
    for _ in range(arguments.runs):
        ours.append(collapse(frame, folder / f"{kind}_out", "--threads", 1)[1])
        reads.append(plain_read(frame / "y_pred.npy"))
        peer = json.loads(child([sys.executable, pathlib.Path(__file__).with_name("peer.py"), frame, folder / f"{kind}.npz"])[2])
        peers.append(peer["cpu"])
    layers = np.load(folder / f"{kind}.npz")
    same = all(np.array_equal(layers[name], np.load(folder / f"{kind}_out" / kind / f"{name}.npy")) for name in layers)
    ours, peers, read = statistics.median(ours), statistics.median(peers), statistics.median(reads)
    target = f"{TARGETS[kind]}x" if TARGETS[kind] else "-"
    print(f"{kind:9} {peers:10.2f} {ours:10.3f} {arguments.rows / ours:12.0f} {peers / ours:8.0f}x {target:>8} {ours / read:10.1f} "
          f"{'yes' if same else 'NO':>6}", flush=True)
    return same


def globe(folder):
    rows = 233_345
    for kind in ("zi60", "conflict"):
        frame = folder / f"globe_{kind}"
        child([ALIQUOT, "mock", "frame", "--rows", rows, "--draws", 1000, "--kind", kind, "--out", frame])
        os.sync()
        for state in ("from disk", "cached"):
            if state == "from disk":
                with open(frame / "y_pred.npy", "rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            wall, cpu, out = collapse(frame, folder / "globe_out")
            made = json.loads(out)
            print(f"{kind:9} {rows} x 1000 {state:9}: {wall:6.2f} s, {cpu:6.2f} CPU s, {rows / wall:9.0f} rows/s, "
                  f"{made['bytes_read'] / wall * 1e-9:5.2f} GB/s; the globe ({GLOBE_ROWS} rows) in {wall * GLOBE_ROWS / rows:5.1f} s "
                  f"(views: about 12 min), {made['peak_rss_bytes'] >> 20} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--globe", action="store_true")
    arguments = parser.parse_args()
    level = json.loads(child([ALIQUOT, "info", "--json"])[2])["instruction_set"]
    print(f"# {arguments.rows} rows x {arguments.draws} draws, one core each, medians of {arguments.runs}; instruction set {level}, numpy {np.__version__}")
    print(f"{'frame':9} {'peer CPU s':>10} {'ours CPU s':>10} {'ours rows/s':>12} {'ratio':>9} {'target':>8} {'/ read':>10} {'equal':>6}")
    with tempfile.TemporaryDirectory(prefix="aliquot-rivals-") as name:
        same = [one_kind(kind, pathlib.Path(name), arguments) for kind in TARGETS]
        if arguments.globe:
            globe(pathlib.Path(name))
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
