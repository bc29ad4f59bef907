"""aliquot merge and export from the outside; exported chains are read back by anesthetic and GetDist where these are installed."""

import contextlib
import csv
import io
import json
import math
import unittest

from fit_test import config, spectrum_rows
from support import CliTest, fits_doubles, fits_hdus, run

try:
    import numpy as np
    from anesthetic import read_chains
    from getdist import loadMCSamples
except ImportError as missing:
    np = None
    MISSING = f"{missing.name} is not installed in the python that runs this test"

SAMPLER = "[sampler]\nnlive = 150\ndlogz = 0.01\n"


class Chains(CliTest):
    def setUp(self):
        super().setUp()
        self.write("spectrum.csv", spectrum_rows())
        self.write("fit.toml", config(sampler=SAMPLER))

    def fit(self, out, *more):
        result = run("fit", self.dir / "fit.toml", "--out", self.dir / out, "--quiet", *more)
        self.assertIn(result.returncode, (0, 75), result.stderr)
        return self.dir / out / "fit.fits"

    def summary(self, out):
        return json.loads((self.dir / out / "summary.json").read_text())

    def merge(self, *files, out="merged", more=()):
        return run("merge", *files, "--out", self.dir / out, *more)


class Merge(Chains):
    def test_fits_of_four_seeds_become_one_with_half_the_error(self):
        files = [self.fit(f"s{seed}", "--seed", seed) for seed in (1, 2, 3, 4)]
        result = self.merge(*files, more=["--json", "--quiet"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(sorted(p.name for p in (self.dir / "merged").iterdir()), ["fit.fits", "report.html", "summary.json"])
        merged = json.loads(result.stdout)
        single = [self.summary(f"s{seed}") for seed in (1, 2, 3, 4)]
        self.assertEqual(merged["nlive"], 600)
        for key in ("iterations", "likelihood_calls"):
            self.assertEqual(merged[key], sum(s[key] for s in single))
        error = merged["log_evidence_error"]
        self.assertAlmostEqual(error, sum(s["log_evidence_error"] for s in single) / 8, delta=0.2 * error)
        mean = sum(s["log_evidence"] for s in single) / 4
        self.assertAlmostEqual(merged["log_evidence"], mean, delta=3 * error)
        self.assertGreater(merged["diagnostics"]["effective_samples"], 3 * single[0]["diagnostics"]["effective_samples"])
        for parameter, other in zip(merged["parameters"], single[0]["parameters"], strict=True):
            sigma = (other["p84"] - other["p16"]) / 2
            self.assertAlmostEqual(parameter["median"], other["median"], delta=0.3 * sigma)
        self.assertIn("merged 4 runs with the seeds 1, 2, 3, 4", merged["history"])
        hdus = fits_hdus((self.dir / "merged" / "fit.fits").read_bytes())
        live = fits_doubles(hdus["NLIVES"])
        self.assertEqual((live[0], live[-1], len(live)), (600, 1, sum(len(fits_doubles(fits_hdus(f.read_bytes())["LOGL"])) for f in files)))

        # What was merged can be merged again; the order of files does not matter.
        pair = self.merge(files[1], files[0], out="pair")
        self.assertEqual(pair.returncode, 0, pair.stderr)
        self.assertIn("ln Z", pair.stdout)
        again = self.merge(self.dir / "pair" / "fit.fits", files[3], files[2], out="again", more=["--json", "--quiet"])
        self.assertAlmostEqual(json.loads(again.stdout)["log_evidence"], merged["log_evidence"], places=9)

    def test_what_does_not_belong_together_is_refused(self):
        one = self.fit("one")
        two = self.fit("two", "--seed", 2)
        self.assert_fails(self.merge(one), 65, "two or more")
        self.assert_fails(self.merge(one, one), 65, "share points")
        self.assert_fails(self.merge(one, self.dir / "none.fits"), 66, "none.fits")
        self.assert_fails(self.merge(one, self.write("text.fits", "no FITS")), 65, "text.fits")
        self.assert_fails(run("merge", one, two), 64, "--out")
        prior = self.fit("prior", "--seed", 2, "--set", "model.component.1.prior.sigma={uniform=[50,400]}")
        self.assert_fails(self.merge(one, prior), 65, "different problems", "prior of Line.sigma", "50 and 500", "50 and 400")
        fewer = self.fit("fewer", "--seed", 2, "--set", "model.component.1.fixed=['dv']", "--set", "model.component.1.prior={}")
        self.assert_fails(self.merge(one, fewer), 65, "different problems", "4 and 3 free parameters")
        # The same parameters and priors, but the line stands elsewhere: only ln L tells.
        moved = self.fit("moved", "--seed", 2, "--set", "model.component.1.wavec=5001")
        self.assert_fails(self.merge(one, moved), 65, "different problems", "has ln L =", "moved/fit.fits")
        self.write("spectrum.csv", spectrum_rows(error=0.2))
        data = self.fit("data", "--seed", 2)
        self.assert_fails(self.merge(one, data), 65, "different problems", "pixel 1 differs")
        self.assertFalse((self.dir / "merged").exists())
        whole = two.read_bytes()
        two.write_bytes(whole[:len(whole) // 2])
        self.assert_fails(self.merge(one, two), 65, "two/fit.fits")

    def test_a_fit_that_stopped_early_helps_one_that_has_converged(self):
        files = [self.fit("whole"), self.fit("stopped", "--seed", 2, "--set", "sampler.max_calls=8000")]
        self.assertEqual(self.summary("stopped")["status"], "call_limit")
        result = self.merge(*files, more=["--json"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("seed 2: the run is not converged", result.stderr)
        self.assertLess(json.loads(result.stdout)["log_evidence_error"], self.summary("whole")["log_evidence_error"])


class Export(Chains):
    NAMES = ["Continuum.amplitude", "Line.amplitude", "Line.dv", "Line.sigma"]

    def export(self, file, formats="polychord,getdist,csv", *more):
        return run("export", file, "--format", formats, *more)

    def test_every_format_writes_its_files(self):
        file = self.fit("out")
        result = self.export(file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        names = ["fit.paramnames", "fit.ranges", "fit.txt", "fit_dead-birth.txt", "fit_equal.csv"]
        for name in names:
            self.assertIn(str(self.dir / "out" / name), result.stdout)
            self.assertTrue((self.dir / "out" / name).exists(), name)
        with open(self.dir / "out" / "fit_equal.csv", encoding="utf-8") as table:
            rows = list(csv.reader(table))
        self.assertEqual(rows[0], self.NAMES)
        summary = self.summary("out")
        self.assertAlmostEqual(len(rows) - 1, summary["diagnostics"]["effective_samples"], delta=1)
        for i, parameter in enumerate(summary["parameters"]):
            values = sorted(float(row[i]) for row in rows[1:])
            sigma = (parameter["p84"] - parameter["p16"]) / 2
            self.assertAlmostEqual(values[len(values) // 2], parameter["median"], delta=6 * sigma / math.sqrt(len(values)))
        result = self.export(file, "csv", "--out", self.dir / "elsewhere", "--quiet")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertTrue((self.dir / "elsewhere_equal.csv").exists())

    def test_wrong_uses(self):
        file = self.fit("out")
        self.assert_fails(self.export(file, "polychrod"), 64, "polychrod", '"polychord"')
        self.assert_fails(self.export(self.dir / "none.fits"), 66, "none.fits")
        self.assert_fails(run("export", file), 64, "--format")
        self.assert_fails(self.export(file, "csv", "--out", self.dir / "no" / "such" / "root"), 74, "root_equal.csv")

    @unittest.skipIf(np is None, MISSING if np is None else "")
    def test_anesthetic_and_getdist_read_the_same_posterior_and_evidence(self):
        files = [self.fit("one"), self.fit("two", "--seed", 2)]
        self.assertEqual(self.merge(*files, more=["--quiet"]).returncode, 0)
        for out in ("one", "merged"):
            with self.subTest(fit=out):
                root = self.dir / out / "fit"
                self.assertEqual(self.export(root.with_suffix(".fits")).returncode, 0)
                self.read_back(root, self.summary(out))

    def read_back(self, root, summary):
        """Evidence to a fifth of its error (both simulate volumes), posterior quantiles to a twentieth of sigma."""
        np.random.seed(1)
        nested = read_chains(str(root))
        self.assertEqual(type(nested).__name__, "NestedSamples")
        self.assertEqual(list(nested.columns.get_level_values(0))[:4], self.NAMES)
        live = np.asarray(nested.nlive)
        self.assertEqual(live[0], summary["nlive"])
        log_evidence = np.asarray(nested.logZ(1000))
        error = summary["log_evidence_error"]
        print(f"{root.parent.name}: ln Z ours {summary['log_evidence']:.3f} +- {error:.3f}, anesthetic {log_evidence.mean():.3f} +- {log_evidence.std():.3f}")
        self.assertAlmostEqual(log_evidence.mean(), summary["log_evidence"], delta=0.2 * error)
        self.assertAlmostEqual(log_evidence.std(), error, delta=0.15 * error)
        self.assertAlmostEqual(nested.D_KL(), summary["information"], delta=0.1)
        with contextlib.redirect_stdout(io.StringIO()):
            samples = loadMCSamples(str(root), settings={"ignore_rows": 0})
        self.assertEqual([name.name for name in samples.getParamNames().names], self.NAMES)
        for name, parameter in zip(self.NAMES, summary["parameters"], strict=True):
            sigma = (parameter["p84"] - parameter["p16"]) / 2
            low, middle, high = (samples.confidence(name, p) for p in (0.16, 0.5, 0.84))
            self.assertAlmostEqual(middle, parameter["median"], delta=0.05 * sigma)
            self.assertAlmostEqual((high - low) / 2, sigma, delta=0.05 * sigma)
            self.assertAlmostEqual(float(np.squeeze(nested[name].median())), parameter["median"], delta=0.05 * sigma)
        self.assertEqual((samples.ranges.getLower("Line.sigma"), samples.ranges.getUpper("Line.sigma")), (50, 500))


if __name__ == "__main__":
    unittest.main()
