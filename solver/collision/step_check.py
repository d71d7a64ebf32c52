"""The continuous check of a step: which candidates would meet on the way from its start to its end, and when.

This is the safety net below all contact methods: what does not hit here has not crossed, whatever else was left out.
Pairs that touch exactly at the start have no side to stay on; they are contacts of `touching` and are not asked here.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import float32, float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import dot3, row3, sub3
from .candidates import StepCandidates
from .continuous import NEVER, TOUCHES, edge_edge_time, point_triangle_time
from .hit_contacts import contacts_of_hits
from .proximity import SurfaceContacts
from .surface import POINTS, CollisionSurface

# Of its starting distance, what a pair must keep. Less would let pairs come so near in one step that the next has no
# digits left to tell their sides; more would take harmless approaches for hits. A pair that nears at full speed is
# held at a fifth, and needs ten steps of that to come from a hair's radius to 10 pm.
SHARE = 0.2
UNKNOWN = -1.0  # clearance of a pair that was not looked at yet
TOO_MANY = 0.2  # of the pairs had to be looked at again: clearances for where the ends are now serve better
NO_CLEARANCES = np.empty(0, np.float32)
ROUNDING = 1e-6  # of a clearance: more than single precision loses


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


class StepCheck:
    """Checks ends of one step again and again, as a solution comes nearer.

    Each look at a pair tells how far it stays clear of a contact on its way. Until its ends have moved by more than
    that it is not looked at again, and that is most pairs.
    """

    def __init__(self, surface: CollisionSurface, candidates: StepCandidates, starts: np.ndarray):
        """Points start at `starts` (p, 3) [m]. Candidates may be added between checks."""
        self.surface, self.candidates, self.starts = surface, candidates, starts
        self.base_ends = starts  # that clearances belong to
        self.must_look_at_all = True  # in the next check
        self.edge_clearances, self.point_triangle_clearances = NO_CLEARANCES, NO_CLEARANCES

    def forget(self) -> None:
        """Candidates are others than before, or have changed their places."""
        self.edge_clearances = self.point_triangle_clearances = NO_CLEARANCES

    def first_contacts(self, ends: np.ndarray, thickness: float = 1.0) -> FirstContacts:
        """Candidates that come nearer than they may as points move to ends (p, 3) [m].

        That is nearer than a share of the thickness, the smallest radii of both, or than a share of their starting
        distance if that is less.
        """
        surface = self.surface
        is_anew = self.must_look_at_all
        if is_anew:
            self.forget()
            self.base_ends = ends.copy()
        moved = np.empty(len(ends), np.float32)
        put_moved(self.base_ends, ends, moved)
        edge_pairs, point_triangle_pairs = self.candidates.edge_pairs, self.candidates.point_triangle_pairs
        self.edge_clearances = _extended(self.edge_clearances, len(edge_pairs))
        self.point_triangle_clearances = _extended(self.point_triangle_clearances, len(point_triangle_pairs))
        edge_times, point_triangle_times = np.empty(len(edge_pairs)), np.empty(len(point_triangle_pairs))
        looked_at = edge_contact_times(
            *(surface.points, surface.edges, edge_pairs, self.starts, ends),
            *(_largest(moved, surface.edges), thickness, self.edge_clearances, edge_times),
        )
        looked_at += point_triangle_contact_times(
            *(surface.points, surface.triangles, point_triangle_pairs, self.starts, ends, moved),
            *(_largest(moved, surface.triangles), thickness, self.point_triangle_clearances, point_triangle_times),
        )
        self.must_look_at_all = not is_anew and looked_at > TOO_MANY * (len(edge_pairs) + len(point_triangle_pairs))
        return self._described(ends, edge_times, point_triangle_times)

    def _described(self, ends, edge_times, point_triangle_times):
        edge_hits, point_hits = _hits(edge_times), _hits(point_triangle_times)
        edge_pairs, edge_times = self.candidates.edge_pairs[edge_hits], edge_times[edge_hits]
        point_triangle_pairs = self.candidates.point_triangle_pairs[point_hits]
        point_triangle_times = point_triangle_times[point_hits]
        all_times = np.concatenate([point_triangle_times, edge_times])
        contacts, times = contacts_of_hits(
            *(self.surface, point_triangle_pairs, edge_pairs, all_times, self.starts, ends)
        )
        return FirstContacts(edge_pairs, edge_times, point_triangle_pairs, point_triangle_times, contacts, times)


def _extended(clearances, count):
    return np.concatenate([clearances, np.full(count - len(clearances), UNKNOWN, np.float32)])


def _largest(moved, corners):
    largest = np.empty(len(corners), np.float32)
    put_largest(moved, corners, largest)
    return largest


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
def _box_gap(starts, ends, first_count):
    """How far apart an axis keeps the boxes that two primitives sweep; most candidates cost no more than this.

    As seen from a place that moves along with the four corners: what falls together does not sweep much.
    """
    best = -np.inf
    for axis in range(3):
        shift = 0.0
        for place in range(4):
            shift += 0.25 * (ends[place][axis] - starts[place][axis])
        low, high = np.inf, -np.inf
        other_low, other_high = np.inf, -np.inf
        for place in range(4):
            start, end = starts[place][axis], ends[place][axis] - shift
            if place < first_count:
                low, high = min(low, start, end), max(high, start, end)
            else:
                other_low, other_high = min(other_low, start, end), max(other_high, start, end)
        best = max(best, low - other_high, other_low - high)
    return best


@kernel((float64[:, ::1], float64[:, ::1], float32[::1]), parallel=True)
def put_moved(before, ends, moved_out):
    for point in prange(len(ends)):
        change = sub3(row3(ends, point), row3(before, point))
        moved_out[point] = (1.0 + ROUNDING) * math.sqrt(dot3(change, change))


@kernel((float32[::1], int32[:, ::1], float32[::1]), parallel=True)
def put_largest(moved, corners, largest_out):
    for primitive in prange(len(corners)):
        largest = moved[corners[primitive, 0]]
        for corner in range(1, corners.shape[1]):
            largest = max(largest, moved[corners[primitive, corner]])
        largest_out[primitive] = largest


@kernel(
    (
        *(POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1]),
        *(float32[::1], float64, float32[::1], float64[::1]),
    ),
    parallel=True,
)
def edge_contact_times(points, edges, pairs, starts, ends, moved, thickness, clearances_out, times_out):
    """Returns how many pairs were looked at."""
    looked_at = 0
    for pair in prange(len(pairs)):
        own, other = pairs[pair, 0], pairs[pair, 1]
        moved_by = moved[own] + moved[other]
        times_out[pair] = NEVER
        if clearances_out[pair] <= moved_by:
            looked_at += 1
            corners = edges[own, 0], edges[own, 1], edges[other, 0], edges[other, 1]
            before, after = _rows(starts, corners), _rows(ends, corners)
            separation = _separation(points, corners, 2)
            wanted = thickness * separation
            clearance = _box_gap(before, after, 2) - wanted
            if clearance <= 0.0:
                times_out[pair], clearance = edge_edge_time(before, after, wanted, SHARE)
            clearance = (1.0 - ROUNDING) * (clearance + wanted - separation) - moved_by
            clearances_out[pair] = max(clearances_out[pair], clearance)
    return looked_at


@kernel(
    (
        *(POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1]),
        *(float32[::1], float32[::1], float64, float32[::1], float64[::1]),
    ),
    parallel=True,
)
def point_triangle_contact_times(
    points, triangles, pairs, starts, ends, moved_points, moved_triangles, thickness, clearances_out, times_out
):
    """Returns how many pairs were looked at."""
    looked_at = 0
    for pair in prange(len(pairs)):
        point, triangle = pairs[pair, 0], pairs[pair, 1]
        moved_by = moved_points[point] + moved_triangles[triangle]
        times_out[pair] = NEVER
        if clearances_out[pair] <= moved_by:
            looked_at += 1
            corners = point, triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
            before, after = _rows(starts, corners), _rows(ends, corners)
            separation = _separation(points, corners, 1)
            wanted = thickness * separation
            clearance = _box_gap(before, after, 1) - wanted
            if clearance <= 0.0:
                times_out[pair], clearance = point_triangle_time(before, after, wanted, SHARE)
            clearance = (1.0 - ROUNDING) * (clearance + wanted - separation) - moved_by
            clearances_out[pair] = max(clearances_out[pair], clearance)
    return looked_at
