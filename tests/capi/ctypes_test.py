"""The C interface from another language: Python's ctypes samples a likelihood of its own, and reads what went wrong."""

import ctypes
import math
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from aliquot_c import Options, Summary

LIBRARY = ctypes.CDLL(os.environ["ALIQUOT_LIBRARY"])
LIBRARY.aliquot_sample.restype = ctypes.c_void_p
LIBRARY.aliquot_error.restype = ctypes.c_char_p
LIBRARY.aliquot_run_samples.restype = ctypes.POINTER(ctypes.c_double)
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.POINTER(ctypes.c_double),
                            ctypes.POINTER(ctypes.c_double))
WIDTH = 0.05


@CALLBACK
def same(_user, count, dimension, unit, parameters):
    ctypes.memmove(parameters, unit, count * dimension * ctypes.sizeof(ctypes.c_double))
    return 0


@CALLBACK
def gaussian(_user, count, dimension, parameters, values):
    """Normalised over the cube: ln Z = 0 but for tails of 10 sigma."""
    for i in range(count):
        values[i] = sum(-0.5 * ((parameters[i * dimension + j] - 0.5) / WIDTH) ** 2 - math.log(WIDTH * math.sqrt(2.0 * math.pi))
                        for j in range(dimension))
    return 0


@CALLBACK
def fails(_user, _count, _dimension, _parameters, _values):
    return 3


class Ctypes(unittest.TestCase):
    def options(self):
        options = Options()
        LIBRARY.aliquot_options_init(ctypes.byref(options))
        options.live_points, options.threads = 100, 1
        return options

    def sample(self, likelihood, options):
        return LIBRARY.aliquot_sample(ctypes.c_size_t(2), same, likelihood, None, ctypes.byref(options), None)

    def test_a_likelihood_in_python(self):
        run = ctypes.c_void_p(self.sample(gaussian, self.options()))
        self.assertTrue(run.value)
        summary = Summary()
        LIBRARY.aliquot_run_summary(run, ctypes.byref(summary))
        self.assertEqual((summary.dimension, summary.converged), (2, 1))
        self.assertLess(abs(summary.log_evidence), 5.0 * summary.log_evidence_error)
        self.assertLess(abs(summary.quoted_log_evidence), 5.0 * summary.quoted_log_evidence_error)
        self.assertGreater(summary.second_opinion_calls, 1000)
        samples = LIBRARY.aliquot_run_samples(run)
        self.assertLess(abs(samples[2 * summary.samples - 1] - 0.5), 0.2)
        LIBRARY.aliquot_run_free(run)

    def test_without_a_second_opinion_it_has_no_calls(self):
        options = self.options()
        options.second_opinion = 0
        run = ctypes.c_void_p(self.sample(gaussian, options))
        summary = Summary()
        LIBRARY.aliquot_run_summary(run, ctypes.byref(summary))
        self.assertEqual(summary.second_opinion_calls, 0)
        LIBRARY.aliquot_run_free(run)

    def test_periodic_coordinates(self):
        options = self.options()
        options.periodic, options.periodic_count = (ctypes.c_size_t * 1)(2), 1
        self.assertIsNone(self.sample(gaussian, options))
        self.assertIn("periodic coordinate 2 (of 2 parameters)", LIBRARY.aliquot_error().decode())
        options.periodic[0] = 1
        run = ctypes.c_void_p(self.sample(gaussian, options))
        summary = Summary()
        LIBRARY.aliquot_run_summary(run, ctypes.byref(summary))
        self.assertLess(abs(summary.log_evidence), 5.0 * summary.log_evidence_error)
        LIBRARY.aliquot_run_free(run)

    def test_samples_asked_for(self):
        options = self.options()
        options.effective_samples = 3000.0
        run = ctypes.c_void_p(self.sample(gaussian, options))
        summary = Summary()
        LIBRARY.aliquot_run_summary(run, ctypes.byref(summary))
        self.assertGreater(summary.effective_samples, 3000.0)
        LIBRARY.aliquot_run_free(run)

    def test_a_callback_that_fails(self):
        self.assertIsNone(self.sample(fails, self.options()))
        self.assertIn("log_likelihood returned 3", LIBRARY.aliquot_error().decode())


if __name__ == "__main__":
    unittest.main()
