"""What crosses already, at the start or because the animation forced it, is let go until it has come apart.

Contacts would hold each side where it is, on the wrong side, for ever; or push it out at any speed.
"""

import numpy as np

from ..collision.candidates import StepCandidates
from ..collision.surface import CollisionSurface


class Tangles:
    """The points of a surface that are in tangles."""

    def __init__(self, surface: CollisionSurface):
        self.surface = surface
        self.is_tangled = np.zeros(len(surface.points.radii), bool)
        self.count = 0  # of edges through triangles
        self.is_due = True  # for a look: nothing becomes tangled by itself

    def find(self, positions: np.ndarray) -> None:
        """At points' positions (p, 3) [m]."""
        from ..collision.intersections import find_crossings  # compiled when it is asked for

        crossings = find_crossings(self.surface, positions)
        counts = crossings.collides & ~crossings.is_touching
        edges, triangles = crossings.edges[counts], crossings.triangles[counts]
        self.is_tangled[:] = False
        self.is_tangled[self.surface.edges[edges]] = True
        self.is_tangled[self.surface.triangles[triangles]] = True
        self.count = len(edges)
        self.is_due = self.count > 0

    def release(self, candidates: StepCandidates) -> None:
        """Forget pairs of which both sides are in a tangle."""
        if not self.count:
            return
        edges = self.is_tangled[self.surface.edges].any(axis=1)
        triangles = self.is_tangled[self.surface.triangles].any(axis=1)
        pairs = candidates.edge_pairs
        candidates.edge_pairs = np.ascontiguousarray(pairs[~edges[pairs].all(axis=1)])
        pairs = candidates.point_triangle_pairs
        both = self.is_tangled[pairs[:, 0]] & triangles[pairs[:, 1]]
        candidates.point_triangle_pairs = np.ascontiguousarray(pairs[~both])
