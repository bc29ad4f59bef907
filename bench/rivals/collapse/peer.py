"""The peer's side: views-frames on one frame, as the VIEWS report calls it. Prints one JSON object, CPU and wall seconds of the work alone."""

import json
import resource
import sys
import time

import numpy as np
import views_frames_summarize as summarize
from views_frames import PredictionFrame, SpatialLevel, SpatioTemporalIndex


def frame_of(values):
    rows = len(values)
    index = SpatioTemporalIndex(time=np.full(rows, 540), unit=np.arange(rows), level=SpatialLevel.PGM)
    return PredictionFrame(values, index)


def four_layers(frame):
    """MAP, P(any), upper ends of the 90 % and 95 % HDI, with the checks for missing draws that the report makes for each."""
    values = frame.values
    assert not np.isnan(values).any()
    layers = {"map": summarize.tower_point(frame).values[:, 0]}
    for name, mass in (("hdi90_upper", 0.9), ("hdi95_upper", 0.95)):
        assert not np.isnan(values).any()
        layers[name] = summarize.hdi_tower(frame, masses=(mass,))[:, 0, 1]
    finite = np.isfinite(values)
    layers["p_any"] = (((values > 0) & finite).sum(axis=1) / finite.sum(axis=1)).astype(np.float32)
    return layers


def cpu_seconds():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


if __name__ == "__main__":
    frame = frame_of(np.load(sys.argv[1] + "/y_pred.npy"))
    cpu, wall = cpu_seconds(), time.perf_counter()
    layers = four_layers(frame)
    print(json.dumps({"cpu": cpu_seconds() - cpu, "wall": time.perf_counter() - wall, "numpy": np.__version__}))
    np.savez(sys.argv[2], **layers)
