"""cmake --install, and a project of its own that finds the package."""

import os
import subprocess
import unittest

from support import ROOT, CliTest


class Install(CliTest):
    def check(self, *command):
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=280)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_a_project_finds_the_package_and_its_evidence_is_right(self):
        prefix, build = self.dir / "prefix", self.dir / "build"
        self.check("cmake", "--install", os.environ["ALIQUOT_BUILD"], "--prefix", prefix)
        self.check("cmake", "-S", ROOT / "examples" / "custom_likelihood", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
        self.check("cmake", "--build", build)
        lines = self.check(build / "straight_line").splitlines()
        # Closed form: the Gaussian integral over intercept and slope, over the prior's area of 400.
        self.assertTrue(lines[0].endswith("(trusted)"), lines)
        self.assertLess(abs(float(lines[0].split()[2]) - -6.7760), 0.01)
        # Least squares: intercept 1.04, slope 0.50.
        self.assertLess(abs(float(lines[1].split()[1]) - 1.04), 0.02)
        self.assertLess(abs(float(lines[2].split()[1]) - 0.50), 0.01)


if __name__ == "__main__":
    unittest.main()
