"""A tree of boxes over triangles, for all questions of where a surface is."""

from typing import NamedTuple

import numpy as np

TRIANGLES_PER_LEAF = 4  # at least; up to twice as many
# By how many places bits are moved apart, and which then count.
SPREADS = (
    *((32, 0x001F00000000FFFF), (16, 0x001F0000FF0000FF), (8, 0x100F00F00F00F00F)),
    *((4, 0x10C30C30C30C30C3), (2, 0x1249249249249249)),
)


class TriangleTree(NamedTuple):
    """A complete binary tree: the children of node i are 2i + 1 and 2i + 2, the last nodes are leaves."""

    lower: np.ndarray  # corner of each node's box                    (2p − 1, 3) [m]
    upper: np.ndarray  # the opposite corner                          (2p − 1, 3) [m]
    leaf_starts: np.ndarray  # first triangle of each leaf, in `order` (p + 1,) int32
    order: np.ndarray  # triangles, leaf after leaf                   (t,) int32
    corners: np.ndarray  # of the triangles, in `order`               (t, 3, 3) [m]


def triangle_tree(positions: np.ndarray, triangles: np.ndarray) -> TriangleTree:
    """The tree of a surface; triangles are put into leaves along a space-filling curve."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    order = np.argsort(_morton_codes((a + b + c) / 3.0), kind="stable").astype(np.int32)
    corners = positions[triangles[order]]
    a, b, c = (corners[:, corner] for corner in range(3))  # numpy is slow along so short an axis
    leaf_count = 2 ** int(np.log2(max(1, len(triangles) // TRIANGLES_PER_LEAF)))
    starts = (np.arange(leaf_count + 1) * len(triangles) // leaf_count).astype(np.int32)
    lower = _up_the_tree(np.minimum.reduceat(np.minimum(np.minimum(a, b), c), starts[:-1]), np.minimum)
    upper = _up_the_tree(np.maximum.reduceat(np.maximum(np.maximum(a, b), c), starts[:-1]), np.maximum)
    return TriangleTree(lower, upper, starts, order, corners)


def _up_the_tree(leaves, merge):
    """Rows for all nodes from rows for the leaves, root first."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        levels.append(merge(levels[-1][0::2], levels[-1][1::2]))
    return np.concatenate(levels[::-1])


def _morton_codes(points):
    """Positions along a Z-order curve through the bounding box, 21 bits an axis."""
    low, size = points.min(axis=0), np.ptp(points, axis=0).max()
    cells = ((points - low) * ((2**21 - 1) / (size if size > 0.0 else 1.0))).astype(np.uint64)
    x, y, z = _spread(np.ascontiguousarray(cells.T))
    return x | y << np.uint64(1) | z << np.uint64(2)


def _spread(numbers):
    """Numbers of 21 bits, uint64, with two zeros between any two of these, by halves: most of a tree's time else."""
    for shift, kept in SPREADS:
        numbers |= numbers << np.uint64(shift)
        numbers &= np.uint64(kept)
    return numbers
