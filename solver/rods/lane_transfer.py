"""Vectors of points and edges to and from the storage of the strands' linear systems."""

from numba import float64, int32, int64, prange

from ..jit_cache import kernel
from ..linear_algebra.lanes import LANES

TRANSFER = (int32[::1], int64[::1], float64[:, ::1], float64[::1], float64[::1])


@kernel(TRANSFER, parallel=True)
def points_to_lanes(offsets, vector_starts, points, edges, lanes_out):
    """Values of points (n, 3) and edges (n,) into a vector of the layout; that of a strand's last point is not used."""
    for strand in prange(len(offsets) - 1):
        first, end = offsets[strand], offsets[strand + 1]
        for point in range(first, end):
            start = vector_starts[strand] + 4 * (point - first) * LANES
            for axis in range(3):
                lanes_out[start + axis * LANES] = points[point, axis]
            if point + 1 < end:
                lanes_out[start + 3 * LANES] = edges[point]


@kernel((*TRANSFER[:2], float64[::1], float64[:, ::1], float64[::1]), parallel=True)
def points_from_lanes(offsets, vector_starts, lanes, points_out, edges_out):
    """The way back; the edge of a strand's last point gets zero."""
    for strand in prange(len(offsets) - 1):
        first, end = offsets[strand], offsets[strand + 1]
        for point in range(first, end):
            start = vector_starts[strand] + 4 * (point - first) * LANES
            for axis in range(3):
                points_out[point, axis] = lanes[start + axis * LANES]
            edges_out[point] = lanes[start + 3 * LANES] if point + 1 < end else 0.0
