"""aliquot cluster from the outside: files, profiles, pages, exit codes, messages."""

import csv
import json
import math
import unittest

from support import ROOT, CliTest, run

KING = """
seed = 3
[model]
kind = "king"
W0 = 7
[scale]
half_mass_radius = 3
[stars]
n = 2000
mass = 0.5
"""


def rows(path):
    with open(path, encoding="utf8") as file:
        lines = [line for line in file if not line.startswith("#")]
    names = [name.split("[")[0] for name in next(csv.reader(lines))]
    return [dict(zip(names, map(float, row))) for row in csv.reader(lines[1:])]


class Cluster(CliTest):
    def king(self, old="", new=""):
        return self.write("king.toml", KING.replace(old, new) if old else KING)

    def result(self, *arguments):
        finished = run("cluster", *arguments, "--json")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return json.loads(finished.stdout)

    def virial(self, path, *arguments):
        finished = run("virial", path, "--json", "--quiet", *arguments)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return json.loads(finished.stdout)

    def test_stars_are_in_equilibrium(self):
        out = self.dir / "king.csv"
        result = self.result(self.king(), "--out", out, "--n", 20000)
        self.assertEqual(result["clusters"][0]["n"], 20000)
        self.assertAlmostEqual(result["model"]["virial_ratio"], 0.5, 12)
        self.assertAlmostEqual(result["model"]["half_mass_radius"], 3.0, 9)
        energies = self.virial(out)
        self.assertAlmostEqual(energies["virial_ratio"], 0.5, delta=0.015)
        self.assertAlmostEqual(energies["half_mass_radius"], 3.0, delta=0.12)
        self.assertAlmostEqual(energies["potential_energy"] / result["model"]["potential_energy"], 1.0, delta=0.035)

    def test_the_same_seed_gives_the_same_bytes(self):
        config = self.king()
        for name, threads in (("a.csv", 1), ("b.csv", 3)):
            self.assertEqual(run("cluster", config, "--out", self.dir / name, "--threads", threads).returncode, 0)
        self.assertEqual((self.dir / "a.csv").read_bytes(), (self.dir / "b.csv").read_bytes())
        run("cluster", config, "--out", self.dir / "c.csv", "--seed", 4)
        self.assertNotEqual((self.dir / "a.csv").read_bytes(), (self.dir / "c.csv").read_bytes())

    def test_realizations_have_seeds_of_their_own(self):
        result = self.result(self.king(), "--out", self.dir / "r.csv", "--realizations", 3, "--n", 50)
        self.assertEqual([one["seed"] for one in result["clusters"]], [3, 4, 5])
        self.assertEqual(sorted(path.name for path in self.dir.glob("r_*.csv")), ["r_1.csv", "r_2.csv", "r_3.csv"])
        run("cluster", self.king(), "--out", self.dir / "single.csv", "--n", 50, "--seed", 5)
        self.assertEqual((self.dir / "single.csv").read_bytes(), (self.dir / "r_3.csv").read_bytes())

    def test_profile_is_the_model_in_units(self):
        out = self.dir / "profile.csv"
        finished = run("cluster", self.king(), "--profile", out)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual([path.name for path in self.dir.iterdir() if path.suffix == ".csv"], ["profile.csv"])
        table = rows(out)
        self.assertAlmostEqual(table[-1]["mass"], 1000.0, 6)
        self.assertEqual(table[0]["mass"], 0.0)
        # King W0 7: r_t / r_h = 33.7085702753 / 3.92086287.
        self.assertAlmostEqual(table[-1]["radius"], 3.0 * 33.7085702753 / 3.92086287, 6)
        # Phi(0) - Phi(r_t) = s^2 W0, sigma_r(0)^2 = s^2 E_7/2(7) / E_5/2(7) (mpmath).
        self.assertAlmostEqual(table[0]["sigma_r"] ** 2 / table[0]["potential"], 0.963864000840116 / 7, 12)
        self.assertTrue(all(abs(row["anisotropy"]) < 1e-9 for row in table))
        header = out.read_text().splitlines()
        self.assertIn("radius[pc]", header[2])
        self.assertIn("sigma_los[km/s]", header[2])

    def test_every_format_keeps_the_virial_ratio(self):
        config = self.king()
        run("cluster", config, "--out", self.dir / "stars.csv")
        truth = self.virial(self.dir / "stars.csv")["virial_ratio"]
        for name, arguments in (("stars.ecsv", ()), ("stars.hdf5", ()), ("fort.10", ("--units", "henon")), ("dat.10", ("--units", "henon")),
                                ("stars.petar", ())):
            finished = run("cluster", config, "--out", self.dir / name)
            self.assertEqual(finished.returncode, 0, name + finished.stderr)
            self.assertAlmostEqual(self.virial(self.dir / name, *arguments)["virial_ratio"], truth, 9, name)

    def test_examples_run_and_report(self):
        for name in ("king", "limepy_anisotropic", "segregated", "halo_core"):
            page = self.dir / (name + ".html")
            finished = run("cluster", ROOT / "examples" / (name + ".toml"), "--out", self.dir / (name + ".csv"), "--report", page)
            self.assertEqual(finished.returncode, 0, finished.stderr)
            text = page.read_text()
            for word in ("density-plot", "dispersion-plot", "anisotropy-plot", "plotly"):
                self.assertIn(word, text)

    def test_henon_units_make_mass_and_virial_radius_one(self):
        config = self.king("half_mass_radius = 3", 'units = "henon"')
        run("cluster", config, "--out", self.dir / "h.csv", "--n", 20000)
        energies = self.virial(self.dir / "h.csv")
        self.assertAlmostEqual(energies["potential_energy"], -0.5, delta=0.02)
        self.assertAlmostEqual(sum(row["mass"] for row in rows(self.dir / "h.csv")), 1.0, 9)

    def test_binaries_stand_first(self):
        config = self.write("b.toml", KING.replace("mass = 0.5", 'masses = "kroupa"') +
                            '[binaries]\nfraction = 0.25\nperiod = "log-uniform"\nlow_log_period_days = 1\nhigh_log_period_days = 4\n')
        result = self.result(config, "--out", self.dir / "b.csv")
        self.assertEqual((result["clusters"][0]["n"], result["clusters"][0]["binaries"]), (2000, 400))
        stars = rows(self.dir / "b.csv")
        def separation(a, b):
            return math.dist((a["x"], a["y"], a["z"]), (b["x"], b["y"], b["z"]))
        self.assertTrue(all(separation(stars[2 * i], stars[2 * i + 1]) < 1e-3 for i in range(400)))

    def test_an_infinite_model_names_the_critical_radius(self):
        config = self.write("m.toml", KING.replace('kind = "king"', 'kind = "michie"\nr_a_over_r_0 = 4'))
        result = run("cluster", config, "--out", self.dir / "x.csv")
        self.assert_fails(result, 78, "r_a = 4 r_0", "never reaches zero", "critical value 4.7")
        self.assertFalse((self.dir / "x.csv").exists())

    def test_bad_configurations_get_one_line(self):
        out = self.dir / "x.csv"
        for old, new, words in (
                ('"king"', '"kng"', ('"kng"', "no such model", 'did you mean "king"')),
                ("W0 = 7", "W0 = -1", ("W0 = -1", "(0, 200]")),
                ("W0 = 7", 'W0 = 7\ng = 1', ('unknown key "g" in [model]', "king.toml")),
                ('kind = "king"', 'kind = "limepy"\ng = 3.5', ("g = 3.5", "[0, 3.5)")),
                ('kind = "king"', 'kind = "limepy"\ng = 2.8', ("g = 2.8", "critical value 2.65")),
                ("n = 2000", "n = 0", ("stars = 0",)),
                ("n = 2000", "n = 10\ntotal_mass = 100", ("either the number of stars or their total mass",)),
                ("n = 2000", "total_mass = 0.1", ("total mass = 0.1", "first star")),
                ("n = 2000", "total_mass = -5", ("total mass = -5", "positive")),
                ("mass = 0.5", "mass = -0.5", ("stellar mass = -0.5", "positive")),
                ("mass = 0.5", 'masses = "kropua"', ("no such function", "kroupa")),
                ("mass = 0.5", 'masses = "kroupa"\nlow_mass = 10\nhigh_mass = 1', ("from 10 to 1",)),
                ("half_mass_radius = 3", "half_mass_radius = 0", ("half_mass_radius", "positive")),
                ("half_mass_radius = 3", "half_mass_radius = 3\nedge_radius = 20", ("2 radii",)),
                ("half_mass_radius = 3", "scale_radius = 3", ("scale_radius", "king_radius")),
                ("half_mass_radius = 3", 'half_mass_radius = 3\nunits = "pc"', ("no such system",)),
                ("[stars]", "[stars]\nmethod = \"exat\"", ("exat", "exact")),
                ("[stars]", "[stars]\nsegregation = 2", ("segregation = 2",)),
        ):
            config = self.king(old, new)
            self.assert_fails(run("cluster", config, "--out", out), 78, *words)
            self.assertFalse(out.exists(), new)

    def test_other_mistakes(self):
        self.assert_fails(run("cluster", self.dir / "none.toml", "--out", "x.csv"), 66, "no such file")
        self.assert_fails(run("cluster", self.king()), 64, "nothing to write")
        self.assert_fails(run("cluster", self.king(), "--out", self.dir / "x.dat"), 78, "format")
        self.assert_fails(run("cluster", self.king(), "--out", self.dir / "no" / "x.csv"), 74, "no")
        self.assert_fails(run("cluster", self.king(), "--out", self.dir / "x.csv", "--n", "many"), 64, "--n many")
        config = self.write("l.toml", KING.replace("mass = 0.5", 'mass_file = "masses.txt"'))
        self.assert_fails(run("cluster", config, "--out", self.dir / "x.csv"), 66, "masses.txt")
        self.write("masses.txt", "1.0\n-2.0\n")
        self.assert_fails(run("cluster", config, "--out", self.dir / "x.csv"), 65, "masses.txt", "star 2")

    def test_one_star_and_a_mass_list(self):
        self.write("masses.txt", "# Msun\n1.5\n0.5\n2.5\n")
        config = self.write("l.toml", KING.replace("mass = 0.5", 'mass_file = "masses.txt"').replace("n = 2000", "n = 3"))
        result = self.result(config, "--out", self.dir / "l.csv")
        self.assertEqual(result["clusters"][0]["total_mass"], 4.5)
        self.assertEqual([row["mass"] for row in rows(self.dir / "l.csv")], [1.5, 0.5, 2.5])
        self.assertEqual(run("cluster", self.king(), "--out", self.dir / "one.csv", "--n", 1).returncode, 0)


if __name__ == "__main__":
    unittest.main()
