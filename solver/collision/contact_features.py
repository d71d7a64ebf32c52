"""What exactly is near what: two primitives may be nearest at a side or at an end, and several pairs find the same one.

A nearest point on the side of a triangle, or at the end of an edge, belongs to that side or end. So each pair of
features is one contact, however many pairs of primitives find it.
"""

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import dot3, row3
from .closest_points import (
    edge_edge_weights,
    point_edge_weight,
    point_triangle_weights,
    weighted_offset,
)
from .errors import TooManyContacts, commonest
from .surface import FEATURES, POINTS, CollisionSurface

MOST_CONTACTS = 5_000_000  # half a gigabyte
FAR, POINT_TRIANGLE, EDGE_EDGE, POINT_EDGE, POINT_POINT = range(5)
NUMBER_BITS = 31  # of a feature, in a key


def near_features(
    surface: CollisionSurface,
    edge_pairs: np.ndarray,
    point_triangle_pairs: np.ndarray,
    positions: np.ndarray,
    reach: float,
    most: int = MOST_CONTACTS,
) -> np.ndarray:
    """Kind and numbers of two features (m, 3) int32 for all pairs nearer than their separation and a reach [m].

    Each once, in the order of the pairs; those of which no point moves freely are left out. Raises TooManyContacts.
    """
    points, triangles = surface.points, surface.triangles
    of_points = np.empty((len(point_triangle_pairs), 3), np.int32)
    point_triangle_features(
        *(points, surface.features, surface.edges, triangles, point_triangle_pairs, positions, reach),
        of_points,
    )
    of_edges = np.empty((len(edge_pairs), 3), np.int32)
    edge_edge_features(points, surface.edges, edge_pairs, positions, reach, of_edges)
    are_points_near, are_edges_near = of_points[:, 0] != FAR, of_edges[:, 0] != FAR
    refuse_too_many(surface, point_triangle_pairs[are_points_near], edge_pairs[are_edges_near], most)
    features = np.concatenate([of_points[are_points_near], of_edges[are_edges_near]])
    return features[first_of_each_feature(features)]


def refuse_too_many(surface: CollisionSurface, point_triangle_pairs, edge_pairs, most: int = MOST_CONTACTS) -> None:
    """Raises TooManyContacts where more pairs (k, 2) of points and triangles, and (l, 2) of edges, touch."""
    if len(point_triangle_pairs) + len(edge_pairs) > most:
        of_points = np.column_stack([point_triangle_pairs[:, 0], surface.triangles[point_triangle_pairs[:, 1], 0]])
        corners = np.concatenate([of_points, surface.edges[edge_pairs][:, :, 0]])
        raise TooManyContacts(most, commonest(surface, surface.points.objects[corners]))


def first_of_each_feature(features: np.ndarray) -> np.ndarray:
    """Which rows (m, 3) to keep: the first of each. Only features of sides and ends are found more than once."""
    doubtful = np.flatnonzero(features[:, 0] >= POINT_EDGE)
    kind, first, second = features[doubtful].astype(np.int64).T
    # Two points may come in either order.
    low = np.where(kind == POINT_POINT, np.minimum(first, second), first)
    high = np.where(kind == POINT_POINT, np.maximum(first, second), second)
    _, kept = np.unique((kind - POINT_EDGE) << 2 * NUMBER_BITS | low << NUMBER_BITS | high, return_index=True)
    is_kept = features[:, 0] < POINT_EDGE
    is_kept[doubtful[kept]] = True
    return np.flatnonzero(is_kept)


@kernel(
    (POINTS, FEATURES, int32[:, ::1], int32[:, ::1], int32[:, ::1], float64[:, ::1], float64, int32[:, ::1]),
    parallel=True,
)
def point_triangle_features(points, features, edges, triangles, pairs, positions, reach, features_out):
    for pair in prange(len(pairs)):
        point, triangle = pairs[pair, 0], pairs[pair, 1]
        first, second, third = triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
        corners = point, first, second, third
        a, b, c = point_triangle_weights(
            row3(positions, point), row3(positions, first), row3(positions, second), row3(positions, third)
        )
        if is_near(points, positions, corners, (1.0, -a, -b, -c), reach):
            kind, feature = part_of_triangle(features.triangle_edges, triangle, corners, (a, b, c))
            _put(points, positions, edges, kind, point, feature, features_out, pair)
        else:
            features_out[pair, 0] = FAR


@compiled
def _put(points, positions, edges, kind, first, second, features_out, pair):
    """Write a pair of features in the one way that there is for it; FAR if no force could move any of its points."""
    if kind == POINT_EDGE:
        # Rounding, or an edge without length, may put the nearest point at an end after all.
        start, end = edges[second, 0], edges[second, 1]
        weight = point_edge_weight(row3(positions, first), row3(positions, start), row3(positions, end))
        if weight == 0.0 or weight == 1.0:
            kind, second = POINT_POINT, start if weight == 0.0 else end
        elif points.is_given[first] and points.is_given[start] and points.is_given[end]:
            kind = FAR
    if kind == POINT_POINT:
        first, second = min(first, second), max(first, second)
        if points.is_given[first] and points.is_given[second]:
            kind = FAR
    features_out[pair, 0], features_out[pair, 1], features_out[pair, 2] = kind, first, second


@compiled
def part_of_triangle(triangle_edges, triangle, corners, weights):
    """Kind of the contact of a point with it, and the number of the triangle, side or corner of these weights."""
    kind, feature = POINT_TRIANGLE, int32(triangle)
    for place in range(3):
        if weights[place] == 0.0:  # the side from the next corner to the one after
            kind, feature = POINT_EDGE, triangle_edges[triangle, (place + 1) % 3]
    for place in range(3):
        if weights[place] == 1.0:
            kind, feature = POINT_POINT, corners[1 + place]
    return kind, feature


@kernel((POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64, int32[:, ::1]), parallel=True)
def edge_edge_features(points, edges, pairs, positions, reach, features_out):
    for pair in prange(len(pairs)):
        own, other = pairs[pair, 0], pairs[pair, 1]
        corners = edges[own, 0], edges[own, 1], edges[other, 0], edges[other, 1]
        s, t = edge_edge_weights(
            *(row3(positions, corners[0]), row3(positions, corners[1])),
            *(row3(positions, corners[2]), row3(positions, corners[3])),
        )
        weights = 1.0 - s, s, t - 1.0, -t
        if is_near(points, positions, corners, weights, reach):
            kind, first, second = parts_of_edges(own, other, corners, s, t)
            _put(points, positions, edges, kind, first, second, features_out, pair)
        else:
            features_out[pair, 0] = FAR


@compiled
def parts_of_edges(own, other, corners, s, t):
    """Kind, and the numbers of two edges, or of an end and what it is nearest to."""
    own_end = corners[0] if s == 0.0 else corners[1]
    other_end = corners[2] if t == 0.0 else corners[3]
    is_own_end, is_other_end = s == 0.0 or s == 1.0, t == 0.0 or t == 1.0
    if is_own_end and is_other_end:
        return POINT_POINT, own_end, other_end
    if is_own_end:
        return POINT_EDGE, own_end, other
    if is_other_end:
        return POINT_EDGE, other_end, own
    return EDGE_EDGE, own, other


@compiled
def is_near(points, positions, corners, weights, reach):
    """Whether a pair is nearer than its separation and the reach."""
    offset = weighted_offset(positions, corners, weights)
    limit = separation(points, corners, weights) + reach
    return dot3(offset, offset) < limit * limit


@compiled
def separation(points, corners, weights):
    """The sum of the radii of both sides [m]; where an object meets itself, of those that its neighbours leave."""
    radii = points.radii
    if points.objects[corners[0]] == points.objects[corners[_first_of_other_side(weights)]]:
        radii = points.self_radii
    total = 0.0
    for place in range(4):
        total += abs(weights[place]) * radii[corners[place]]
    return total


@compiled
def _first_of_other_side(weights):
    """A corner with a negative weight."""
    place = 3
    for corner in range(3):
        if weights[2 - corner] < 0.0:
            place = 2 - corner
    return place
