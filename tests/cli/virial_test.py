"""aliquot virial from the outside: exit codes, messages, numbers."""

import csv
import json
import math
import os
import random
import subprocess
import unittest

from support import ALIQUOT, CliTest, run

G = 0.004300917270036279
KEYS = ("n", "kinetic_energy", "potential_energy", "virial_ratio", "half_mass_radius", "force_sum", "clausius_error", "coincident_pairs", "seconds",
        "pairs_per_second", "method", "bound", "gravitational_constant", "units")


def stars(count=50, seed=1):
    generator = random.Random(seed)
    return [[generator.uniform(0.1, 2)] + [generator.gauss(0, 1) for _ in range(6)] for _ in range(count)]


def exact(rows, gravity=G, softening=0.0):
    """Kinetic and potential energy by the double loop."""
    kinetic = math.fsum(0.5 * m * (vx * vx + vy * vy + vz * vz) for m, _, _, _, vx, vy, vz in rows)
    potential = -gravity * math.fsum(a[0] * b[0] / math.sqrt(math.dist(a[1:4], b[1:4]) ** 2 + softening**2)
                                     for i, a in enumerate(rows) for b in rows[:i])
    return kinetic, potential


class Virial(CliTest):
    def csv(self, rows, name="stars.csv", units="pc-msun-kms"):
        text = (f"# units = {units}\n" if units else "") + "mass,x,y,z,vx,vy,vz\n"
        return self.write(name, text + "".join(",".join(map(repr, row)) + "\n" for row in rows))

    def result(self, *arguments):
        finished = run("virial", *arguments, "--json")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return json.loads(finished.stdout)

    def assert_near(self, value, truth, tolerance=1e-12):
        self.assertLessEqual(abs(value - truth), tolerance * abs(truth))

    def test_energies_are_those_of_the_double_loop(self):
        rows = stars()
        kinetic, potential = exact(rows)
        result = self.result(self.csv(rows))
        for key in KEYS:
            self.assertIn(key, result)
        self.assertEqual((result["n"], result["units"], result["method"], result["gravitational_constant"]), (50, "pc-msun-kms", "direct", G))
        self.assert_near(result["kinetic_energy"], kinetic)
        self.assert_near(result["potential_energy"], potential)
        self.assert_near(result["virial_ratio"], -kinetic / potential)
        self.assertLess(result["force_sum"], 1e-14)
        self.assertLess(result["clausius_error"], 1e-12)
        self.assertEqual(result["coincident_pairs"], 0)
        self.assertIsNone(result["bound"])

    def test_softening_and_units(self):
        rows = stars()
        result = self.result(self.csv(rows, units=""), "--units", "henon", "--softening", "0.3")
        self.assert_near(result["potential_energy"], exact(rows, 1.0, 0.3)[1])
        self.assertEqual(result["gravitational_constant"], 1.0)
        self.assertGreater(result["clausius_error"], 1e-3)

    def test_the_tree_keeps_its_bound(self):
        rows = stars(400)
        potential = exact(rows)[1]
        result = self.result(self.csv(rows), "--method", "tree", "--tolerance", "1e-5")
        self.assertLessEqual(abs(result["potential_energy"] - potential), result["bound"])
        self.assertLessEqual(result["bound"], 1.0001e-5 * abs(potential))
        self.assertIsNone(result["force_sum"])

    def test_groups_add_up(self):
        rows = stars(99)
        result = self.result(self.csv(rows), "--groups", "3")
        self.assertEqual([group["n"] for group in result["groups"]], [33, 33, 33])
        self.assert_near(sum(group["virial"] for group in result["groups"]), result["potential_energy"])
        self.assertLessEqual(result["groups"][0]["highest_mass"], result["groups"][1]["lowest_mass"])

    def test_the_gradient_is_written(self):
        rows = stars(20)
        result = self.result(self.csv(rows), "--gradient", self.dir / "gradient.csv")
        with open(self.dir / "gradient.csv") as file:
            table = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual(len(table), 20)
        energy = math.fsum(row[0] * float(star["potential"]) for row, star in zip(rows, table)) / 2
        self.assert_near(energy, result["potential_energy"])
        for row, star in zip(rows, table):
            self.assert_near(float(star["dq_dvx"]), row[0] * row[4] / abs(result["potential_energy"]))
            self.assert_near(float(star["dq_dy"]), -result["kinetic_energy"] / result["potential_energy"] ** 2 * row[0] * float(star["ay"]))

    def test_any_number_of_threads_gives_the_same_bits(self):
        path = self.csv(stars(300))
        kept = []
        for threads in ("1", "2", "3"):
            result = self.result(path, "--threads", threads)
            del result["seconds"], result["pairs_per_second"]
            kept.append(result)
        self.assertEqual(kept[0], kept[1])
        self.assertEqual(kept[0], kept[2])

    def test_formats_of_n_body_codes(self):
        rows = stars(10)
        text = "".join(" ".join(map(repr, row)) + "\n" for row in rows)
        for name, gravity in (("fort.10", 1.0), ("dat.10", 1.0), ("stars.petar", 0.00449830997959438)):
            self.assert_near(self.result(self.write(name, text))["potential_energy"], exact(rows, gravity)[1])
        self.assert_near(self.result(self.write("stars.txt", text), "--format", "nbody6")["potential_energy"], exact(rows, 1.0)[1])

    def test_the_table_is_printed_for_people(self):
        result = run("virial", self.csv(stars()), "--groups", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in ("virial ratio", "half-mass radius", "pc", "Msun (km/s)^2", "Clausius", "pairs/s", "group"):
            self.assertIn(word, result.stdout)
        self.assertEqual(run("virial", self.csv(stars()), "--quiet").stdout, "")

    def test_coincident_stars_are_counted_and_said(self):
        rows = stars(10)
        rows[7][1:4] = rows[3][1:4]
        path = self.csv(rows)
        result = run("virial", path, "--json")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(json.loads(result.stdout)["coincident_pairs"], 1)
        self.assertIn("warning: 1 pair of stars at the same place", result.stderr)
        self.assertTrue(math.isfinite(json.loads(result.stdout)["potential_energy"]))
        self.assertEqual(run("virial", path, "--softening", "0.1").stderr, "")

    def test_one_star(self):
        result = self.result(self.csv(stars(1)))
        self.assertEqual((result["n"], result["potential_energy"], result["force_sum"]), (1, 0.0, 0.0))
        self.assertIsNone(result["virial_ratio"])
        self.assert_fails(run("virial", self.csv(stars(1)), "--gradient", self.dir / "g.csv"), 65, "no gradient")
        self.assertFalse((self.dir / "g.csv").exists())

    def test_twenty_thousand_stars_stay_below_30_megabytes(self):
        path = self.dir / "fort.10"  # line by line: the peak that the system reports for a child begins with this process's own
        with open(path, "w") as file:
            for i in range(20000):
                file.write(" ".join(map(repr, stars(1, i)[0])) + "\n")
        process = subprocess.Popen([ALIQUOT, "virial", path, "--gradient", self.dir / "g.csv"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        self.assertLess(usage.ru_maxrss / 1024, 30)

    # What can be wrong with the command line and the file.

    def test_usage(self):
        self.assert_fails(run("virial"), 64, "file", "--help")
        path = self.csv(stars())
        self.assert_fails(run("virial", path, "--method", "fast"), 64, "--method fast", "direct or tree")
        self.assert_fails(run("virial", path, "--method", "tree", "--groups", "2"), 64, "--groups", "direct")
        self.assert_fails(run("virial", path, "--softening", "small"), 64, "small")
        self.assertIn("Usage", run("virial", "--help").stdout)

    def test_missing_file(self):
        self.assert_fails(run("virial", self.dir / "none.csv"), 66, "none.csv")
        self.assert_fails(run("virial", self.dir / "none.hdf5"), 66, "none.hdf5")

    def test_units(self):
        self.assert_fails(run("virial", self.csv(stars(), units="")), 78, "units", "--units")
        self.assert_fails(run("virial", self.csv(stars()), "--units", "pc-msun-km"), 78, "pc-msun-km", '"pc-msun-kms"')

    def test_units_that_a_file_names_wrongly(self):
        path = self.csv(stars(5), units="pc-msun-km")
        self.assert_fails(run("virial", path), 65, "stars.csv:1", "pc-msun-km", '"pc-msun-kms"')
        self.assertEqual(run("virial", path, "--units", "henon").returncode, 0)

    def test_format(self):
        self.assert_fails(run("virial", self.write("stars.dat", "1 2 3\n")), 78, "stars.dat", "--format", "nbody6")
        self.assert_fails(run("virial", self.csv(stars()), "--format", "cvs"), 78, '"cvs"', '"csv"')

    def test_wrong_columns(self):
        self.assert_fails(run("virial", self.write("fort.10", "1 0 0 0 0 0 0\n1 0 0\n")), 65, "fort.10:2", "3 columns", "7")
        self.assert_fails(run("virial", self.write("a.csv", "# units = henon\nmass,x,y\n1,2,3\n")), 65, "a.csv:2", '"z"')

    def test_values_that_are_none(self):
        rows = stars(5)
        for value, word in (("nan", "not finite"), ("inf", "not finite"), ("abc", "not a number")):
            text = "".join(" ".join(map(repr, row)) + "\n" for row in rows) + f"1 0 {value} 0 0 0 0\n"
            self.assert_fails(run("virial", self.write("fort.10", text)), 65, "fort.10:6", word)
        self.assert_fails(run("virial", self.write("fort.10", "-1 0 0 0 0 0 0\n")), 65, "fort.10:1", "negative")

    def test_no_stars(self):
        self.assert_fails(run("virial", self.csv([])), 65, "no stars")
        self.assert_fails(run("virial", self.write("fort.10", "")), 65, "no stars")

    def test_a_file_that_is_cut_off(self):
        path = self.write("a.csv", "# units = henon\n# stars = 3\nmass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n")
        self.assert_fails(run("virial", path), 65, "a.csv:4", "1 stars", "header says 3")

    def test_options_out_of_range(self):
        path = self.csv(stars(5))
        self.assert_fails(run("virial", path, "--softening", "-1"), 78, "softening = -1")
        self.assert_fails(run("virial", path, "--groups", "6"), 78, "groups = 6", "5 stars")
        self.assert_fails(run("virial", path, "--method", "tree", "--tolerance", "2"), 78, "tolerance = 2")

    def test_output_that_cannot_be_written(self):
        self.assert_fails(run("virial", self.csv(stars(5)), "--gradient", self.dir / "none" / "g.csv"), 74, "g.csv")


if __name__ == "__main__":
    unittest.main()
