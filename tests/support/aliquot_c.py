"""The structures of aliquot.h for Python's ctypes."""

import ctypes


class Options(ctypes.Structure):
    _fields_ = [("live_points", ctypes.c_size_t), ("dlogz", ctypes.c_double), ("seed", ctypes.c_uint64), ("batch", ctypes.c_size_t),
                ("slices_per_dimension", ctypes.c_double), ("max_calls", ctypes.c_uint64), ("max_seconds", ctypes.c_double),
                ("threads", ctypes.c_size_t), ("effective_samples", ctypes.c_double), ("second_opinion", ctypes.c_int),
                ("periodic", ctypes.POINTER(ctypes.c_size_t)), ("periodic_count", ctypes.c_size_t)]


class Summary(ctypes.Structure):
    _fields_ = [("dimension", ctypes.c_size_t), ("samples", ctypes.c_size_t), ("log_evidence", ctypes.c_double),
                ("log_evidence_error", ctypes.c_double), ("quoted_log_evidence", ctypes.c_double), ("quoted_log_evidence_error", ctypes.c_double),
                ("information", ctypes.c_double), ("effective_samples", ctypes.c_double), ("rank_correlation", ctypes.c_double),
                ("insertion_rank_p_value", ctypes.c_double), ("likelihood_calls", ctypes.c_uint64),
                ("second_opinion_calls", ctypes.c_uint64), ("seconds", ctypes.c_double), ("converged", ctypes.c_int), ("trusted", ctypes.c_int)]
