"""Edges and triangles of a surface that may meet: all but those that their boxes, or plain arithmetic, part.

Edges that are near each other go down the tree of triangles together.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numba
import numpy as np
from numba import boolean, float64, int32, int64

from ..jit_cache import compiled, inlined, kernel, tuple_of
from ..linear_algebra.vector3 import row3
from ..volume.tree_queries import STACK, TREE, PairsExceeded, boxes_meet, next_leaf, triangle_box, triangle_corners
from ..volume.triangle_tree import triangle_tree
from .sure_partings import are_surely_parted
from .surface import MEETS, CollisionSurface

EDGES_AT_ONCE = 1 << 16  # whose pairs are returned together: bounds the memory
GROUP = 16  # edges that go down the tree together


class _Pairing(NamedTuple):
    """What decides about a pair besides its geometry."""

    edges: np.ndarray  # of the surface                                               (e, 2) int32
    triangles: np.ndarray  # of the surface, in the order of the tree                 (t, 3) int32
    meets: np.ndarray  # which objects collide                                        (o, o) uint8
    objects: np.ndarray  # of each point                                              (p,) int32
    is_given: np.ndarray  # True where the motion of a point is given                 (p,) bool
    grows_on: np.ndarray  # object that a point grows on, or NOTHING                  (p,) int32


PAIRING = tuple_of(_Pairing, int32[:, ::1], int32[:, ::1], MEETS, int32[::1], boolean[::1], int32[::1])


def doubtful_pairs(
    surface: CollisionSurface, positions: np.ndarray, most: int, only_colliding: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Edges (k,) and triangles (k,) int32 that may meet at positions (p, 3), in turns.

    Left out are pairs with a common corner and roots with what they grow on; with `only_colliding` also pairs that
    nothing parts. Raises PairsExceeded as soon as the boxes of more than `most` pairs meet; it carries an edge.
    """
    tree = triangle_tree(positions, surface.triangles)
    points = surface.points
    traits = points.objects, points.is_given, points.grows_on
    pairing = _Pairing(surface.edges, surface.triangles[tree.order], surface.meets, *traits)
    total, order = 0, _order_in_space(tree.order, surface.features.triangle_edges, len(surface.edges))
    for first in range(0, len(order), EDGES_AT_ONCE):
        edges = order[first : first + EDGES_AT_ONCE]
        near, kept = _counted(tree, positions, pairing, only_colliding, edges)
        total += int(near.sum())
        if total > most:
            raise PairsExceeded(int(edges[near.argmax()]))
        edges, kept = edges[kept > 0], kept[kept > 0]
        yield np.repeat(edges, kept), _listed(tree, positions, pairing, only_colliding, edges, kept)


def _order_in_space(triangles, triangle_edges, edge_count):
    """All edges (e,) int32: those of the triangles (t,) in their order, then those of none, which follow each other."""
    edges = triangle_edges[triangles].ravel()
    places, last_places = np.arange(len(edges)), np.full(edge_count, -1)
    last_places[edges] = places
    of_triangles, others = edges[last_places[edges] == places], np.flatnonzero(last_places < 0)
    return np.concatenate([of_triangles, others]).astype(np.int32)


def _counted(tree, positions, pairing, only_colliding, edges):
    """Of each edge: how many boxes it meets, and how many triangles are left."""
    near, kept = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64)
    offsets, nothing = np.zeros(len(edges) + 1, np.int64), np.empty(0, np.int32)
    _find_doubtful(tree, positions, pairing, only_colliding, edges, offsets, nothing, near, kept)
    return near, kept


def _listed(tree, positions, pairing, only_colliding, edges, kept):
    """The triangles that are left, edge after edge."""
    offsets = np.concatenate([[0], np.cumsum(kept)])
    triangles = np.empty(offsets[-1], np.int32)
    counts = np.empty((2, len(edges)), np.int64)
    _find_doubtful(tree, positions, pairing, only_colliding, edges, offsets, triangles, counts[0], counts[1])
    return triangles


@kernel(
    (TREE, float64[:, ::1], PAIRING, boolean, int32[::1], int64[::1], int32[::1], int64[::1], int64[::1]), parallel=True
)
def _find_doubtful(tree, positions, pairing, only_colliding, edges, offsets, triangles_out, near_out, kept_out):
    """Writes what there is room for between an edge's offset and the next, and counts all."""
    near_out[:] = kept_out[:] = 0
    for group in numba.prange(-(-len(edges) // GROUP)):
        places = range(GROUP * group, min(GROUP * (group + 1), len(edges)))
        stack, boxes, meets = np.empty(STACK, np.int32), np.empty((6, GROUP)), np.empty(GROUP, np.bool_)
        low, high = _put_boxes(positions, pairing.edges, edges, places, boxes)
        stack[0] = 0
        leaf, height = next_leaf(tree, low, high, stack, 1)
        while leaf >= 0:
            for row in range(tree.leaf_starts[leaf], tree.leaf_starts[leaf + 1]):
                triangle_low, triangle_high = triangle_box(tree.corners, row)
                if not boxes_meet(low, high, triangle_low, triangle_high):
                    continue
                _put_meetings(boxes, triangle_low, triangle_high, meets)
                for place in places:
                    if not meets[place - places.start]:
                        continue
                    near_out[place] += 1
                    if _is_doubtful(tree, positions, pairing, only_colliding, edges[place], row):
                        if offsets[place] + kept_out[place] < offsets[place + 1]:
                            triangles_out[offsets[place] + kept_out[place]] = tree.order[row]
                        kept_out[place] += 1
            leaf, height = next_leaf(tree, low, high, stack, height)


@compiled
def _put_boxes(positions, edge_ends, edges, places, boxes_out):
    """The boxes of some edges, corner by corner, and returns the two corners of the one around all."""
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    for place in places:
        p, q = row3(positions, edge_ends[edges[place], 0]), row3(positions, edge_ends[edges[place], 1])
        for axis in range(3):
            boxes_out[axis, place - places.start] = min(p[axis], q[axis])
            boxes_out[3 + axis, place - places.start] = max(p[axis], q[axis])
        low = min(low[0], p[0], q[0]), min(low[1], p[1], q[1]), min(low[2], p[2], q[2])
        high = max(high[0], p[0], q[0]), max(high[1], p[1], q[1]), max(high[2], p[2], q[2])
    return low, high


@inlined
def _put_meetings(boxes, low, high, meets_out):
    """Which of the boxes meet this one; without branches, so that the processor compares several at once."""
    for place in range(GROUP):
        meets_out[place] = (
            (boxes[0, place] <= high[0])
            & (boxes[1, place] <= high[1])
            & (boxes[2, place] <= high[2])
            & (boxes[3, place] >= low[0])
            & (boxes[4, place] >= low[1])
            & (boxes[5, place] >= low[2])
        )


@compiled
def _is_doubtful(tree, positions, pairing, only_colliding, edge, row):
    """Whether an edge and a triangle count, and may meet."""
    if not _counts(pairing, only_colliding, edge, row):
        return False
    p, q = row3(positions, pairing.edges[edge, 0]), row3(positions, pairing.edges[edge, 1])
    a, b, c = triangle_corners(tree.corners, row)
    return not are_surely_parted(p, q, a, b, c)


@compiled
def _counts(pairing, only_colliding, edge, row):
    """Whether a crossing of these two would count. Most pairs of a mesh have a common corner: that is asked first."""
    start, end = pairing.edges[edge, 0], pairing.edges[edge, 1]
    a, b, c = pairing.triangles[row, 0], pairing.triangles[row, 1], pairing.triangles[row, 2]
    if start in (a, b, c) or end in (a, b, c):
        return False
    owner = pairing.objects[a]
    if pairing.grows_on[start] == owner or pairing.grows_on[end] == owner:
        return False
    if not only_colliding:
        return True
    is_given = pairing.is_given
    are_given = is_given[start] and is_given[end] and is_given[a] and is_given[b] and is_given[c]
    return pairing.meets[pairing.objects[start], owner] != 0 and not are_given
