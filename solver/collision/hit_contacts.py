"""Contacts for pairs that would meet in a step: weights and normal at the hit, distance at the start."""

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import add3, dot3, row3, scale3
from .closest_points import between, edge_edge_weights, point_triangle_weights, weighted_offset
from .contact_features import (
    POINT_EDGE,
    POINT_POINT,
    first_of_each_feature,
    part_of_triangle,
    parts_of_edges,
    refuse_too_many,
    separation,
)
from .contact_frames import mean_friction
from .feature_normals import unit3
from .proximity import CONTACTS, SurfaceContacts, empty_contacts
from .surface import FEATURES, POINTS, CollisionSurface


def contacts_of_hits(
    surface: CollisionSurface,
    point_triangle_pairs: np.ndarray,
    edge_pairs: np.ndarray,
    times: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
) -> tuple[SurfaceContacts, np.ndarray]:
    """Contacts and their times (m,), each pair of features once, at its earliest.

    `times` (n,) are those of the points with triangles, then of the edges. Until a hit nothing has crossed, so that
    the normal there, from nearest point to nearest point, has the side of the start. Raises TooManyContacts.
    """
    refuse_too_many(surface, point_triangle_pairs, edge_pairs)
    contacts, features = empty_contacts(len(times)), np.empty((len(times), 3), np.int32)
    describe_hits(
        *(surface.points, surface.features, surface.edges, surface.triangles),
        *(point_triangle_pairs, edge_pairs, times, starts, ends, contacts, features),
    )
    order = np.argsort(times, kind="stable")
    kept = np.sort(order[first_of_each_feature(features[order])])
    return contacts.kept(kept), times[kept]


@kernel(
    (
        *(POINTS, FEATURES, int32[:, ::1], int32[:, ::1], int32[:, ::1], int32[:, ::1]),
        *(float64[::1], float64[:, ::1], float64[:, ::1], CONTACTS, int32[:, ::1]),
    ),
    parallel=True,
)
def describe_hits(
    points, features, edges, triangles, triangle_pairs, edge_pairs, times, starts, ends, contacts_out, features_out
):
    kinds, corners_out, weights_out, normals = (
        *(contacts_out.kinds, contacts_out.points),
        *(contacts_out.weights, contacts_out.normals),
    )
    distances, separations, friction = contacts_out.distances, contacts_out.separations, contacts_out.friction
    for hit in prange(len(times)):
        if hit < len(triangle_pairs):
            first, triangle = triangle_pairs[hit, 0], triangle_pairs[hit, 1]
            corners = first, triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
            at = _moments(starts, ends, corners, times[hit])
            a, b, c = point_triangle_weights(at[0], at[1], at[2], at[3])
            weights = 1.0, -a, -b, -c
            kind, second = part_of_triangle(features.triangle_edges, triangle, corners, (a, b, c))
        else:
            own, other = edge_pairs[hit - len(triangle_pairs), 0], edge_pairs[hit - len(triangle_pairs), 1]
            corners = edges[own, 0], edges[own, 1], edges[other, 0], edges[other, 1]
            at = _moments(starts, ends, corners, times[hit])
            s, t = edge_edge_weights(at[0], at[1], at[2], at[3])
            weights = 1.0 - s, s, t - 1.0, -t
            kind, first, second = parts_of_edges(own, other, corners, s, t)
        normal = _normal(starts, corners, at, weights)
        features_out[hit, 0], features_out[hit, 1], features_out[hit, 2] = kind, first, second
        kinds[hit] = kind
        distances[hit] = dot3(normal, weighted_offset(starts, corners, weights))
        separations[hit] = separation(points, corners, weights)
        friction[hit] = mean_friction(points, corners, weights)
        sign = _sign(kind, corners, weights)
        _put_sides(corners, weights, sign, corners_out, weights_out, hit)
        for axis in range(3):
            normals[hit, axis] = sign * normal[axis]


@compiled
def _sign(kind, corners, weights):
    """−1 where sides must change for a contact to be written as `touching` does: A is the point, or the lower point."""
    positive, negative, own, other = 0, 0, 0, 0
    for place in range(4):
        if weights[place] > 0.0:
            positive, own = positive + 1, corners[place]
        elif weights[place] < 0.0:
            negative, other = negative + 1, corners[place]
    is_turned = (kind == POINT_EDGE and positive > negative) or (kind == POINT_POINT and own > other)
    return -1.0 if is_turned else 1.0


@compiled
def _put_sides(corners, weights, sign, corners_out, weights_out, hit):
    """The points of A, then those of B; what is not used repeats the first."""
    used = 0
    for side in (1.0, -1.0):
        for place in range(4):
            if side * sign * weights[place] > 0.0:
                corners_out[hit, used], weights_out[hit, used] = corners[place], sign * weights[place]
                used += 1
    for place in range(used, 4):
        corners_out[hit, place], weights_out[hit, place] = corners_out[hit, 0], 0.0


@compiled
def _moments(starts, ends, corners, time):
    """Where four points are at a time."""
    return (
        between(row3(starts, corners[0]), row3(ends, corners[0]), time),
        between(row3(starts, corners[1]), row3(ends, corners[1]), time),
        between(row3(starts, corners[2]), row3(ends, corners[2]), time),
        between(row3(starts, corners[3]), row3(ends, corners[3]), time),
    )


@compiled
def _normal(starts, corners, at, weights):
    """From B to A at the hit; at the start, should they touch by rounding; any, should they do so there too."""
    offset = 0.0, 0.0, 0.0
    for place in range(4):
        offset = add3(offset, scale3(weights[place], at[place]))
    normal = unit3(offset)
    if dot3(normal, normal) == 0.0:
        normal = unit3(weighted_offset(starts, corners, weights))
    return normal if dot3(normal, normal) > 0.0 else (0.0, 0.0, 1.0)
