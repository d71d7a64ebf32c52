"""Which cells of a regular grid a surface touches."""

import math

import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import cross3, dot3, row3, sub3

SLACK = 1e-9  # of a cell: a triangle between two cells touches both


def touched_voxels(corners: np.ndarray, shape: tuple[int, int, int]) -> np.ndarray:
    """True for each unit cell [i, i + 1] × [j, j + 1] × [k, k + 1] that meets one of the triangles (t, 3, 3)."""
    touched = np.zeros(shape, np.bool_)
    _mark_touched(np.ascontiguousarray(corners).reshape(-1, 3), touched)
    return touched


@kernel("void(float64[:, ::1], boolean[:, :, ::1])")
def _mark_touched(corners, touched_out):
    for row in range(len(corners) // 3):
        a, b, c = row3(corners, 3 * row), row3(corners, 3 * row + 1), row3(corners, 3 * row + 2)
        normal = cross3(sub3(b, a), sub3(c, a))
        i0, i1 = _cell_range(a[0], b[0], c[0], touched_out.shape[0])
        j0, j1 = _cell_range(a[1], b[1], c[1], touched_out.shape[1])
        k0, k1 = _cell_range(a[2], b[2], c[2], touched_out.shape[2])
        for i in range(i0, i1):
            for j in range(j0, j1):
                for k in range(k0, k1):
                    if not touched_out[i, j, k]:
                        middle = (i + 0.5, j + 0.5, k + 0.5)
                        touched_out[i, j, k] = _meets_cell(sub3(a, middle), sub3(b, middle), sub3(c, middle), normal)


@compiled
def _cell_range(a, b, c, count):
    first = math.floor(min(a, b, c) - SLACK)
    last = math.floor(max(a, b, c) + SLACK)
    return max(0, first), min(count, last + 1)


@compiled
def _meets_cell(a, b, c, normal):
    """Whether a triangle meets the unit cell around the origin: no axis separates them [Akenine-Möller 2001].

    The axes of the cell itself are settled by the range of cells that is looked at.
    """
    reach = 0.5 * (abs(normal[0]) + abs(normal[1]) + abs(normal[2]))
    if abs(dot3(normal, a)) > reach * (1.0 + SLACK):
        return False
    return not (_edge_separates(a, b, c) or _edge_separates(b, c, a) or _edge_separates(c, a, b))


@compiled
def _edge_separates(p, q, r):
    """Whether a product of the edge pq with an axis of the cell separates the triangle pqr from the cell."""
    edge = sub3(q, p)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        first = edge[u] * p[v] - edge[v] * p[u]  # the same for q
        second = edge[u] * r[v] - edge[v] * r[u]
        reach = 0.5 * (abs(edge[u]) + abs(edge[v])) * (1.0 + SLACK)
        if min(first, second) > reach or max(first, second) < -reach:
            return True
    return False
