"""Sums and products of long flat vectors: in place, and with the same bits on any number of threads."""

import math

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel

CHUNK = 2048  # numbers that one thread adds up
NUMBERS = float64[::1]


def dot_flat(a: np.ndarray, b: np.ndarray) -> float:
    """a · b; BLAS would wait for its threads, and add up by their number."""
    sums = np.empty(-(-len(a) // CHUNK))
    put_dots(a, b, sums)
    return float(sums.sum())


def length_of(vectors: np.ndarray) -> float:
    """√(a · a) of vectors of any shape."""
    flat = np.ascontiguousarray(vectors).ravel()
    return math.sqrt(dot_flat(flat, flat))


@kernel((NUMBERS, NUMBERS, NUMBERS), parallel=True)
def put_dots(a, b, sums_out):
    for chunk in prange(len(sums_out)):
        first, end = CHUNK * chunk, min(CHUNK * (chunk + 1), len(a))
        w, x, y, z = 0.0, 0.0, 0.0, 0.0  # a sum waits for the one before; four do not wait for each other
        for place in range(first, end - 3, 4):
            w += a[place] * b[place]
            x += a[place + 1] * b[place + 1]
            y += a[place + 2] * b[place + 2]
            z += a[place + 3] * b[place + 3]
        for place in range(end - (end - first) % 4, end):
            w += a[place] * b[place]
        sums_out[chunk] = (w + x) + (y + z)


@kernel((float64, NUMBERS, NUMBERS), parallel=True)
def add_flat(factor, vector, total_out):
    """total += factor × vector."""
    for place in prange(len(vector)):
        total_out[place] += factor * vector[place]
