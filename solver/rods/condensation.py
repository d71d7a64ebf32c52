"""Strands that bodies carry, seen from the bodies: their stiffness and force at the bound points.

With the free unknowns h of a strand and its bound points B, the system [A_hh A_hB; A_Bh A_BB] [h; B] = [g_h; g_B]
leaves S B = g_B − A_Bh A_hh⁻¹ g_h with S = A_BB − A_Bh A_hh⁻¹ A_hB: a strand is an element of the bodies,
exactly (docs/theory/time_step.md, 4).
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32, int64, prange

from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.band_columns import BAND
from ..linear_algebra.lanes import LANES
from .bound_points import NONE, BoundPoints
from .rods import Rods


class Coupling(NamedTuple):
    """The rows of the strands' matrices at bound points, and where the unknowns beside them lie."""

    offsets: np.ndarray  # first point of each strand, and the end                        (s + 1,) int32
    vector_starts: np.ndarray  # where each strand's vector begins in its lane            (s,) int64
    is_free: np.ndarray  # points that the strand's own system moves                      (n,) bool
    is_free_edge: np.ndarray  # edges whose twist it turns                                (n,) bool
    strands: np.ndarray  # with bound points                                              (b,) int32
    slots: np.ndarray  # which bound points each of these has, NONE where fewer           (b, k) int32
    points: np.ndarray  # that are bound                                                  (p,) int32
    rows: np.ndarray  # of A, the diagonal in the middle                                  (p, 3, 2 BAND + 1)
    gradients: np.ndarray  # of the potential by the bound points                         (p, 3)


COUPLING = tuple_of(
    Coupling,
    *(int32[::1], int64[::1], boolean[::1], boolean[::1], int32[::1], int32[:, ::1], int32[::1]),
    *(float64[:, :, ::1], float64[:, ::1]),
)


def new_coupling(rods: Rods, vector_starts: np.ndarray, bound: BoundPoints | None = None) -> Coupling:
    """Storage for the bound points of rods."""
    none = np.zeros(0, np.int32), np.zeros((0, 1), np.int32), np.zeros(0, np.int32)
    strands, slots, points = none if bound is None else (bound.strands, bound.slots, bound.points)
    rows, gradients = np.zeros((len(points), 3, 2 * BAND + 1)), np.zeros((len(points), 3))
    free = rods.is_free, rods.is_free_edge
    return Coupling(rods.offsets, vector_starts, *free, strands, slots, points, rows, gradients)


@compiled
def _is_free(coupling, first, row):
    point = first + row // 4
    return coupling.is_free_edge[point] if row % 4 == 3 else coupling.is_free[point]


@kernel((COUPLING, float64[:, :, ::1], float64[::1]), parallel=True)
def subtract_coupled(coupling, moved, lanes_out):
    """lanes −= A_hB B, for bound points that move by B (b, k, 3)."""
    for bound in prange(len(coupling.strands)):
        strand = coupling.strands[bound]
        first, end = coupling.offsets[strand], coupling.offsets[strand + 1]
        start, count = coupling.vector_starts[strand], 4 * (end - first) - 1
        for place in range(coupling.slots.shape[1]):
            slot = coupling.slots[bound, place]
            if slot == NONE:
                continue
            for axis in range(3):
                row = 4 * (coupling.points[slot] - first) + axis
                for other in range(max(0, row - BAND), min(count, row + BAND + 1)):
                    if _is_free(coupling, first, other):
                        value = coupling.rows[slot, axis, other - row + BAND] * moved[bound, place, axis]
                        lanes_out[start + other * LANES] -= value


@kernel((COUPLING, float64[::1], float64[:, :, ::1]), parallel=True)
def coupled_products(coupling, lanes, products_out):
    """A_Bh x (b, k, 3) for x in the lanes; zero where there is no bound point."""
    for bound in prange(len(coupling.strands)):
        strand = coupling.strands[bound]
        first, end = coupling.offsets[strand], coupling.offsets[strand + 1]
        start, count = coupling.vector_starts[strand], 4 * (end - first) - 1
        for place in range(coupling.slots.shape[1]):
            slot = coupling.slots[bound, place]
            for axis in range(3):
                total = 0.0
                if slot != NONE:
                    row = 4 * (coupling.points[slot] - first) + axis
                    for other in range(max(0, row - BAND), min(count, row + BAND + 1)):
                        if _is_free(coupling, first, other):
                            total += coupling.rows[slot, axis, other - row + BAND] * lanes[start + other * LANES]
                products_out[bound, place, axis] = total


def bound_blocks(coupling: Coupling) -> np.ndarray:
    """A_BB (b, k, k, 3, 3): zero where there is no bound point."""
    slots, points = coupling.slots, coupling.points.astype(np.int64)
    count, width = slots.shape
    axes = np.arange(3)
    blocks = np.zeros((count, width, width, 3, 3))
    for i in range(width):
        for j in range(width):
            both = np.flatnonzero((slots[:, i] != NONE) & (slots[:, j] != NONE))
            apart = 4 * (points[slots[both, j]] - points[slots[both, i]])
            both, apart = both[np.abs(apart) + 2 <= BAND], apart[np.abs(apart) + 2 <= BAND]  # the rest do not meet
            columns = apart[:, None, None] + BAND + axes[None, :] - axes[:, None]
            blocks[both, i, j] = coupling.rows[slots[both, i][:, None, None], axes[:, None], columns]
    return blocks


def at_bound_points(coupling: Coupling, values: np.ndarray) -> np.ndarray:
    """Values of points (n, 3) at the bound ones of each strand (b, k, 3): zero where there is none."""
    has_point = (coupling.slots != NONE)[:, :, None]
    return np.where(has_point, values[coupling.points[coupling.slots]], 0.0)
