"""Edges and triangles of a surface that may meet: all but those that their boxes, or plain arithmetic, part."""

from collections.abc import Iterator
from typing import NamedTuple

import numba
import numpy as np
from numba import boolean, float64, int32, int64

from ..jit_cache import compiled, compiled_with_arrays, kernel, tuple_of
from ..linear_algebra.vector3 import row3
from ..volume.tree_queries import STACK, TREE, PairsExceeded, boxes_meet, next_leaf, triangle_box, triangle_corners
from ..volume.triangle_tree import triangle_tree
from .sure_partings import are_surely_parted
from .surface import MEETS, CollisionSurface

EDGES_AT_ONCE = 1 << 16  # whose pairs are returned together: bounds the memory


class _Pairing(NamedTuple):
    """What decides about a pair besides its geometry."""

    edges: np.ndarray  # of the surface                                               (e, 2) int32
    triangles: np.ndarray  # of the surface                                           (t, 3) int32
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
    pairing = _Pairing(surface.edges, surface.triangles, surface.meets, *traits)
    total = 0
    for first in range(0, len(surface.edges), EDGES_AT_ONCE):
        edges = np.arange(first, min(first + EDGES_AT_ONCE, len(surface.edges)), dtype=np.int32)
        near, kept = _counted(tree, positions, pairing, only_colliding, edges)
        total += int(near.sum())
        if total > most:
            raise PairsExceeded(first + int(near.argmax()))
        edges, kept = edges[kept > 0], kept[kept > 0]
        yield np.repeat(edges, kept), _listed(tree, positions, pairing, only_colliding, edges, kept)


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
    for place in numba.prange(len(edges)):
        room = offsets[place], offsets[place + 1]
        near, kept = _collect(tree, positions, pairing, only_colliding, edges[place], room, triangles_out)
        near_out[place], kept_out[place] = near, kept


@compiled_with_arrays
def _collect(tree, positions, pairing, only_colliding, edge, room, triangles_out):
    p, q = row3(positions, pairing.edges[edge, 0]), row3(positions, pairing.edges[edge, 1])
    low = min(p[0], q[0]), min(p[1], q[1]), min(p[2], q[2])
    high = max(p[0], q[0]), max(p[1], q[1]), max(p[2], q[2])
    stack = np.empty(STACK, np.int32)
    stack[0] = 0
    near, kept = 0, 0
    leaf, height = next_leaf(tree, low, high, stack, 1)
    while leaf >= 0:
        for row in range(tree.leaf_starts[leaf], tree.leaf_starts[leaf + 1]):
            if not boxes_meet(low, high, *triangle_box(tree.corners, row)):
                continue
            near += 1
            triangle = tree.order[row]
            if not _counts(pairing, only_colliding, edge, triangle):
                continue
            a, b, c = triangle_corners(tree.corners, row)
            if not are_surely_parted(p, q, a, b, c):
                if room[0] + kept < room[1]:
                    triangles_out[room[0] + kept] = triangle
                kept += 1
        leaf, height = next_leaf(tree, low, high, stack, height)
    return near, kept


@compiled
def _counts(pairing, only_colliding, edge, triangle):
    """Whether a crossing of these two would count."""
    start, end = pairing.edges[edge, 0], pairing.edges[edge, 1]
    owner = pairing.objects[pairing.triangles[triangle, 0]]
    if pairing.grows_on[start] == owner or pairing.grows_on[end] == owner:
        return False
    is_given = pairing.is_given[start] and pairing.is_given[end]
    for side in range(3):
        corner = pairing.triangles[triangle, side]
        if corner in (start, end):
            return False
        is_given = is_given and pairing.is_given[corner]
    return not only_colliding or (pairing.meets[pairing.objects[start], owner] != 0 and not is_given)
