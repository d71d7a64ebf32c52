"""The motion that the points of a scene have in common, and what is left of their ways for one who moves along.

Hair on a turning head sweeps through much space, but hardly through its neighbours. Boxes around what is left beside
one rigid motion of all points overlap far less often, and miss nothing: docs/theory/collision.md, (1a) to (1c).
"""

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, row3, sub3

CHUNK = 4096  # points that are summed together, whatever the number of threads
SAMPLE = 4096  # points that say what is a usual way
FLUNG = 10.0  # times the median way: what goes further says nothing about the others
LARGEST_TURN = 0.5  # [rad] in a step: beyond, ways are too curved for this to gain anything
SUMS = 16  # points, way (3), position (3), moment of the way (3), products of positions (6)


def common_motion(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Rows centre, shift and turn (3, 3) of the rigid motion that fits ways from starts to ends (p, 3) [m] best.

    It moves a point at x by shift + turn × (x − centre). Of numbers beyond all bounds nothing is in common.
    """
    sums = np.zeros((-(-len(starts) // CHUNK), SUMS))
    with np.errstate(all="ignore"):
        sum_ways(starts, ends, _longest_usual(starts, ends), sums)
        motion = _best_fit(sums.sum(axis=0))
    return motion if np.isfinite(motion).all() else np.zeros((3, 3))


def _longest_usual(starts, ends):
    """The square of a way beyond which a point is flung [m²]."""
    few = slice(None, None, max(len(starts) // SAMPLE, 1))
    ways = ends[few] - starts[few]
    return FLUNG**2 * float(np.median(np.einsum("pi,pi->p", ways, ways))) if len(ways) else 0.0


def _best_fit(sums):
    if sums[0] == 0.0 or not np.isfinite(sums).all():
        return np.zeros((3, 3))
    count, way, position, moment = sums[0], sums[1:4], sums[4:7], sums[7:10]
    centre, shift = position / count, way / count
    xx, yy, zz, xy, yz, zx = sums[10:]
    products = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]) - count * np.outer(centre, centre)
    inertia = np.trace(products) * np.eye(3) - products
    turn = np.linalg.pinv(inertia, hermitian=True) @ (moment - count * np.cross(centre, shift))
    return np.array([centre, shift, turn if np.linalg.norm(turn) <= LARGEST_TURN else np.zeros(3)])


@kernel((float64[:, ::1], float64[:, ::1], float64, float64[:, ::1]), parallel=True)
def sum_ways(starts, ends, longest, sums_out):
    """`sums_out` (chunks, SUMS) are zeros; `longest` is a square [m²]."""
    for chunk in prange(len(sums_out)):
        for point in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(starts))):
            x = row3(starts, point)
            way = sub3(row3(ends, point), x)
            if dot3(way, way) <= longest:
                moment = cross3(x, way)
                sums_out[chunk, 0] += 1.0
                for axis in range(3):
                    sums_out[chunk, 1 + axis] += way[axis]
                    sums_out[chunk, 4 + axis] += x[axis]
                    sums_out[chunk, 7 + axis] += moment[axis]
                    sums_out[chunk, 10 + axis] += x[axis] * x[axis]
                    sums_out[chunk, 13 + axis] += x[axis] * x[(axis + 1) % 3]


@kernel((float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1], float64[:, ::1], float64[::1]), parallel=True)
def move_along(starts, ends, motion, radii, ends_out, radii_out):
    """Ends (p, 3) [m] as one sees them who moves along, and radii (p,) [m] that make up for the curves of ways."""
    centre, shift, turn = row3(motion, 0), row3(motion, 1), row3(motion, 2)
    curve = norm3(turn)
    for point in prange(len(starts)):
        x = row3(starts, point)
        common = add3(shift, cross3(turn, sub3(x, centre)))
        left = sub3(sub3(row3(ends, point), x), common)
        radii_out[point] = radii[point] + curve * norm3(left)
        for axis in range(3):
            ends_out[point, axis] = x[axis] + left[axis]
