"""The continuous check of a step: which candidates would meet on the way from its start to its end, and when.

This is the safety net below all contact methods: what does not hit here has not crossed, whatever else was left out.
Pairs that touch exactly at the start have no side to stay on; they are contacts of `touching` and are not asked here.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import row3
from .candidates import StepCandidates
from .continuous import NEVER, TOUCHES, edge_edge_time, point_triangle_time
from .hit_contacts import contacts_of_hits
from .proximity import SurfaceContacts
from .surface import POINTS, CollisionSurface

# Of its starting distance, what a pair must keep. Less would let pairs come so near in one step that the next has no
# digits left to tell their sides; more would take harmless approaches for hits. A pair that nears at full speed is
# held at a fifth, and needs ten steps of that to come from a hair's radius to 10 pm.
SHARE = 0.2


class FirstContacts(NamedTuple):
    """What would meet in a step, and the contacts that prevent it: each pair of features once, at its earliest.

    Where all points of a contact are given (the animation drives a root into a collider) no force can prevent it.
    """

    edge_pairs: np.ndarray  # (h, 2) int32
    edge_times: np.ndarray  # of contact, as shares of the step                       (h,)
    point_triangle_pairs: np.ndarray  # (i, 2) int32
    point_triangle_times: np.ndarray  # (i,)
    contacts: SurfaceContacts  # weights and normals at the hit, distances at the start along the normal
    contact_times: np.ndarray  # (m,)

    @property
    def earliest(self) -> float:
        """The first of all times; NEVER if nothing meets."""
        return float(min(self.edge_times.min(initial=NEVER), self.point_triangle_times.min(initial=NEVER)))


def first_contacts(
    surface: CollisionSurface, candidates: StepCandidates, starts: np.ndarray, ends: np.ndarray
) -> FirstContacts:
    """Candidates that come nearer than they may as points move from starts to ends (p, 3) [m].

    That is nearer than the smallest radii of both, or than a share of their starting distance if that is less.
    """
    points, edges, triangles = surface.points, surface.edges, surface.triangles
    edge_pairs, point_triangle_pairs = candidates.edge_pairs, candidates.point_triangle_pairs
    edge_times, point_triangle_times = np.empty(len(edge_pairs)), np.empty(len(point_triangle_pairs))
    edge_contact_times(points, edges, edge_pairs, starts, ends, edge_times)
    point_triangle_contact_times(points, triangles, point_triangle_pairs, starts, ends, point_triangle_times)
    edge_hits, point_hits = _hits(edge_times), _hits(point_triangle_times)
    edge_pairs, edge_times = edge_pairs[edge_hits], edge_times[edge_hits]
    point_triangle_pairs, point_triangle_times = point_triangle_pairs[point_hits], point_triangle_times[point_hits]
    all_times = np.concatenate([point_triangle_times, edge_times])
    contacts, times = contacts_of_hits(surface, point_triangle_pairs, edge_pairs, all_times, starts, ends)
    return FirstContacts(edge_pairs, edge_times, point_triangle_pairs, point_triangle_times, contacts, times)


def _hits(times):
    return np.flatnonzero((times > TOUCHES) & (times < NEVER))


@compiled
def _rows(positions, corners):
    return (
        *(row3(positions, corners[0]), row3(positions, corners[1])),
        *(row3(positions, corners[2]), row3(positions, corners[3])),
    )


@compiled
def _separation(points, corners, first_count):
    """The sum of the smallest radii of both sides: what the boxes of the candidates are sure to reach."""
    radii = points.radii
    if points.objects[corners[0]] == points.objects[corners[3]]:
        radii = points.self_radii
    own, other = np.inf, np.inf
    for place in range(4):
        if place < first_count:
            own = min(own, radii[corners[place]])
        else:
            other = min(other, radii[corners[place]])
    return own + other


@compiled
def _stay_apart(starts, ends, first_count, separation):
    """Whether an axis parts the boxes that two primitives sweep; most candidates cost no more than this."""
    for axis in range(3):
        low, high = np.inf, -np.inf
        other_low, other_high = np.inf, -np.inf
        for place in range(4):
            start, end = starts[place][axis], ends[place][axis]
            if place < first_count:
                low, high = min(low, start, end), max(high, start, end)
            else:
                other_low, other_high = min(other_low, start, end), max(other_high, start, end)
        if low - other_high > separation or other_low - high > separation:
            return True
    return False


@kernel((POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1]), parallel=True)
def edge_contact_times(points, edges, pairs, starts, ends, times_out):
    for pair in prange(len(pairs)):
        own, other = pairs[pair, 0], pairs[pair, 1]
        corners = edges[own, 0], edges[own, 1], edges[other, 0], edges[other, 1]
        before, after = _rows(starts, corners), _rows(ends, corners)
        wanted = _separation(points, corners, 2)
        times_out[pair] = NEVER
        if not _stay_apart(before, after, 2, wanted):
            times_out[pair] = edge_edge_time(before, after, wanted, SHARE)


@kernel((POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1]), parallel=True)
def point_triangle_contact_times(points, triangles, pairs, starts, ends, times_out):
    for pair in prange(len(pairs)):
        triangle = pairs[pair, 1]
        corners = pairs[pair, 0], triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
        before, after = _rows(starts, corners), _rows(ends, corners)
        wanted = _separation(points, corners, 1)
        times_out[pair] = NEVER
        if not _stay_apart(before, after, 1, wanted):
            times_out[pair] = point_triangle_time(before, after, wanted, SHARE)
