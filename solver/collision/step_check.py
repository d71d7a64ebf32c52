"""The continuous check of a step: which candidates would meet on the way from its start to its end, and when.

This is the safety net below all contact methods: what does not hit here has not crossed, whatever else was left out.
Pairs that touch exactly at the start have no side to stay on; they are contacts of `touching` and are not asked here.
"""

from typing import NamedTuple

import numpy as np

from .candidates import StepCandidates
from .continuous import NEVER
from .hit_contacts import contacts_of_hits
from .pair_times import SeenPairs, add_largest, edge_contact_times, new_paths, point_triangle_contact_times, put_moved
from .proximity import SurfaceContacts
from .surface import CollisionSurface


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
    that it is not looked at again, and that is most pairs. How far ends have moved is summed up from check to check.
    What meets, or nearly does, is looked at again when its ends have moved at all.
    """

    def __init__(self, surface: CollisionSurface, candidates: StepCandidates, starts: np.ndarray):
        """Points start at `starts` (p, 3) [m]. Candidates may be added between checks."""
        self.surface, self.candidates, self.starts = surface, candidates, starts
        self.last_ends, self.last_thickness = starts.copy(), 1.0
        self.largest_separation = 2.0 * float(surface.points.radii.max(initial=0.0))
        self.corners = np.arange(len(starts), dtype=np.int32)[:, None], surface.edges, surface.triangles
        self.paths = [new_paths(len(corners)) for corners in self.corners]
        self.forget()

    def forget(self) -> None:
        """Candidates are others than before, or have changed their places."""
        self.edges_seen, self.points_seen = SeenPairs(), SeenPairs()

    def first_contacts(self, ends: np.ndarray, thickness: float = 1.0) -> FirstContacts:
        """Candidates that come nearer than they may as points move to ends (p, 3) [m].

        That is nearer than a share of the thickness, the smallest radii of both, or than a share of their starting
        distance if that is less.
        """
        surface = self.surface
        self._follow(ends)
        point_paths, edge_paths, triangle_paths = self.paths
        edge_pairs, point_triangle_pairs = self.candidates.edge_pairs, self.candidates.point_triangle_pairs
        self._want(thickness)
        self.edges_seen.extend(len(edge_pairs))
        self.points_seen.extend(len(point_triangle_pairs))
        edge_contact_times(
            *(surface.points, surface.edges, edge_pairs, self.starts, ends),
            *(edge_paths, thickness, *self.edges_seen.arrays),
        )
        point_triangle_contact_times(
            *(surface.points, surface.triangles, point_triangle_pairs, self.starts, ends),
            *(point_paths, triangle_paths, thickness, *self.points_seen.arrays),
        )
        return self._described(ends)

    def _follow(self, ends):
        """Add what ends have moved since the last check to their paths."""
        moved = np.empty(len(ends), np.float32)
        put_moved(self.last_ends, ends, moved)
        self.last_ends[:] = ends
        for corners, paths in zip(self.corners, self.paths):
            add_largest(moved, corners, *paths)

    def _want(self, thickness):
        """What was clear of less may not be clear of more; what was clear of more is clear of less."""
        if thickness > self.last_thickness:
            for seen in (self.edges_seen, self.points_seen):
                seen.want_more((thickness - self.last_thickness) * self.largest_separation)
        if thickness != self.last_thickness:
            for paths in self.paths:
                paths.has_moved[:] = 1  # times are those of another thickness
        self.last_thickness = thickness

    def _described(self, ends):
        edge_hits, point_hits = self.edges_seen.hits(), self.points_seen.hits()
        edge_pairs, edge_times = self.candidates.edge_pairs[edge_hits], self.edges_seen.times[edge_hits]
        point_triangle_pairs = self.candidates.point_triangle_pairs[point_hits]
        point_triangle_times = self.points_seen.times[point_hits]
        all_times = np.concatenate([point_triangle_times, edge_times])
        contacts, times = contacts_of_hits(
            *(self.surface, point_triangle_pairs, edge_pairs, all_times, self.starts, ends)
        )
        return FirstContacts(edge_pairs, edge_times, point_triangle_pairs, point_triangle_times, contacts, times)
