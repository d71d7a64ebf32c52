"""Boxes that points sweep in a step, as far around as they reach: single precision, rounded outwards."""

import numpy as np
from numba import float32, float64, int32, prange, uint8

from ..jit_cache import compiled, kernel
from .errors import PositionsNotFinite
from .surface import CollisionSurface

POINT_BOXES = float32[:, ::1]
BLOCK = 4096  # points
OUTWARD = 2.0**-23  # of a number: twice what it loses in single precision
SMALLEST = 2.0**-149  # what a number next to zero loses
LARGEST = float(np.finfo(np.float32).max)  # boxes end there, so that those of no primitive, from ∞ to −∞, meet none


def swept_boxes(
    surface: CollisionSurface,
    places: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    reaches: np.ndarray,
    boxes_out: np.ndarray,
) -> None:
    """Boxes (p, 6) float32, low x, y, z, then high, of points that move from starts to ends (p, 3) [m].

    They reach so far (p,) [m] around each point; that of the first point is put at `places[0]` and so
    on: it takes longer to read from places all over memory than to write there. Raises PositionsNotFinite.
    """
    is_finite = np.ones(-(-len(starts) // BLOCK), np.uint8)
    sweep_points(places, starts, ends, reaches, boxes_out, is_finite)
    if not is_finite.all():
        raise PositionsNotFinite(surface, starts, ends)


@compiled
def rounded_down(value):
    return np.float32(min(max(value - abs(value) * OUTWARD - SMALLEST, -LARGEST), LARGEST))


@compiled
def rounded_up(value):
    return np.float32(min(max(value + abs(value) * OUTWARD + SMALLEST, -LARGEST), LARGEST))


@kernel(
    (int32[::1], float64[:, ::1], float64[:, ::1], float64[::1], POINT_BOXES, uint8[::1]),
    parallel=True,
)
def sweep_points(places, starts, ends, reaches, boxes_out, is_finite_out):
    for block in prange(len(is_finite_out)):
        total = 0.0  # not a number as soon as one of its terms is none
        for point in range(BLOCK * block, min(BLOCK * (block + 1), len(starts))):
            place, reach = places[point], reaches[point]
            for axis in range(3):
                start, end = starts[point, axis], ends[point, axis]
                boxes_out[place, axis] = rounded_down(min(start, end) - reach)
                boxes_out[place, 3 + axis] = rounded_up(max(start, end) + reach)
                total += 0.0 * (start + end)
        is_finite_out[block] = total == 0.0
