"""Points that leave the boxes which they were meant to stay in during a step, and larger boxes for them."""

import numpy as np
from numba import float64, int32, prange, uint8

from ..jit_cache import kernel
from .swept_boxes import POINT_BOXES, rounded_down, rounded_up


@kernel((int32[::1], float64[:, ::1], float64[::1], float64, POINT_BOXES, uint8[::1]), parallel=True)
def mark_left(order, ends, radii, margin, boxes, has_left_out):
    """1 for each place (p,) whose point ends nearer to the edge of its box than its radius and a margin [m].

    Boxes hold the start of the way, and so all of it if they hold its end. What is not a number is in no box.
    """
    for place in prange(len(order)):
        point = order[place]
        reach = radii[point] + margin
        stays = True
        for axis in range(3):
            end = ends[point, axis]
            stays &= boxes[place, axis] <= end - reach and end + reach <= boxes[place, 3 + axis]
        has_left_out[place] = not stays


@kernel((int32[::1], float64[:, ::1], float64[::1], float64, uint8[::1], POINT_BOXES), parallel=True)
def enlarge_left(order, ends, radii, margin, has_left, boxes_out):
    """Let the boxes of those that are marked reach around their ends, too."""
    for place in prange(len(order)):
        if has_left[place]:
            point = order[place]
            reach = radii[point] + margin
            for axis in range(3):
                end = ends[point, axis]
                boxes_out[place, axis] = min(boxes_out[place, axis], rounded_down(end - reach))
                boxes_out[place, 3 + axis] = max(boxes_out[place, 3 + axis], rounded_up(end + reach))


@kernel((float64[:, ::1], float64[:, ::1], float64, float64[:, ::1]), parallel=True)
def clip_strays(starts, meant_ends, stray, ends_out):
    """Bring ends (p, 3) back that lie further than so much [m] outside the box around start and meant end."""
    for point in prange(len(ends_out)):
        for axis in range(3):
            start, end = starts[point, axis], meant_ends[point, axis]
            low, high = min(start, end) - stray, max(start, end) + stray
            ends_out[point, axis] = min(max(ends_out[point, axis], low), high)


def are_finite(points: np.ndarray, positions: np.ndarray) -> bool:
    """Whether the positions (p, 3) of some points are numbers."""
    return bool(np.isfinite(positions[points]).all())
