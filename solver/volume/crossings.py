"""Where a surface cuts or touches itself: edges through triangles."""

import numpy as np

from ..jit_cache import compiled, compiled_with_arrays, kernel
from ..linear_algebra.vector3 import cross3, row3, sub3
from .triangle_tree import TriangleTree

ORIENTATION_ERROR = 8e-16  # of a determinant of differences, over the sum of its terms' sizes [Shewchuk 1997, 7ε]
PLANE_ERROR = 4e-16  # the same in two dimensions, 3ε


def edge_crossings(tree: TriangleTree, positions: np.ndarray, triangles: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The first triangle that each edge (e, 2) cuts or touches, or −1 (e,) int32; its own faces do not count.

    What rounding cannot tell from touching counts as touching.
    """
    hits = np.empty(len(ends), np.int32)
    faces = np.ascontiguousarray(triangles[tree.order], dtype=np.int32)
    _edge_crossings(
        *(tree.lower, tree.upper, tree.leaf_starts, tree.order, faces),
        np.ascontiguousarray(positions),
        np.ascontiguousarray(ends, dtype=np.int32),
        hits,
    )
    return hits


@kernel(
    "void(float64[:, ::1], float64[:, ::1], int32[::1], int32[::1], int32[:, ::1], float64[:, ::1], int32[:, ::1], "
    "int32[::1])",
)
def _edge_crossings(lower, upper, leaf_starts, order, faces, positions, ends, hits_out):
    for edge in range(len(ends)):
        hits_out[edge] = _first_hit(lower, upper, leaf_starts, order, faces, positions, ends[edge, 0], ends[edge, 1])


@compiled_with_arrays
def _first_hit(lower, upper, leaf_starts, order, faces, positions, tail, head):
    p, q = row3(positions, tail), row3(positions, head)
    first_leaf = len(leaf_starts) - 2
    stack = np.empty(64, np.int32)
    stack[0] = 0
    height = 1
    hit = -1
    while height > 0:
        height -= 1
        node = stack[height]
        if not _meets_box(p, q, row3(lower, node), row3(upper, node)):
            continue
        if node < first_leaf:
            stack[height], stack[height + 1] = 2 * node + 2, 2 * node + 1
            height += 2
            continue
        for row in range(leaf_starts[node - first_leaf], leaf_starts[node - first_leaf + 1]):
            # the lowest number, so that the answer does not hang on the tree
            if (hit < 0 or order[row] < hit) and not _has_vertex(faces, row, tail, head):
                a, b, c = row3(faces, row)
                if segment_meets_triangle(p, q, row3(positions, a), row3(positions, b), row3(positions, c)):
                    hit = order[row]
    return hit


@compiled
def _has_vertex(faces, row, tail, head):
    a, b, c = row3(faces, row)
    return tail in (a, b, c) or head in (a, b, c)


@compiled
def _meets_box(p, q, low, high):
    return (
        _ranges_meet(p[0], q[0], low[0], high[0])
        and _ranges_meet(p[1], q[1], low[1], high[1])
        and _ranges_meet(p[2], q[2], low[2], high[2])
    )


@compiled
def segment_meets_triangle(p, q, a, b, c):
    """Whether the closed segment pq and the closed triangle abc have a point in common."""
    p_side, q_side = _side(a, b, c, p), _side(a, b, c, q)
    if p_side * q_side > 0:
        return False
    if p_side == 0 and q_side == 0:
        return _meet_in_plane(p, q, a, b, c)
    if p_side == 0 or q_side == 0:  # only this end can touch; the line through both says nothing about where
        return _meet_in_plane(p, p, a, b, c) if p_side == 0 else _meet_in_plane(q, q, a, b, c)
    first, second, third = _side(p, q, a, b), _side(p, q, b, c), _side(p, q, c, a)
    return max(first, second, third) <= 0 or min(first, second, third) >= 0


@compiled
def _side(a, b, c, d):
    """The sign of the volume of abcd, 0 where rounding hides it."""
    ax, ay, az = a[0] - d[0], a[1] - d[1], a[2] - d[2]
    bx, by, bz = b[0] - d[0], b[1] - d[1], b[2] - d[2]
    cx, cy, cz = c[0] - d[0], c[1] - d[1], c[2] - d[2]
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    size = (
        abs(ax) * (abs(by * cz) + abs(bz * cy))
        + abs(ay) * (abs(bz * cx) + abs(bx * cz))
        + abs(az) * (abs(bx * cy) + abs(by * cx))
    )
    if abs(volume) <= ORIENTATION_ERROR * size:
        return 0
    return 1 if volume > 0.0 else -1


@compiled
def _meet_in_plane(p, q, a, b, c):
    """The same for a segment in the triangle's plane, seen along the axis that shows the triangle largest."""
    normal = cross3(sub3(b, a), sub3(c, a))
    size = max(abs(normal[0]), abs(normal[1]), abs(normal[2]))
    axis = 0 if abs(normal[0]) == size else 1 if abs(normal[1]) == size else 2
    return _meet_in_view(_seen(p, axis), _seen(q, axis), _seen(a, axis), _seen(b, axis), _seen(c, axis))


@compiled
def _meet_in_view(p, q, a, b, c):
    if _segments_meet(p, q, a, b) or _segments_meet(p, q, b, c) or _segments_meet(p, q, c, a):
        return True
    first = _turn(a, b, p)
    return first == _turn(b, c, p) and first == _turn(c, a, p)


@compiled
def _seen(point, axis):
    """A point without one of its coordinates."""
    if axis == 0:
        return point[1], point[2]
    return (point[2], point[0]) if axis == 1 else (point[0], point[1])


@compiled
def _segments_meet(p, q, a, b):
    if _turn(p, q, a) * _turn(p, q, b) > 0 or _turn(a, b, p) * _turn(a, b, q) > 0:
        return False
    # All on one line: only their ranges tell.
    return _ranges_meet(p[0], q[0], a[0], b[0]) and _ranges_meet(p[1], q[1], a[1], b[1])


@compiled
def _ranges_meet(p, q, a, b):
    return max(p, q) >= min(a, b) and min(p, q) <= max(a, b)


@compiled
def _turn(a, b, c):
    left, right = (a[0] - c[0]) * (b[1] - c[1]), (a[1] - c[1]) * (b[0] - c[0])
    if abs(left - right) <= PLANE_ERROR * (abs(left) + abs(right)):
        return 0
    return 1 if left > right else -1
