"""Contacts of a state: everything that is nearer than its thickness, and what is about to be.

A contact stands for a pair of features at a smallest distance [docs/theory/collision.md, equations (2) to (6)]. What
the normal cones leave out here (a neighbour is nearer, but may not meet the other side, say) the continuous check of
the step still finds when it is about to cross.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int8, int32, prange

from ..jit_cache import kernel, tuple_of
from ..linear_algebra.vector3 import scale3
from .candidates import StepCandidates
from .contact_features import EDGE_EDGE, MOST_CONTACTS, near_features, separation
from .contact_frames import contact_corners, contact_normal, is_smallest_distance, mean_friction, place_of_other_side
from .surface import FEATURES, POINTS, CollisionSurface


class SurfaceContacts(NamedTuple):
    """Contacts between points of a surface; side A has the positive weights, side B the negative."""

    kinds: np.ndarray  # POINT_TRIANGLE, EDGE_EDGE, POINT_EDGE or POINT_POINT         (m,) int8
    points: np.ndarray  # that are touched; what is not used repeats the first        (m, 4) int32
    weights: np.ndarray  # of the points; those of A sum to 1, those of B to −1       (m, 4)
    normals: np.ndarray  # of length one, from B to A                                 (m, 3)
    distances: np.ndarray  # negative where one is inside the other                   (m,) [m]
    separations: np.ndarray  # the distance at which they touch: both radii           (m,) [m]
    friction: np.ndarray  # geometric mean of both sides                              (m,)

    def kept(self, is_kept: np.ndarray) -> "SurfaceContacts":
        """Those where a mask (m,) is True, or of these numbers."""
        return SurfaceContacts(*(field[is_kept] for field in self))


CONTACTS = tuple_of(
    *(SurfaceContacts, int8[::1], int32[:, ::1], float64[:, ::1], float64[:, ::1]),
    *(float64[::1], float64[::1], float64[::1]),
)


def empty_contacts(count: int) -> SurfaceContacts:
    """Room for some contacts."""
    return SurfaceContacts(
        kinds=np.empty(count, np.int8),
        points=np.empty((count, 4), np.int32),
        weights=np.empty((count, 4)),
        normals=np.empty((count, 3)),
        distances=np.empty(count),
        separations=np.empty(count),
        friction=np.empty(count),
    )


def touching(
    surface: CollisionSurface,
    candidates: StepCandidates,
    positions: np.ndarray,
    reach: float,
    step_starts: np.ndarray | None = None,
    most: int = MOST_CONTACTS,
) -> SurfaceContacts:
    """Contacts among the candidates at positions (p, 3) [m]: what is nearer than its separation and a reach [m].

    The reach may be two margins of the candidates at most. `step_starts` (p, 3) say on which side those are that
    touch exactly; where they are missing, so does nothing. Raises TooManyContacts.
    """
    features = near_features(surface, candidates.edge_pairs, candidates.point_triangle_pairs, positions, reach, most)
    contacts = empty_contacts(len(features))
    is_kept = np.empty(len(features), np.bool_)
    starts = positions if step_starts is None else step_starts
    describe_contacts(
        *(surface.points, surface.features, surface.edges, surface.triangles, surface.has_inside),
        *(features, positions, starts, contacts, is_kept),
    )
    return contacts.kept(is_kept)


@kernel(
    (
        *(POINTS, FEATURES, int32[:, ::1], int32[:, ::1], boolean[::1], int32[:, ::1]),
        *(float64[:, ::1], float64[:, ::1], CONTACTS, boolean[::1]),
    ),
    parallel=True,
)
def describe_contacts(
    points, features, edges, triangles, has_inside, pairs, positions, starts, contacts_out, is_kept_out
):
    kinds, corners_out, weights_out, normals = (
        *(contacts_out.kinds, contacts_out.points),
        *(contacts_out.weights, contacts_out.normals),
    )
    distances, separations, friction = contacts_out.distances, contacts_out.separations, contacts_out.friction
    for pair in prange(len(pairs)):
        kind, first, second = pairs[pair, 0], pairs[pair, 1], pairs[pair, 2]
        corners, weights = contact_corners(positions, edges, triangles, kind, first, second)
        offset, normal, distance, is_within = contact_normal(
            *(points, features, edges, triangles, has_inside, kind, first, second),
            *(corners, weights, positions, starts),
        )
        # What is inside another object has neighbours outside, which are nearer to its surface or cross it.
        is_inside = distance < 0.0
        if is_inside and kind == EDGE_EDGE:
            offset = scale3(-1.0, offset)  # the way out must lie in both cones: then they are outermost on that way
        tests_first = distance > 0.0 or (is_inside and has_inside[points.objects[corners[0]]])
        tests_second = distance > 0.0 or (is_inside and has_inside[points.objects[corners[place_of_other_side(kind)]]])
        is_kept_out[pair] = not is_within and is_smallest_distance(
            positions, edges, triangles, features, kind, first, second, offset, tests_first, tests_second
        )
        kinds[pair], distances[pair] = kind, distance
        separations[pair] = separation(points, corners, weights)
        friction[pair] = mean_friction(points, corners, weights)
        for place in range(4):
            corners_out[pair, place], weights_out[pair, place] = corners[place], weights[place]
        for axis in range(3):
            normals[pair, axis] = normal[axis]
