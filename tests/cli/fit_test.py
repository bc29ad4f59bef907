"""aliquot fit, mock and info from the outside: exit codes, messages, files."""

import json
import math
import os
import shutil
import signal
import subprocess
import time
import unittest
from random import Random

from support import ALIQUOT, DATA, ROOT, CliTest, fits_hdus, fits_image, needs_data, run

MODEL = """
[[model.component]]
class = "Const1D"
name = "Continuum"
prior.amplitude = { uniform = [0, 10] }

[[model.component]]
class = "Line_Gaussian"
name = "Line"
wavec = 5000
prior.amplitude = { uniform = [0, 10] }
prior.dv = { uniform = [-500, 500] }
prior.sigma = { uniform = [50, 500] }
"""
SAMPLER = """
[sampler]
nlive = 50
dlogz = 0.5
"""


def config(file="spectrum.csv", extra_input="", model=MODEL, sampler=SAMPLER):
    return f'[input]\nfile = "{file}"\nframe = "rest"\n{extra_input}\n{model}\n{sampler}'


def spectrum_rows(n=100, error=0.1):
    rows = []
    for i in range(n):
        x = 4950 + i
        z = (x - 5000) / 5000 * 299792.458 / 200
        rows.append(f"{x},{1 + 3 * 2.718281828 ** (-0.5 * z * z)},{error}")
    return "wavelength,flux,error\n" + "\n".join(rows) + "\n"


class Fit(CliTest):
    def fit(self, text, *more, out="out", **keywords):
        self.write("fit.toml", text)
        return run("fit", self.dir / "fit.toml", "--out", self.dir / out, *more, **keywords)

    def with_spectrum(self, **keywords):
        self.write("spectrum.csv", spectrum_rows(**keywords))

    def outputs(self, out="out"):
        folder = self.dir / out
        return sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []

    def test_a_fit_writes_its_files_and_summary(self):
        self.with_spectrum()
        result = self.fit(config(), "--json", "--quiet", "--seed", "7")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertEqual(self.outputs(), ["config.toml", "fit.fits", "report.html", "summary.json"])
        summary = json.loads(result.stdout)
        self.assertEqual(summary, json.loads((self.dir / "out" / "summary.json").read_text()))
        for key in ("version", "seed", "n_pixels", "n_parameters", "nlive", "dlogz", "log_evidence", "log_evidence_error", "information", "iterations",
                    "likelihood_calls", "seconds", "chi2_best", "log_likelihood_best", "parameters", "diagnostics"):
            self.assertIn(key, summary)
        self.assertEqual((summary["seed"], summary["n_pixels"], summary["n_parameters"], summary["nlive"]), (7, 100, 4, 50))
        for parameter in summary["parameters"]:
            self.assertLessEqual(parameter["p16"], parameter["median"])
            self.assertLessEqual(parameter["median"], parameter["p84"])
        sigma = summary["parameters"][3]
        self.assertEqual(sigma["name"], "Line.sigma")
        self.assertAlmostEqual(sigma["median"], 200, delta=30)

    def test_the_same_seed_gives_the_same_numbers_on_any_number_of_threads(self):
        self.with_spectrum()
        kept = []
        for threads in ("1", "2", "3", "8"):
            summary = json.loads(self.fit(config(), "--json", "--quiet", "--threads", threads).stdout)
            del summary["seconds"]
            kept.append(summary)
        self.assertEqual(kept[0], kept[1])
        self.assertEqual(kept[0], kept[2])
        self.assertEqual(kept[0], kept[3])

    def test_a_key_can_be_overridden(self):
        self.with_spectrum()
        result = self.fit(config(), "--json", "--quiet", "--set", "sampler.nlive=60")
        self.assertEqual(json.loads(result.stdout)["nlive"], 60)
        self.assertIn("nlive = 60", (self.dir / "out" / "config.toml").read_text())

    def test_the_table_is_printed_for_people(self):
        self.with_spectrum()
        result = self.fit(config())
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in ("Line.sigma", "km/s", "ln Z", "chi2", "report.html"):
            self.assertIn(word, result.stdout)

    # What can be wrong with the command line and the files.

    def test_lines_are_measured(self):
        self.with_spectrum()
        extra = '\n[measure]\ncontinuum = [4960]\n[[measure.profile]]\nname = "All"\ncomponents = ["Line"]\n'
        result = self.fit(config() + extra)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"Line 5000.0 +[0-9.]+ \+")
        measured = {(m["of"], m["quantity"]): m for m in json.loads((self.dir / "out" / "summary.json").read_text())["measured"]}
        flux = measured["Line 5000.0", "flux"]
        self.assertLess(abs(flux["median"] / (3 * 200 * math.sqrt(2 * math.pi) * 5000 / 299792.458) - 1), 0.1)
        self.assertLess(flux["p16"], flux["median"])
        self.assertLess(abs(measured["Line 5000.0", "fwhm"]["median"] / 471 - 1), 0.15)
        self.assertLess(abs(measured["Line 5000.0", "ew"]["median"] / flux["median"] - 1), 0.1)
        self.assertLess(abs(measured["continuum 4960.0", "flux"]["median"] - 1), 0.1)
        self.assertEqual(measured["All", "flux"]["median"], flux["median"])
        self.assertIn("MEASURED", fits_hdus((self.dir / "out" / "fit.fits").read_bytes()))
        refused = self.fit(config() + '\n[[measure.profile]]\nname = "x"\ncomponents = ["Lin"]\n')
        self.assertEqual(refused.returncode, 78)
        self.assertIn('did you mean "Line"?', refused.stderr)

    def test_a_fit_can_be_shown_again(self):
        self.with_spectrum()
        fitted = self.fit(config())
        file = self.dir / "out" / "fit.fits"
        shown = run("show", file)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        table = fitted.stdout[:fitted.stdout.index("\nwrote ")]
        self.assertTrue(shown.stdout.startswith(table), shown.stdout)
        self.assertEqual(run("show", file, "--json").stdout, (self.dir / "out" / "summary.json").read_text())
        self.write("again.toml", run("show", file, "--config").stdout)
        again = run("fit", self.dir / "again.toml", "--out", self.dir / "again", "--json", "--quiet")
        self.assertEqual(json.loads(again.stdout)["log_evidence"], json.loads((self.dir / "out" / "summary.json").read_text())["log_evidence"])
        self.assert_fails(run("show", self.dir / "spectrum.csv"), 65, "spectrum.csv")
        self.assert_fails(run("show", self.dir / "none.fits"), 66, "none.fits")

    def test_usage(self):
        self.assertEqual(run().returncode, 64)
        self.assert_fails(run("fit"), 64, "config", "--help")
        self.assert_fails(run("fit", "x.toml", "--no-such"), 64, "--no-such")
        self.assert_fails(run("ftt"), 64)
        self.with_spectrum()
        self.assert_fails(self.fit(config(), "--seed", "abc"), 64, "--seed", "abc")

    def test_help(self):
        for arguments in (["--help"], ["fit", "--help"], ["mock", "--help"], ["mock", "agn", "--help"], ["info", "--help"]):
            result = run(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage", result.stdout)

    def test_missing_configuration(self):
        self.assert_fails(run("fit", self.dir / "none.toml"), 66, "none.toml")

    def test_missing_spectrum(self):
        self.assert_fails(self.fit(config()), 66, "spectrum.csv", "--data")
        self.assertEqual(self.outputs(), [])

    def test_not_toml(self):
        self.assert_fails(self.fit("[input\nfile = 3"), 78, "fit.toml:1")

    def test_not_fits(self):
        self.write("spectrum.fits", "this is no FITS file\n" * 500)
        self.assert_fails(self.fit(config("spectrum.fits", 'format = "fits-image"')), 65, "spectrum.fits", "FITS")

    def test_truncated_fits(self):
        (self.dir / "spectrum.fits").write_bytes(fits_image([1.0] * 4000)[:9000])
        self.assert_fails(self.fit(config("spectrum.fits", "error_fraction = 0.1")), 65, "spectrum.fits", "trunc")
        self.assertEqual(self.outputs(), [])

    def test_wrong_column(self):
        self.with_spectrum()
        self.assert_fails(self.fit(config(extra_input='flux = "fluxx"')), 65, "fluxx", "flux")

    def test_no_errors_and_no_error_model(self):
        (self.dir / "spectrum.fits").write_bytes(fits_image([1.0] * 200))
        self.assert_fails(self.fit(config("spectrum.fits")), 78, "error_fraction")

    def test_no_pixel_left(self):
        self.with_spectrum()
        self.assert_fails(self.fit(config(extra_input="window = [6000, 7000]")), 65, "no pixel", "6000")
        self.assert_fails(self.fit(config(extra_input="mask = [[4000, 6000]]")), 65, "no pixel")

    def test_reversed_window(self):
        self.with_spectrum()
        self.assert_fails(self.fit(config(extra_input="window = [6900, 4200]")), 78, "window = [6900, 4200]", "swap")

    def test_all_errors_zero_or_nan(self):
        for error in ("0", "nan"):
            self.write("spectrum.csv", spectrum_rows(error=error))
            self.assert_fails(self.fit(config()), 65, "error")

    def test_unknown_names_offer_the_nearest(self):
        self.with_spectrum()
        self.assert_fails(self.fit(config(model=MODEL.replace("Line_Gaussian", "Line_Gausian"))), 78, "Line_Gausian", '"Line_Gaussian"', "fit.toml:")
        self.assert_fails(self.fit(config(model=MODEL.replace("prior.sigma", "prior.sgma"))), 78, "sgma", "sigma", "fit.toml:")
        self.assert_fails(self.fit(config(model=MODEL.replace("wavec", "wavce"))), 78, "wavce", "wavec")
        self.assert_fails(self.fit(config(extra_input="redshft = 0.1")), 78, "redshft", "redshift")
        self.assert_fails(self.fit(config(sampler="[sampler]\nnlivee = 50")), 78, "nlivee", "nlive")
        self.assert_fails(self.fit(config() + "\n[sampel]\nx = 1\n"), 78, "sampel", "sampler")
        self.assert_fails(self.fit(config(), "--set", "sampler.nlve=3"), 78, "nlve", "nlive")

    def test_derived_quantities_go_everywhere(self):
        self.with_spectrum()
        derived = '\n[derived]\narea = { value = "Line.amplitude * Line.sigma", unit = "flux km/s" }\nhalf = "1 / (Line.dv > 0)"\n'
        result = self.fit(config() + derived)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"area +[0-9.]+ .* flux km/s +. *= Line.amplitude \* Line.sigma")
        self.assertIn("half is not a number in", result.stderr)
        summary = json.loads((self.dir / "out" / "summary.json").read_text())
        area, half = summary["derived"]
        self.assertLess(abs(area["median"] / (3 * 200) - 1), 0.2)
        self.assertLess(area["p16"], area["median"])
        self.assertEqual((half["median"], half["p16"]), (1, 1))
        self.assertGreater(half["share_undefined"], 0.1)
        self.assertIn("DERIVED", fits_hdus((self.dir / "out" / "fit.fits").read_bytes()))
        self.assertIn("Derived quantities", (self.dir / "out" / "report.html").read_text())
        exported = run("export", self.dir / "out" / "fit.fits", "--format", "csv", "--quiet")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        header, first = (self.dir / "out" / "fit_equal.csv").read_text().splitlines()[:2]
        self.assertEqual(header.split(",")[-2:], ["area", "half"])
        values = dict(zip(header.split(","), map(float, first.split(","))))
        self.assertAlmostEqual(values["area"], values["Line.amplitude"] * values["Line.sigma"], delta=1e-9 * values["area"])
        self.assertEqual(self.fit(config() + derived, "--seed", "2", out="other").returncode, 0)
        merged = run("merge", self.dir / "out" / "fit.fits", self.dir / "other" / "fit.fits", "--out", self.dir / "both", "--json", "--quiet")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.assertEqual([d["name"] for d in json.loads(merged.stdout)["derived"]], ["area", "half"])
        refused = self.fit(config() + '\n[derived]\nr = "Line.amplitud"\n')
        self.assertEqual(refused.returncode, 78)
        self.assertIn('did you mean "Line.amplitude"?', refused.stderr)

    def test_a_spike_and_a_slab_tell_whether_a_line_is_there(self):
        model = MODEL.replace("prior.amplitude = { uniform = [0, 10] }\nprior.dv", "prior.amplitude = { slab = { uniform = [0, 10] }, p_spike = 0.5 }\nprior.dv")
        self.assertNotEqual(model, MODEL)
        sampler = SAMPLER.replace("nlive = 50", "nlive = 400")
        self.with_spectrum()
        there = json.loads(self.fit(config(model=model, sampler=sampler), "--json", "--quiet").stdout)
        presence = there["parameters"][1]["presence"]
        self.assertGreater(presence["probability"], 0.999)
        self.write("spectrum.csv", "wavelength,flux,error\n" + "".join(f"{4950 + i},{1 + 0.1 * ((7 * i) % 11 - 5) / 3.3},0.1\n" for i in range(100)))
        faint = lambda text: text.replace("amplitude = { slab = { uniform = [0, 10]", "amplitude = { slab = { uniform = [0, 0.3]")
        result = self.fit(config(model=faint(model), sampler=sampler))
        self.assertRegex(result.stdout, r"Line.amplitude +is there with probability 0\.[12]")
        summary = json.loads((self.dir / "out" / "summary.json").read_text())
        presence = summary["parameters"][1]["presence"]
        self.assertLess(presence["probability"], 0.3)
        self.assertAlmostEqual(presence["bayes_factor"], presence["probability"] / (1 - presence["probability"]), places=9)
        # The odds are those of the two evidences.
        slab = faint(model).replace("slab = { uniform = [0, 0.3] }, p_spike = 0.5", "uniform = [0, 0.3]")
        line = json.loads(self.fit(config(model=slab, sampler=sampler), "--json", "--quiet", out="line").stdout)
        none = json.loads(self.fit(config(sampler=sampler, model=MODEL[:MODEL.index("[[model.component]]\nclass = \"Line")]), "--json", "--quiet",
                                   out="none").stdout)
        odds = line["evidence"]["log_evidence"] - none["evidence"]["log_evidence"]
        self.assertLess(abs(math.log(presence["bayes_factor"]) - odds), 0.5)
        refused = self.fit(config(model=model.replace("p_spike = 0.5", "p_spike = 2")))
        self.assertEqual(refused.returncode, 78)
        self.assertIn("p_spike = 2 is no probability", refused.stderr)

    def test_a_normal_prior_is_cut_off_at_the_bounds(self):
        self.with_spectrum()
        normal = MODEL.replace("prior.sigma = { uniform = [50, 500] }", "prior.sigma = { normal = [150, 20], nsigma = 3 }")
        summary = json.loads(self.fit(config(model=normal), "--json", "--quiet").stdout)
        sigma = summary["parameters"][3]
        self.assertEqual(sigma["prior"], "Normal(150, 20; 90 to 210)")
        self.assertLess(sigma["median"], 200)  # the data say 200, the prior draws it in
        self.assertGreater(sigma["median"], 150)
        both = MODEL.replace("prior.sigma = { uniform = [50, 500] }", "prior.sigma = { normal = [150, 20], uniform = [50, 500] }")
        refused = self.fit(config(model=both))
        self.assertEqual(refused.returncode, 78)
        self.assertIn("exactly one of uniform", refused.stderr)

    def test_ties(self):
        self.with_spectrum()
        cycle = MODEL.replace("prior.dv = { uniform = [-500, 500] }", 'tie.dv = { to = "Line.sigma" }').replace(
            "prior.sigma = { uniform = [50, 500] }", 'tie.sigma = { to = "Line.dv" }')
        self.assert_fails(self.fit(config(model=cycle)), 78, "cycle", "Line.dv -> Line.sigma -> Line.dv")
        unknown = MODEL.replace("prior.dv = { uniform = [-500, 500] }", 'tie.dv = { to = "Lime.sigma" }')
        self.assert_fails(self.fit(config(model=unknown)), 78, "Lime.sigma", "Line.sigma")

    def test_bounds_and_priors(self):
        self.with_spectrum()
        for line, words in (("prior.sigma = { uniform = [500, 50] }", ["500", "50"]), ("prior.sigma = { uniform = [50, 50] }", ["50"]),
                            ("bounds.sigma = [500, 50]", ["bounds", "Line.sigma"]), ("prior.sigma = { log_uniform = [0, 50] }", ["log"]),
                            ("prior.sigma = { uniform = [5, 500] }", ["outside", "bounds"]), ("prior.sigma = { gauss = [5, 500] }", ["normal"]),
                            ("prior.sigma = { uniform = [5] }", ["two numbers"])):
            with self.subTest(line=line):
                self.assert_fails(self.fit(config(model=MODEL.replace("prior.sigma = { uniform = [50, 500] }", line))), 78, *words)

    def test_too_few_live_points(self):
        self.with_spectrum()
        self.assert_fails(self.fit(config(sampler="[sampler]\nnlive = 5")), 78, "nlive", "5")

    def test_output_that_cannot_be_written(self):
        self.with_spectrum()
        self.write("blocked", "a file where the folder should be")
        self.assert_fails(self.fit(config(), out="blocked/out"), 74, "blocked")
        self.assertEqual([p.name for p in self.dir.iterdir() if p.name.startswith("out")], [])

    @needs_data
    def test_a_template_that_ends_inside_the_window_is_a_warning(self):
        self.with_spectrum()
        model = MODEL + f"""
[[model.component]]
class = "IronTemplate_new"
name = "FeII"
template = "{DATA}/irontemplate_park2022.dat"
intrinsic_fwhm = 800
prior.amplitude = {{ uniform = [0, 1] }}
prior.sigma = {{ uniform = [400, 3000] }}
prior.dv = {{ uniform = [-100, 100] }}
"""
        rows = "wavelength,flux,error\n" + "".join(f"{5400 + 4 * i},1,0.1\n" for i in range(100))
        self.write("spectrum.csv", rows)
        result = self.fit(config(model=model))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ends at 5600.0", result.stderr)
        self.assertIn("5796", result.stderr)

    # What can happen on the way.

    def test_limits_end_in_a_result_that_says_so(self):
        self.with_spectrum()
        result = self.fit(config(sampler=SAMPLER + "max_calls = 500\n"), "--json", "--quiet")
        self.assertEqual(result.returncode, 75)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["status"], "call_limit")
        self.assertTrue(summary["warnings"])

    def test_interrupt_leaves_a_partial_result(self):
        self.write("spectrum.csv", spectrum_rows(n=5000))
        self.write("fit.toml", config(sampler="[sampler]\nnlive = 20000\ndlogz = 1e-6"))
        process = subprocess.Popen([ALIQUOT, "fit", self.dir / "fit.toml", "--out", self.dir / "out", "--json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(out)["status"], "interrupted")
        self.assertIn("fit.fits", self.outputs())


class Verdict(CliTest):
    """Which evidence a fit quotes, and whether it trusts it."""

    def setUp(self):
        super().setUp()
        self.write("spectrum.csv", spectrum_rows(n=100))
        self.write("fit.toml", config())

    def fit(self, *more):
        result = run("fit", self.dir / "fit.toml", "--out", self.dir / "out", "--json", "--quiet", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_importance_sampling_agrees_and_is_quoted(self):
        summary = self.fit()
        evidence = summary["evidence"]
        self.assertTrue(summary["trusted"])
        self.assertEqual(evidence["reasons"], [])
        self.assertEqual(evidence["source"], "importance sampling")
        self.assertEqual(evidence["log_evidence"], evidence["importance"]["log_evidence"])
        self.assertLess(evidence["importance"]["pareto_k"], 0.5)
        self.assertLess(evidence["importance"]["log_evidence_error"], 0.02)
        self.assertLess(abs(evidence["bridge"]["log_evidence"] - evidence["log_evidence"]), 0.05)
        self.assertLess(abs(evidence["log_evidence"] - summary["log_evidence"]), 4 * summary["log_evidence_error"])
        self.assertNotIn("verification", evidence)
        cards, _ = fits_hdus((self.dir / "out" / "fit.fits").read_bytes())[""]
        self.assertTrue(any(card.startswith("TRUSTED") and card[29] == "T" for card in cards), cards)

    def test_verify_runs_again_with_twice_the_slices(self):
        plain = self.fit()
        verified = self.fit("--verify")
        verification = verified["evidence"]["verification"]
        self.assertEqual(verified["log_evidence"], plain["log_evidence"])
        self.assertEqual(verification["seed"], plain["seed"] + 1)
        self.assertGreater(verification["slices_per_point"], 1.5 * plain["diagnostics"]["slices_per_point"])
        self.assertLess(abs(verification["log_evidence"] - plain["log_evidence"]), 5 * plain["log_evidence_error"])

    def test_a_quick_fit_agrees_with_nested_sampling_and_says_that_it_is_none(self):
        nested = self.fit()
        quick = self.fit("--quick")
        self.assertTrue(quick["quick"])
        self.assertFalse(nested["quick"])
        self.assertLess(abs(quick["evidence"]["log_evidence"] - nested["evidence"]["log_evidence"]), 0.05)
        self.assertFalse(quick["trusted"])
        self.assertIn("no nested sampling behind it", quick["evidence"]["reasons"][0])
        self.assertNotIn("nested", quick["evidence"])
        for a, b in zip(quick["parameters"], nested["parameters"]):
            self.assertLess(abs(a["median"] - b["median"]), 0.3 * (b["p84"] - b["p16"]), a["name"])
        file = self.dir / "out" / "fit.fits"
        refused = run("export", file, "--format", "polychord")
        self.assertEqual(refused.returncode, 65)
        self.assertIn("quick fit", refused.stderr)
        refused = run("merge", file, file, "--out", self.dir / "merged")
        self.assertEqual(refused.returncode, 65)
        self.assertIn("without --quick", refused.stderr)
        self.assertEqual(run("export", file, "--format", "csv,getdist", "--quiet").returncode, 0)
        self.assertEqual(run("fit", self.dir / "fit.toml", "--quick", "--resume").returncode, 64)

    def test_samples_that_are_asked_for_come_and_leave_the_evidence(self):
        plain = self.fit()
        more = self.fit("--ess", "2000")
        self.assertLess(plain["diagnostics"]["effective_samples"], 2000)
        self.assertGreaterEqual(more["diagnostics"]["effective_samples"], 2000)
        self.assertLess(abs(more["log_evidence"] - plain["log_evidence"]), 2 * plain["log_evidence_error"])
        self.assertEqual(more["nlive"], plain["nlive"])
        refused = run("fit", self.dir / "fit.toml", "--set", "sampler.ess=-1", "--out", self.dir / "no")
        self.assertEqual(refused.returncode, 78)
        self.assertIn("ess = -1", refused.stderr)

    def test_a_quick_fit_leaves_the_checkpoint_of_another_alone(self):
        checkpoint = self.dir / "out" / "checkpoint.bin"
        checkpoint.parent.mkdir()
        checkpoint.write_bytes(b"kept")
        self.fit("--quick")
        self.assertEqual(checkpoint.read_bytes(), b"kept")

    def test_without_a_second_opinion_nothing_is_trusted(self):
        summary = self.fit("--set", "sampler.second_opinion=false")
        self.assertFalse(summary["trusted"])
        self.assertEqual(summary["evidence"]["source"], "nested sampling")
        self.assertIn("no second estimate", summary["evidence"]["reasons"][0])


class Sorted(CliTest):
    """Two lines that could exchange their roles, kept in order by the prior."""

    CONTINUUM = """
[[model.component]]
class = "Const1D"
name = "Continuum"
prior.amplitude = { uniform = [0, 10] }
"""
    LINE = """
[[model.component]]
class = "Line_Gaussian"
name = "%s"
wavec = 5000
prior.amplitude = { uniform = [0, 5] }
prior.dv = { uniform = [-1000, 1000] }
prior.sigma = { uniform = [50, 500] }
"""

    def fit(self, extra):
        rows = ["wavelength,flux,error"]
        for i in range(100):
            x = 4950 + i
            lines = sum(a * 2.718281828 ** (-0.5 * (((x - 5000) / 5000 * 299792.458 - v) / 200) ** 2) for a, v in ((2.0, -500), (1.0, 300)))
            rows.append(f"{x},{1 + lines},0.1")
        self.write("spectrum.csv", "\n".join(rows) + "\n")
        self.write("fit.toml", config(model=self.CONTINUUM + self.LINE % "A" + self.LINE % "B" + extra, sampler="[sampler]\nnlive = 300\n"))
        return run("fit", self.dir / "fit.toml", "--out", self.dir / "out", "--json", "--quiet")

    def test_the_order_holds_and_the_evidence_stays(self):
        unsorted = json.loads(self.fit("").stdout)
        result = self.fit("[[model.sorted]]\nparameters = [\"A.dv\", \"B.dv\"]\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        ordered = json.loads(result.stdout)
        median = {p["name"]: p["median"] for p in ordered["parameters"]}
        self.assertLess(abs(median["A.dv"] + 500), 20)
        self.assertLess(abs(median["B.dv"] - 300), 40)
        error = (unsorted["log_evidence_error"] ** 2 + ordered["log_evidence_error"] ** 2) ** 0.5
        self.assertLess(abs(unsorted["log_evidence"] - ordered["log_evidence"]), 4.5 * error)
        self.assertLess(abs(ordered["evidence"]["log_evidence"] - ordered["log_evidence"]), 4.5 * ordered["log_evidence_error"])

    def test_what_cannot_be_sorted_is_refused(self):
        def refused(parameters, *words):
            self.assert_fails(self.fit(f"[[model.sorted]]\nparameters = {parameters}\n"), 78, *words)

        refused('["A.dv"]', "1 parameter", "name more")
        refused('["A.dv", "B.sigma"]', "A.dv", "B.sigma", "same")
        refused('["A.dv", "B.dw"]', "B.dw", "B.dv")
        refused('["A.dv", "A.dv"]', "A.dv", "twice")
        refused('["A.wavec", "B.wavec"]', "A.wavec", "fixed")


class Checkpoints(CliTest):
    """Fits that are stopped or killed, and continued with --resume."""

    MODEL = MODEL.replace("uniform = [0, 10]", "log_uniform = [0.001, 1000]")
    SAMPLER = "[sampler]\nnlive = 400\ndlogz = 0.001\nslices_per_dimension = 20\ncheckpoint_seconds = 0\n"

    def setUp(self):
        super().setUp()
        self.write("spectrum.csv", spectrum_rows(n=100))
        self.write("fit.toml", config(model=self.MODEL, sampler=self.SAMPLER))

    def arguments(self, out, *more):
        return ["fit", self.dir / "fit.toml", "--out", self.dir / out, "--quiet", *more]

    def results(self, out):
        """What a fit leaves behind, without the one number that time decides."""
        summary = json.loads((self.dir / out / "summary.json").read_text())
        hdus = fits_hdus((self.dir / out / "fit.fits").read_bytes())
        cards, _ = hdus[""]
        hdus[""] = [card for card in cards if not card.startswith("RUNTIME")]
        self.assertEqual(json.loads(hdus.pop("SUMMARY")[1]), summary)
        del summary["seconds"]
        return summary, hdus

    def kill_after(self, seconds, arguments, signal_number=signal.SIGKILL):
        process = subprocess.Popen([ALIQUOT, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal_number)
        error = process.communicate(timeout=60)[1]
        return process.returncode, error

    def stop_when_saved(self, arguments, signal_number):
        checkpoint = self.dir / "out" / "checkpoint.bin"
        checkpoint.unlink(missing_ok=True)
        process = subprocess.Popen([ALIQUOT, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not checkpoint.exists():
            time.sleep(0.01)
        process.send_signal(signal_number)
        error = process.communicate(timeout=60)[1]
        return process.returncode, error

    def check_kills(self, kills):
        begun = time.monotonic()
        self.assertEqual(run(*self.arguments("whole")).returncode, 0)
        length = time.monotonic() - begun
        expected = self.results("whole")
        self.assertEqual(sorted(p.name for p in (self.dir / "whole").iterdir()), ["config.toml", "fit.fits", "report.html", "summary.json"])
        random = Random(20261201)
        for attempt in range(4):
            # A machine that was busy when the whole run was timed lets the others through too early: then with shorter pauses again.
            killed = 0
            continued = 0
            code = None
            while code != 0:
                # Small enough a share of the run that it takes all these kills to get through.
                pause = random.uniform(0.3, 1.7) * length / kills / 2 ** attempt if killed < kills else 100
                continued += (self.dir / "out" / "checkpoint.bin").exists()
                code, error = self.kill_after(pause, self.arguments("out", "--resume"))
                self.assertIn(code, (0, -signal.SIGKILL), error)
                killed += code != 0
            self.assertEqual(self.results("out"), expected)
            self.assertEqual(sorted(p.name for p in (self.dir / "out").iterdir()), ["config.toml", "fit.fits", "report.html", "summary.json"])
            if killed >= kills // 2 and continued >= kills // 2:
                return
            shutil.rmtree(self.dir / "out")
        self.fail(f"the runs ended before they could be killed: {killed} kills, {continued} continued")

    def test_two_kills(self):
        self.check_kills(2)

    @unittest.skipUnless(os.environ.get("ALIQUOT_STATISTICAL"), "the long form runs under the label statistical")
    def test_ten_kills(self):
        self.check_kills(10)

    def test_signals_and_caps_keep_a_checkpoint_and_say_how_to_go_on(self):
        self.assertEqual(run(*self.arguments("whole")).returncode, 0)
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            code, error = self.stop_when_saved(self.arguments("out"), signal_number)
            self.assertEqual(code, 130, error)
            self.assertIn("--resume", error)
            self.assertIn("checkpoint.bin", error)
            self.assertEqual(self.results("out")[0]["status"], "interrupted")
        result = run(*self.arguments("out", "--resume"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.results("out"), self.results("whole"))

        result = run(*self.arguments("capped", "--set", "sampler.max_calls=20000"))
        self.assertEqual(result.returncode, 75)
        self.assertIn("--resume and a larger sampler.max_calls", result.stderr)
        result = run(*self.arguments("capped", "--set", "sampler.max_seconds=0.01", "--resume"))
        self.assertEqual(result.returncode, 75)
        self.assertIn("time_limit", result.stderr)
        self.assertEqual(run(*self.arguments("capped", "--resume")).returncode, 0)
        self.assertEqual(self.results("capped"), self.results("whole"))

    def test_what_is_not_a_checkpoint_of_this_fit_is_refused_and_kept(self):
        self.assertEqual(run(*self.arguments("out", "--set", "sampler.max_calls=20000")).returncode, 75)
        path = self.dir / "out" / "checkpoint.bin"
        whole = path.read_bytes()
        kept = {p.name: p.read_bytes() for p in (self.dir / "out").iterdir()}

        def refused(*words, more=()):
            self.assert_fails(run(*self.arguments("out", "--resume", *more)), 65, "checkpoint.bin", "start again without --resume", *words)

        refused("another run", "nlive = 400", "nlive = 500", more=["--set", "sampler.nlive=500"])
        refused("another run", "seed", more=["--seed", "9"])
        self.write("spectrum.csv", spectrum_rows(n=100, error=0.10001))
        refused("another run", "data was", "100 pixels")
        self.write("spectrum.csv", spectrum_rows(n=100))
        self.assertEqual({p.name: p.read_bytes() for p in (self.dir / "out").iterdir()}, kept)
        path.write_bytes(whole[:len(whole) // 2])
        refused("truncated")
        path.write_bytes(b"")
        refused("truncated")
        path.write_bytes(whole[:5000] + bytes([whole[5000] ^ 16]) + whole[5001:])
        refused("damaged")
        path.write_bytes(b"something else altogether")
        refused("not a checkpoint")
        path.write_bytes(whole)
        self.assertEqual(run(*self.arguments("out", "--resume")).returncode, 0)

    def test_without_a_checkpoint_the_fit_starts_from_the_beginning_and_says_so(self):
        result = run("fit", self.dir / "fit.toml", "--out", self.dir / "out", "--resume", "--set", "sampler.max_calls=3000")
        self.assertEqual(result.returncode, 75)
        self.assertIn("starting from the beginning", result.stderr)
        result = run("fit", self.dir / "fit.toml", "--out", self.dir / "out", "--set", "sampler.max_calls=3000")
        self.assertIn("--resume would continue", result.stderr)


class Report(CliTest):
    def test_the_page_draws_itself_in_a_browser_and_asks_for_nothing(self):
        chromium = shutil.which("chromium")
        if chromium is None:
            self.skipTest("chromium is not installed")
        self.assertEqual(run("mock", "agn", "--out", self.dir / "mock.fits").returncode, 0)
        result = run("fit", ROOT / "examples" / "mock.toml", "--data", self.dir, "--out", self.dir / "out", "--quiet", "--set", "sampler.nlive=100", "--set",
                     "sampler.dlogz=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        page = self.dir / "out" / "report.html"
        self.assertLess(page.stat().st_size, 10e6)
        dom = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.dir}/profile", "--enable-logging=stderr",
                              "--virtual-time-budget=20000", "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120, check=False)
        self.assertNotIn("Uncaught", dom.stderr)
        for plot in ("plot-fit", "plot-lines-0", "plot-marginals", "plot-corner", "plot-run"):
            at = dom.stdout.find(f'id="{plot}"')
            self.assertGreater(at, 0, plot)
            self.assertIn("main-svg", dom.stdout[at:at + 4000], plot)
        for word in ("OIII.amp_c0", "rank correlation", "Uniform(0.2, 3)", "read 533 pixels"):
            self.assertIn(word, dom.stdout)
        own = page.read_text().split("</script>", 1)[1]  # behind the plotting library
        self.assertNotIn("http", own.replace("http://www.w3.org", ""))
        self.assertNotIn("undefined", own)
        self.assertNotIn("NaN", own)


class Mock(CliTest):
    def test_writes_spectrum_and_truth(self):
        result = run("mock", "agn", "--seed", 3, "--out", self.dir / "m.fits")
        self.assertEqual(result.returncode, 0, result.stderr)
        truth = json.loads((self.dir / "m.truth.json").read_text())
        self.assertEqual(truth["seed"], 3)
        self.assertEqual(len(truth["parameters"]), 12)
        again = run("mock", "agn", "--seed", 3, "--out", self.dir / "n.fits")
        self.assertEqual(again.returncode, 0)
        self.assertEqual((self.dir / "m.fits").read_bytes(), (self.dir / "n.fits").read_bytes())

    def test_output_that_cannot_be_written(self):
        self.assert_fails(run("mock", "agn", "--out", self.dir / "no" / "such" / "m.fits"), 74, "m.fits")


class Info(CliTest):
    def test_says_version_instruction_sets_and_threads(self):
        result = run("info")
        self.assertEqual(result.returncode, 0)
        for word in ("aliquot", "baseline", "threads", "Line_MultiGauss"):
            self.assertIn(word, result.stdout)
        info = json.loads(run("info", "--json").stdout)
        self.assertIn(info["instruction_set"], info["instruction_sets"])

    def test_an_instruction_set_can_be_forced(self):
        info = json.loads(run("info", "--json", env={"ALIQUOT_SIMD": "baseline"}).stdout)
        self.assertEqual(info["instruction_set"], "baseline")
        self.assert_fails(run("info", env={"ALIQUOT_SIMD": "sse9"}), 78, "sse9", "baseline")


class Examples(CliTest):
    @needs_data
    def test_every_example_reads_and_starts(self):
        self.assertEqual(run("mock", "agn", "--out", self.dir / "mock.fits").returncode, 0)
        fits = [path for path in sorted((ROOT / "examples").glob("*.toml")) if "[input]" in path.read_text()]
        self.assertGreater(len(fits), 5)
        for path in fits:
            with self.subTest(example=path.name):
                data = self.dir if path.name == "mock.toml" else DATA
                result = run("fit", path, "--data", data, "--out", self.dir / path.stem, "--set", "sampler.max_calls=2000", "--json", "--quiet")
                self.assertIn(result.returncode, (0, 75), result.stderr)
                self.assertGreater(json.loads(result.stdout)["n_pixels"], 100)

    @needs_data
    def test_the_largest_fit_stays_below_100_megabytes(self):
        process = subprocess.Popen([ALIQUOT, "fit", ROOT / "examples" / "full_39.toml", "--data", DATA, "--out", self.dir / "out", "--quiet", "--set",
                                    "sampler.max_calls=100000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 75)
        self.assertLess(usage.ru_maxrss / 1024, 100)


if __name__ == "__main__":
    unittest.main()
