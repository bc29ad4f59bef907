"""Helpers of the command-line tests: run the program, find test data, make small FITS files without any package."""

import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

ALIQUOT = os.environ.get("ALIQUOT_BIN", "build/release/bin/aliquot")
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("ALIQUOT_TEST_DATA", ROOT.parent / "shared" / "data"))

needs_data = unittest.skipUnless(DATA.is_dir(), f"test data not found at {DATA}; set ALIQUOT_TEST_DATA")


def run(*arguments, cwd=None, timeout=120, env=None):
    """Run aliquot; the finished process with text output."""
    return subprocess.run([ALIQUOT, *map(str, arguments)], cwd=cwd, timeout=timeout, capture_output=True, text=True, check=False,
                          env={**os.environ, **(env or {})})


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="aliquot-cli-")
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def assert_fails(self, result, code, *words):
        """Exit code, exactly one line on standard error that holds every word, nothing on standard output."""
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        lines = [line for line in result.stderr.splitlines() if line.startswith("aliquot: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(result.stdout, "")


def fits_card(text):
    return text.ljust(80).encode("ascii")


def fits_image(values, step=1.0, first=4900.0):
    """The bytes of a one-dimensional float32 FITS image with a linear wavelength axis."""
    header = b"".join(map(fits_card, [
        "SIMPLE  =                    T", "BITPIX  =                  -32", "NAXIS   =                    1",
        f"NAXIS1  = {len(values):20d}", f"CRVAL1  = {first:20.8f}", f"CD1_1   = {step:20.8f}", "CRPIX1  =                  1.0", "END"]))
    header = header.ljust(-(-len(header) // 2880) * 2880)
    data = struct.pack(f">{len(values)}f", *values)
    return header + data.ljust(-(-len(data) // 2880) * 2880, b"\0")


def fits_hdus(content):
    """The HDUs of a FITS file as {name: (cards, data)}, "" being the primary one; data as bytes without their padding."""
    hdus = {}
    at = 0
    while at < len(content):
        cards = []
        while not (cards and cards[-1].startswith("END ")):
            cards.append(content[at:at + 80].decode("ascii"))
            at += 80
        at += -at % 2880
        values = {card[:8].strip(): card[10:].split("/")[0].strip().strip("' ") for card in cards}
        axes = [int(values[f"NAXIS{i + 1}"]) for i in range(int(values["NAXIS"]))]
        size = math.prod(axes) * abs(int(values["BITPIX"])) // 8 if axes else 0
        hdus[values.get("EXTNAME", "")] = (cards, content[at:at + size])
        at += size + -size % 2880
    return hdus


def fits_doubles(hdu):
    """The values of a float64 image from fits_hdus."""
    return [value for (value,) in struct.iter_unpack(">d", hdu[1])]
