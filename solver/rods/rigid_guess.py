"""Strands carried along by their given points, without changing shape: a guess for steps in which these are jerked."""

import numpy as np
from numba import float64, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import add3, row3, scale3, sub3
from .frames import parallel_transport
from .rods import ROD_TYPES, Rods
from .transport import edge_of, write3


def carried_rigidly(rods: Rods, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Points (n, 3) [m] that go with the given ones from `start` to `end` (n, 3) [m].

    A strand turns with its first edge between two given points; with less it moves as its given points do on average.
    """
    moved = start.copy()
    carry_rigidly(rods, start, end, moved)
    return moved


@kernel((ROD_TYPES, float64[:, ::1], float64[:, ::1], float64[:, ::1]), parallel=True)
def carry_rigidly(rods, start, end, moved_out):
    for strand in prange(len(rods.offsets) - 1):
        _carry_strand(rods, rods.offsets[strand], rods.offsets[strand + 1], start, end, moved_out)


@compiled
def _carry_strand(rods, first, last, start, end, moved_out):
    shift, count = (0.0, 0.0, 0.0), 0
    for point in range(first, last):
        if rods.is_free[point]:
            continue
        if point + 1 < last and not rods.is_free[point + 1]:
            _turn_strand(point, first, last, start, end, moved_out)
            return
        shift = add3(shift, sub3(row3(end, point), row3(start, point)))
        count += 1
    if count:
        for point in range(first, last):
            write3(moved_out, point, add3(row3(start, point), scale3(1.0 / count, shift)))


@compiled
def _turn_strand(held, first, last, start, end, moved_out):
    """About the edge from the point `held`."""
    before, _ = edge_of(start, held)
    after, _ = edge_of(end, held)
    for point in range(first, last):
        arm = parallel_transport(sub3(row3(start, point), row3(start, held)), before, after)
        write3(moved_out, point, add3(row3(end, held), arm))
