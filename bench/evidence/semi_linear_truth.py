#!/usr/bin/env python3
"""ln Z of the semi-linear problems of linear_problems.cpp: the amplitudes in closed form (the dense covariance matrix), shift and
width by the trapezoid rule on grids that are refined until the sum stands. Usage: python bench/evidence/semi_linear_truth.py
"""

import numpy as np

NOISE, SHIFT, WIDTH, PIXELS = 0.1, 0.004, 0.012, 200


def templates(amplitudes, shift, width):
    lines = amplitudes - 3
    x = (np.arange(PIXELS) + 0.5) / PIXELS
    centres = (np.arange(lines) + 0.5) / lines + shift
    t = 2 * x - 1
    return np.column_stack([np.exp(-0.5 * ((x[:, None] - centres) / width) ** 2), np.ones(PIXELS), t, 1.5 * t * t - 0.5])


def log_marginal(y, a):
    """ln N(y; 0, NOISE^2 + A A')"""
    covariance = NOISE ** 2 * np.eye(PIXELS) + a @ a.T
    factor = np.linalg.cholesky(covariance)
    z = np.linalg.solve(factor, y)
    return -0.5 * z @ z - np.log(np.diag(factor)).sum() - 0.5 * PIXELS * np.log(2 * np.pi)


def log_evidence(amplitudes, points):
    k = np.arange(amplitudes)
    i = np.arange(PIXELS)
    y = templates(amplitudes, SHIFT, WIDTH) @ np.cos(3.0 * k * k + 1.0) + NOISE * np.sqrt(2) * np.sin(0.7 * i * i + i)
    limit = 0.4 / (amplitudes - 3)
    low, high = [-limit, 0.004], [limit, 0.04]
    box = list(zip(low, high))
    total, volume = None, np.prod([b - a for a, b in box])
    for _ in range(3):  # narrow the box to where the integrand is above exp(-40) of its peak
        shifts, widths = (np.linspace(a, b, points) for a, b in box)
        values = np.array([[log_marginal(y, templates(amplitudes, s, w)) for w in widths] for s in shifts])
        peak = values.max()
        weight = np.exp(values - peak)
        weight[[0, -1], :] *= 0.5
        weight[:, [0, -1]] *= 0.5
        cell = (shifts[1] - shifts[0]) * (widths[1] - widths[0])
        total = peak + np.log(weight.sum() * cell / volume)
        inside = np.argwhere(values > peak - 40)
        first, last = np.maximum(inside.min(0) - 1, 0), np.minimum(inside.max(0) + 1, points - 1)
        box = [(shifts[first[0]], shifts[last[0]]), (widths[first[1]], widths[last[1]])]
    return total


for amplitudes in (8, 20):
    print(amplitudes + 2, [round(float(log_evidence(amplitudes, n)), 6) for n in (61, 91)])
