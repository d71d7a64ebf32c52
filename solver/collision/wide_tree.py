"""A tree of boxes, eight children a node, over primitives in Morton order: built rarely, refitted each step.

Primitives are sorted once along a space-filling curve. Eight neighbours make a node of the lowest level, eight nodes
one of the next, up to the root: no pointers, and a node's eight boxes are compared in a few vector instructions. Boxes
are single precision, rounded outwards, so that nothing is missed.
"""

from typing import NamedTuple

import numpy as np
from numba import float32, float64, int32, int64, prange

from ..jit_cache import compiled, kernel, tuple_of

WIDTH = 8
MORTON_BITS = 21  # an axis: 63 in all


class WideTree(NamedTuple):
    order: np.ndarray  # primitive at each place                                           (n,) int32
    level_starts: np.ndarray  # first node of each level, the lowest first, and the end    (levels + 1,) int64
    boxes: np.ndarray  # of the children: low x, y, z, then high x, y, z                   (nodes, 6, WIDTH) float32

    @property
    def place_count(self) -> int:
        return len(self.order)


TREE = tuple_of(WideTree, int32[::1], int64[::1], float32[:, :, ::1])


def build_tree(lows: np.ndarray, highs: np.ndarray) -> WideTree:
    """A tree for boxes (n, 3), sorted by their centres; refitted already."""
    order = np.argsort(morton_codes(0.5 * (lows + highs)), kind="stable").astype(np.int32)
    counts = [max(-(-len(order) // WIDTH), 1)]
    while counts[-1] > 1:
        counts.append(-(-counts[-1] // WIDTH))
    level_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    tree = WideTree(order, level_starts, np.empty((level_starts[-1], 6, WIDTH), np.float32))
    refit(tree, lows, highs)
    return tree


def refit(tree: WideTree, lows: np.ndarray, highs: np.ndarray) -> None:
    """New boxes (n, 3) for the same primitives. Boxes that are not numbers meet nothing."""
    _refit_lowest(tree, lows, highs)
    for level in range(1, len(tree.level_starts) - 1):
        _refit_level(tree, level)


def morton_codes(points: np.ndarray) -> np.ndarray:
    """Places along a space-filling curve (n,) uint64; points that are not numbers come first."""
    finite = np.where(np.isfinite(points), points, 0.0)
    low, high = finite.min(axis=0, initial=np.inf), finite.max(axis=0, initial=-np.inf)
    extent = max(float((high - low).max(initial=0.0)), np.finfo(float).tiny)
    cells = np.clip((finite - low) / extent * 2**MORTON_BITS, 0, 2**MORTON_BITS - 1).astype(np.uint64)
    return _spread(cells[:, 0]) | _spread(cells[:, 1]) << np.uint64(1) | _spread(cells[:, 2]) << np.uint64(2)


def _spread(values):
    """Two zero bits after each bit."""
    for shift, mask in (
        (32, 0x1F00000000FFFF),
        (16, 0x1F0000FF0000FF),
        (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3),
        (2, 0x1249249249249249),
    ):
        values = (values | values << np.uint64(shift)) & np.uint64(mask)
    return values


@compiled
def _rounded_down(value):
    rounded = np.float32(value)
    return rounded if rounded <= value else np.nextafter(rounded, np.float32(-np.inf))


@compiled
def _rounded_up(value):
    rounded = np.float32(value)
    return rounded if rounded >= value else np.nextafter(rounded, np.float32(np.inf))


@compiled
def _is_box(lows, highs, primitive):
    """False where a bound is not a number: it would spread upwards."""
    is_box = True
    for axis in range(3):
        is_box &= lows[primitive, axis] <= highs[primitive, axis]
    return is_box


@kernel((TREE, float64[:, ::1], float64[:, ::1]), parallel=True)
def _refit_lowest(tree, lows, highs):
    boxes = tree.boxes
    for node in prange(tree.level_starts[1]):
        for child in range(WIDTH):
            place = WIDTH * node + child
            primitive = tree.order[place] if place < len(tree.order) else -1
            is_box = primitive >= 0 and _is_box(lows, highs, primitive)
            for axis in range(3):
                low, high = np.inf, -np.inf
                if is_box:
                    low, high = lows[primitive, axis], highs[primitive, axis]
                boxes[node, axis, child] = _rounded_down(low)
                boxes[node, 3 + axis, child] = _rounded_up(high)


@kernel((TREE, int64), parallel=True)
def _refit_level(tree, level):
    boxes = tree.boxes
    below, above, end = tree.level_starts[level - 1], tree.level_starts[level], tree.level_starts[level + 1]
    for node in prange(above, end):
        for child in range(WIDTH):
            lower = below + WIDTH * (node - above) + child
            for axis in range(3):
                low, high = np.float32(np.inf), np.float32(-np.inf)
                if lower < above:
                    for grandchild in range(WIDTH):
                        low = min(low, boxes[lower, axis, grandchild])
                        high = max(high, boxes[lower, 3 + axis, grandchild])
                boxes[node, axis, child] = low
                boxes[node, 3 + axis, child] = high
