"""Sums and products of long vectors (n, 3), in chunks of fixed size: the same bits on any number of threads."""

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel

CHUNK = 512  # rows that one thread adds up


def dot(a, b) -> float:
    """a · b."""
    sums = np.empty(-(-len(a) // CHUNK))
    _dot_chunks(a, b, sums)
    return float(sums.sum())


@kernel((float64[:, ::1], float64[:, ::1], float64[::1]), parallel=True)
def _dot_chunks(a, b, sums_out):
    for chunk in prange(len(sums_out)):
        total = 0.0
        for row in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(a))):
            total += a[row, 0] * b[row, 0] + a[row, 1] * b[row, 1] + a[row, 2] * b[row, 2]
        sums_out[chunk] = total


@kernel((float64, float64[:, ::1], float64[:, ::1]), parallel=True)
def add_multiple(factor, vector, total_out):
    """total += factor × vector."""
    for row in prange(len(vector)):
        for axis in range(3):
            total_out[row, axis] += factor * vector[row, axis]


@kernel((float64, float64[:, ::1], float64[:, ::1]), parallel=True)
def follow(factor, vector, direction_out):
    """direction = vector + factor × direction."""
    for row in prange(len(vector)):
        for axis in range(3):
            direction_out[row, axis] = vector[row, axis] + factor * direction_out[row, axis]
