"""What a tree of triangles is asked: which of them boxes meet, and how far away the surface is."""

import math
from collections.abc import Iterator

import numba
import numpy as np
from numba import float64, int32, int64

from ..jit_cache import compiled, compiled_with_arrays, kernel, tuple_of
from ..linear_algebra.vector3 import cross3, dot3, row3, sub3
from .triangle_tree import TriangleTree

TREE = tuple_of(TriangleTree, float64[:, ::1], float64[:, ::1], int32[::1], int32[::1], float64[:, :, ::1])
STACK = 64  # levels of a binary tree: more than there is memory for
AT_ONCE = 1 << 21  # pairs that are returned together, more only if a single box meets more
BOXES_AT_ONCE = 1 << 14  # whose pairs are counted together


class PairsExceeded(Exception):
    """More boxes and triangles meet than asked for at most; carries the box that met most of them so far."""

    def __init__(self, box: int):
        super().__init__("too many boxes and triangles meet")
        self.box = box


def triangles_in_boxes(
    tree: TriangleTree, lows: np.ndarray, highs: np.ndarray, most: int = 2**62
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of a box and a triangle whose own box it meets, or touches: boxes (k,), triangles (k,) int32, in turns.

    Turns bound the memory. Raises PairsExceeded as soon as it is certain that there are more than `most` pairs.
    """
    lows, highs = np.ascontiguousarray(lows, np.float64), np.ascontiguousarray(highs, np.float64)
    total = 0
    for first in range(0, len(lows), BOXES_AT_ONCE):
        boxes = lows[first : first + BOXES_AT_ONCE], highs[first : first + BOXES_AT_ONCE]
        counts, nothing = np.zeros(len(boxes[0]), np.int64), np.empty(0, np.int32)
        _find_in_boxes(tree, *boxes, np.zeros(len(counts) + 1, np.int64), nothing, counts)
        total += int(counts.sum())
        if total > most:
            raise PairsExceeded(first + int(counts.argmax()))
        for turn in _turns(counts):
            offsets = np.concatenate([[0], np.cumsum(counts[turn])])
            triangles = np.empty(offsets[-1], np.int32)
            _find_in_boxes(tree, *(bounds[turn] for bounds in boxes), offsets, triangles, counts[turn])
            numbers = np.arange(first + turn.start, first + turn.stop, dtype=np.int32)
            yield np.repeat(numbers, counts[turn]), triangles


def _turns(counts):
    """Slices of boxes that have few enough pairs together, one box at least each."""
    ends, start = np.cumsum(counts), 0
    while start < len(counts):
        before = ends[start] - counts[start]
        stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def distances_to_surface(tree: TriangleTree, points: np.ndarray) -> np.ndarray:
    """The distance (p,) [m] from each point (p, 3) to the nearest triangle."""
    distances = np.empty(len(points))
    _find_distances(tree, np.ascontiguousarray(points, np.float64), distances)
    return distances


@kernel((TREE, float64[:, ::1], float64[:, ::1], int64[::1], int32[::1], int64[::1]), parallel=True)
def _find_in_boxes(tree, lows, highs, offsets, triangles_out, counts_out):
    """Writes what there is room for between a box's offset and the next, and counts all."""
    for box in numba.prange(len(lows)):
        low, high = row3(lows, box), row3(highs, box)
        counts_out[box] = _collect(tree, low, high, offsets[box], offsets[box + 1], triangles_out)


@compiled_with_arrays
def _collect(tree, low, high, start, end, triangles_out):
    stack = np.empty(STACK, np.int32)
    stack[0] = 0
    count = 0
    leaf, height = next_leaf(tree, low, high, stack, 1)
    while leaf >= 0:
        for row in range(tree.leaf_starts[leaf], tree.leaf_starts[leaf + 1]):
            if boxes_meet(low, high, *triangle_box(tree.corners, row)):
                if start + count < end:
                    triangles_out[start + count] = tree.order[row]
                count += 1
        leaf, height = next_leaf(tree, low, high, stack, height)
    return count


@compiled
def next_leaf(tree, low, high, stack, height):
    """The next leaf that a box meets, or −1, and the height of the stack of nodes that are still to be looked at."""
    first_leaf = len(tree.leaf_starts) - 2
    while height > 0:
        height -= 1
        node = stack[height]
        if not boxes_meet(low, high, row3(tree.lower, node), row3(tree.upper, node)):
            continue
        if node >= first_leaf:
            return node - first_leaf, height
        stack[height], stack[height + 1] = 2 * node + 2, 2 * node + 1
        height += 2
    return -1, height


@compiled
def boxes_meet(low, high, other_low, other_high):
    return (
        low[0] <= other_high[0]
        and low[1] <= other_high[1]
        and low[2] <= other_high[2]
        and high[0] >= other_low[0]
        and high[1] >= other_low[1]
        and high[2] >= other_low[2]
    )


@compiled
def triangle_box(corners, row):
    a, b, c = triangle_corners(corners, row)
    low = min(a[0], b[0], c[0]), min(a[1], b[1], c[1]), min(a[2], b[2], c[2])
    return low, (max(a[0], b[0], c[0]), max(a[1], b[1], c[1]), max(a[2], b[2], c[2]))


@compiled
def triangle_corners(corners, row):
    return (
        (corners[row, 0, 0], corners[row, 0, 1], corners[row, 0, 2]),
        (corners[row, 1, 0], corners[row, 1, 1], corners[row, 1, 2]),
        (corners[row, 2, 0], corners[row, 2, 1], corners[row, 2, 2]),
    )


@kernel((TREE, float64[:, ::1], float64[::1]), parallel=True)
def _find_distances(tree, points, distances_out):
    for index in numba.prange(len(points)):
        distances_out[index] = math.sqrt(_nearest_square(tree, row3(points, index)))


@compiled_with_arrays
def _nearest_square(tree, point):
    """The nearer child is visited first; what is further than the best so far is not visited at all."""
    first_leaf = len(tree.leaf_starts) - 2
    stack = np.empty(STACK, np.int32)
    stack[0] = 0
    height, best = 1, math.inf
    while height > 0:
        height -= 1
        node = stack[height]
        if _box_square(tree, node, point) >= best:
            continue
        if node < first_leaf:
            near, far = 2 * node + 1, 2 * node + 2
            if _box_square(tree, far, point) < _box_square(tree, near, point):
                near, far = far, near
            stack[height], stack[height + 1] = far, near
            height += 2
            continue
        for row in range(tree.leaf_starts[node - first_leaf], tree.leaf_starts[node - first_leaf + 1]):
            best = min(best, _triangle_square(point, *triangle_corners(tree.corners, row)))
    return best


@compiled
def _box_square(tree, node, point):
    square = 0.0
    for axis in range(3):
        gap = max(tree.lower[node, axis] - point[axis], point[axis] - tree.upper[node, axis], 0.0)
        square += gap * gap
    return square


@compiled
def _triangle_square(point, a, b, c):
    """The squared distance to a triangle: to its plane if the foot lies inside, to its sides otherwise."""
    normal = cross3(sub3(b, a), sub3(c, a))
    away = sub3(point, a)
    area = dot3(normal, normal)
    is_above = (
        dot3(cross3(sub3(b, a), away), normal) >= 0.0
        and dot3(cross3(sub3(c, b), sub3(point, b)), normal) >= 0.0
        and dot3(cross3(sub3(a, c), sub3(point, c)), normal) >= 0.0
    )
    if area > 0.0 and is_above:
        return dot3(away, normal) ** 2 / area
    return min(_side_square(point, a, b), _side_square(point, b, c), _side_square(point, c, a))


@compiled
def _side_square(point, start, end):
    side, away = sub3(end, start), sub3(point, start)
    length = dot3(side, side)
    share = min(max(dot3(away, side) / length, 0.0), 1.0) if length > 0.0 else 0.0
    gap = (away[0] - share * side[0], away[1] - share * side[1], away[2] - share * side[2])
    return dot3(gap, gap)
