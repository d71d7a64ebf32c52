"""Strands that are nearer to each other than they are thick.

Centre lines hardly ever cross exactly, so that strands are judged by their radii. Written apart from the search that
the simulation uses: it is to find what that misses.
"""

import math
from typing import NamedTuple

import numba
import numpy as np
from numba import float64, int32

from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.vector3 import dot3, row3, sub3
from ..volume.tree_queries import PairsExceeded, triangles_in_boxes
from ..volume.triangle_tree import triangle_tree
from .errors import TooMuchIntersects
from .surface import MEETS, POINTS, CollisionSurface


class Overlaps(NamedTuple):
    """Pairs of segments of strands that are too near each other; those that may not meet are left out."""

    edges: np.ndarray  # of the surface                                       (k, 2) int32
    depths: np.ndarray  # what is missing to the sum of the radii             (k,) [m]
    shares: np.ndarray  # the same over that sum; 1: the centre lines touch   (k,)


class _Strands(NamedTuple):
    edges: np.ndarray  # of the surface, those of strands                     (s,) int32
    ends: np.ndarray  # points of each                                        (s, 2) int32


STRANDS = tuple_of(_Strands, int32[::1], int32[:, ::1])
MOST_PAIRS = 400_000_000  # of segments whose boxes meet, each from both sides; they take half a minute
MOST_OVERLAPS = 20_000_000  # half a gigabyte


def strand_overlaps(surface: CollisionSurface, positions: np.ndarray, most: int = MOST_PAIRS) -> Overlaps:
    """All overlaps of strands at finite positions (p, 3) of the surface's points.

    Raises TooMuchIntersects where the boxes of more than `most` segments meet.
    """
    is_strand = (surface.points.strands[surface.edges] >= 0).all(axis=1)
    edges = np.flatnonzero(is_strand).astype(np.int32)
    strands = _Strands(edges, np.ascontiguousarray(surface.edges[edges]))
    found, count = [Overlaps(np.empty((0, 2), np.int32), np.empty(0), np.empty(0))], 0
    for overlaps in _in_turns(surface, positions, strands, most) if len(edges) else ():
        found.append(overlaps)
        count += len(overlaps.edges)
        if count > MOST_OVERLAPS:
            raise TooMuchIntersects(_owner(surface, overlaps.edges[0, 0]))
    return Overlaps(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _owner(surface, edge):
    return surface.names[surface.points.objects[surface.edges[edge, 0]]]


def _in_turns(surface, positions, strands, most):
    ends = positions[strands.ends]
    radii = surface.points.radii[strands.ends].max(axis=1)
    reach = (radii + radii.max())[:, None]
    lows, highs = ends.min(axis=1) - reach, ends.max(axis=1) + reach
    tree = triangle_tree(positions, strands.ends[:, [0, 1, 1]])  # a segment is a triangle with a doubled corner
    try:
        for queries, others in triangles_in_boxes(tree, lows, highs, most):
            is_new = others > queries
            yield _measured(surface, positions, strands, np.column_stack([queries[is_new], others[is_new]]))
    except PairsExceeded as exceeded:
        raise TooMuchIntersects(_owner(surface, strands.edges[exceeded.box])) from None


def _measured(surface, positions, strands, pairs):
    """Those of pairs (k, 2) that overlap."""
    depths, separations = np.empty(len(pairs)), np.empty(len(pairs))
    _measure(surface.points, surface.meets, positions, strands, pairs, depths, separations)
    is_near = depths > 0.0
    return Overlaps(strands.edges[pairs[is_near]], depths[is_near], depths[is_near] / separations[is_near])


@kernel((POINTS, MEETS, float64[:, ::1], STRANDS, int32[:, ::1], float64[::1], float64[::1]), parallel=True)
def _measure(points, meets, positions, strands, pairs, depths_out, separations_out):
    """How much nearer than the sum of their radii two segments are; zero or less if they are not, or may not meet."""
    for pair in numba.prange(len(pairs)):
        a, b = strands.ends[pairs[pair, 0]]
        c, d = strands.ends[pairs[pair, 1]]
        depths_out[pair] = separations_out[pair] = 0.0
        is_same = points.objects[a] == points.objects[c]
        if a in (c, d) or b in (c, d) or not meets[points.objects[a], points.objects[c]]:
            continue
        square, s, t = _nearest(row3(positions, a), row3(positions, b), row3(positions, c), row3(positions, d))
        radii = points.self_radii if is_same else points.radii
        separation = (1.0 - s) * radii[a] + s * radii[b] + (1.0 - t) * radii[c] + t * radii[d]
        separations_out[pair] = separation
        depths_out[pair] = separation - math.sqrt(square)


@compiled
def _nearest(a, b, c, d):
    """Squared distance of the segments ab and cd, and where on each it is: inside both, or at one of the four ends."""
    u, v, w = sub3(b, a), sub3(d, c), sub3(a, c)
    uu, uv, vv, uw, vw = dot3(u, u), dot3(u, v), dot3(v, v), dot3(u, w), dot3(v, w)
    best = _at(w, u, v, 0.0, _clamped(vw, vv))
    best = _nearer(best, _at(w, u, v, 1.0, _clamped(uv + vw, vv)))
    best = _nearer(best, _at(w, u, v, _clamped(-uw, uu), 0.0))
    best = _nearer(best, _at(w, u, v, _clamped(uv - uw, uu), 1.0))
    determinant = uu * vv - uv * uv
    if determinant > 0.0:
        s, t = (uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant
        if 0.0 < s < 1.0 and 0.0 < t < 1.0:
            best = _nearer(best, _at(w, u, v, s, t))
    return best


@compiled
def _clamped(numerator, square):
    return min(max(numerator / square, 0.0), 1.0) if square > 0.0 else 0.0


@compiled
def _at(w, u, v, s, t):
    """The squared distance of two places, and the places."""
    x, y, z = w[0] + s * u[0] - t * v[0], w[1] + s * u[1] - t * v[1], w[2] + s * u[2] - t * v[2]
    return x * x + y * y + z * z, s, t


@compiled
def _nearer(first, second):
    return first if first[0] <= second[0] else second
