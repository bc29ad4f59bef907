#!/usr/bin/env python3
"""Values of spectral components by mpmath at 40 digits, from their published formulas: writes components_mpmath.json beside this file.

pip install mpmath; python3 components_mpmath.py
"""

import json
import pathlib

import mpmath as mp

mp.mp.dps = 40
C = mp.mpf("299792.458")


def velocity(x, wavec, dv):
    return (mp.mpf(x) - wavec) / wavec * C - dv


def gaussian_1d(x, p):
    return p["amplitude"] * mp.exp(-((mp.mpf(x) - p["mean"]) ** 2) / (2 * mp.mpf(p["stddev"]) ** 2))


def lorentz(x, p):
    return p["amplitude"] / (1 + (velocity(x, p["wavec"], p["dv"]) / p["gamma"]) ** 2)


def voigt(x, p):
    """By the convolution integral, not by Faddeeva's function."""
    sigma, gamma = mp.mpf(p["sigma"]), mp.mpf(p["gamma"])

    def profile(u):
        f = lambda t: mp.exp(-t * t / (2 * sigma**2)) / ((u - t) ** 2 + gamma**2)
        knots = sorted({-40 * sigma, -sigma * 6, -gamma, mp.mpf(0), gamma, 6 * sigma, 40 * sigma, u, u - gamma, u + gamma})
        return mp.quad(f, knots)

    return p["amplitude"] * profile(velocity(x, p["wavec"], p["dv"])) / profile(mp.mpf(0))


def exponential(x, p):
    """By the convolution integral, not in closed form."""
    sigma, w, u = mp.mpf(p["sigma"]), mp.mpf(p["w"]), velocity(x, p["wavec"], p["dv"])
    f = lambda t: mp.exp(-abs(u - t) / w - t * t / (2 * sigma**2)) / (sigma * mp.sqrt(2 * mp.pi))
    return p["amplitude"] * mp.quad(f, sorted({-40 * sigma, -6 * sigma, mp.mpf(0), 6 * sigma, 40 * sigma, u}))


def black_body(x, p):
    h, c, k = mp.mpf("6.62607015e-34"), mp.mpf("299792458"), mp.mpf("1.380649e-23")
    planck = lambda l: 2 * h * c**2 / l**5 / (mp.exp(h * c / (l * k * mp.mpf(p["temperature"]))) - 1)
    return p["scale"] * planck(mp.mpf(x) * mp.mpf("1e-10")) / planck(mp.mpf(p["x_0"]) * mp.mpf("1e-10"))


def calzetti(x, p):
    """Calzetti et al. (2000), equation 4."""
    um = mp.mpf(x) / 10000
    r = mp.mpf(str(p["r_v"]))
    if um < mp.mpf("0.63"):
        k = mp.mpf("2.659") * (-mp.mpf("2.156") + mp.mpf("1.509") / um - mp.mpf("0.198") / um**2 + mp.mpf("0.011") / um**3) + r
    else:
        k = mp.mpf("2.659") * (-mp.mpf("1.857") + mp.mpf("1.040") / um) + r
    return mp.mpf(10) ** (-mp.mpf("0.4") * p["a_v"] * k / r)


def polynomial(x, p):
    return sum(mp.mpf(p[f"c{i}"]) * mp.mpf(x) ** i for i in range(4))


CASES = {
    "Gaussian1D": (gaussian_1d, {"amplitude": 2.5, "mean": 5006.5, "stddev": 3.25}, [4990.0, 5000.25, 5006.5, 5009.75, 5030.0]),
    "Line_Lorentz": (lorentz, {"amplitude": 1.5, "dv": 80, "gamma": 350, "wavec": 5006.843}, [4900.0, 5000.0, 5008.0, 5020.5, 5100.0]),
    "Line_Voigt": (voigt, {"amplitude": 1.5, "dv": 80, "sigma": 200, "gamma": 120, "wavec": 5006.843},
                   [4900.0, 4990.0, 5003.0, 5008.0, 5010.5, 5030.0, 5100.0]),
    "Line_Voigt(narrow)": (voigt, {"amplitude": 1, "dv": 0, "sigma": 300, "gamma": 5, "wavec": 6562.819}, [6540.0, 6556.0, 6562.0, 6570.0, 6580.0]),
    "Line_Exponential(wide)": (exponential, {"amplitude": 2, "dv": -30, "sigma": 400, "w": 900, "wavec": 6562.819},
                               [6400.0, 6500.0, 6540.0, 6562.0, 6570.0, 6600.0, 6700.0]),
    "Line_Exponential(narrow)": (exponential, {"amplitude": 2, "dv": -30, "sigma": 900, "w": 20, "wavec": 6562.819},
                                 [6500.0, 6540.0, 6562.0, 6570.0, 6600.0, 6640.0]),
    "BlackBody": (black_body, {"scale": 0.7, "temperature": 8500, "x_0": 5500}, [1000.0, 3000.0, 5500.0, 9000.0, 30000.0]),
    "BlackBody(cold)": (black_body, {"scale": 1, "temperature": 40, "x_0": 5500}, [5400.0, 5500.0, 6000.0]),
    "extinction_calzetti00": (calzetti, {"a_v": 0.8, "r_v": 4.05}, [1300.0, 2500.0, 4861.3, 6290.0, 6310.0, 15000.0]),
    "Polynomial1D": (polynomial, {"c0": 0.5, "c1": -0.25, "c2": 0.125, "c3": 0.75}, [-2.0, 0.0, 0.5, 3.0]),
}

if __name__ == "__main__":
    out = {name: {"params": params, "x": x, "y": [float(f(value, params)) for value in x]} for name, (f, params, x) in CASES.items()}
    pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
