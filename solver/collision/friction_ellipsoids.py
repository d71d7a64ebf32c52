"""Ellipsoids of friction where objects of a scene touch: patches that resist spinning, directions that turn along.

docs/theory/proximal.md, 10 to 13.
"""

import numpy as np

from ..contact.contact_ellipsoids import NO_ELLIPSOIDS, ContactEllipsoids, any_tangents
from ..contact_settings import SolidContactSettings
from ..motion import positions_at
from ..scene import Collider, Scene
from .proximity import SurfaceContacts
from .surface import CollisionSurface
from .touched_triangles import TouchedSide, carried, largest_triangles, touched_sides, turning

LEAST_RATIO = 1e-9  # of friction across to that along: as good as none, and has a logarithm
PARALLEL = 1e-12  # square of what the tangent plane has of a direction, below which it is that of the normal


class FrictionEllipsoids:
    """What the objects of a scene have of them, and the triangles that carry it."""

    def __init__(self, scene: Scene, surface: CollisionSurface):
        items = list(scene.objects.values())
        self.surface = surface
        self.patches, self.strengths = np.zeros(len(items)), np.zeros(len(items))  # ρ [m], and ln of the ratio
        self.directions = np.zeros((len(items), 3))
        self.is_solid = np.array([isinstance(item, SolidContactSettings) for item in items], bool)
        self.is_given = np.array([isinstance(item, Collider) for item in items], bool)
        for number, item in enumerate(items):
            if isinstance(item, SolidContactSettings):
                self.patches[number] = item.spin_friction
                self.strengths[number] = np.log(max(item.friction_ratio, LEAST_RATIO))
                self.directions[number] = item.start_direction
        self.are_used = bool(self.patches.any() or self.strengths.any())
        if self.are_used:
            self.rest = np.concatenate([positions_at(item.positions, 0.0) for item in items])
            self.largest = largest_triangles(surface, self.rest)

    def of_contacts(
        self,
        contacts: SurfaceContacts,
        friction: np.ndarray,
        starts: np.ndarray,
        velocities: np.ndarray,
        time_step: float,
    ) -> ContactEllipsoids:
        """For contacts with coefficients of friction (m,), in a step in which points start so (p, 3) [m].

        Velocities (p, 3) [m/s] are those of the step; only the colliders' are looked at.
        """
        if not self.are_used or not len(friction):
            return NO_ELLIPSOIDS
        sides = touched_sides(self.surface, self.largest, contacts)
        tangents, logarithms = self._axes(contacts.normals, sides, starts)
        along_and_across = friction[:, None] * np.exp(logarithms)
        radii = self._radii(sides)
        return ContactEllipsoids(
            tangents,
            axes=np.column_stack([along_and_across, radii * along_and_across.mean(axis=1)]),
            turning=np.where(radii > 0.0, self._turning(contacts.normals, sides, starts, velocities, time_step), 0.0),
        )

    def _radii(self, sides):
        """Of the patches (m,) [m]: the larger of both; none where something soft is touched."""
        first, second = (side.objects for side in sides)
        both = self.is_solid[first] & self.is_solid[second]
        return np.where(both, np.maximum(self.patches[first], self.patches[second]), 0.0)

    def _axes(self, normals, sides, starts):
        """Tangents (m, 3) of the ellipses, and logarithms (m, 2) of the ratios along and across them: equation 12.

        A ratio is a symmetric matrix in the tangent plane: its mean and its deviator, which turns by twice the angle.
        """
        first = any_tangents(normals)
        if not self.strengths.any():
            return first, np.zeros((len(normals), 2))
        plane = np.stack([first, np.cross(normals, first)], axis=1)
        strengths, x, y = np.stack([self._in_plane(side, plane, starts) for side in sides], axis=1)
        weights, total = np.abs(strengths), np.abs(strengths).sum(axis=0)
        parts = 0.5 * strengths * np.divide(weights, total, out=np.zeros_like(weights), where=total > 0.0)
        means = parts.sum(axis=0)
        deviators = -np.stack([parts * (x * x - y * y), parts * 2.0 * x * y], axis=-1).sum(axis=0)
        angles, sizes = 0.5 * np.arctan2(deviators[:, 1], deviators[:, 0]), np.linalg.norm(deviators, axis=1)
        tangents = np.cos(angles)[:, None] * plane[:, 0] + np.sin(angles)[:, None] * plane[:, 1]
        return tangents, np.column_stack([means + sizes, means - sizes])

    def _in_plane(self, side: TouchedSide, plane, starts):
        """ln of the ratios, and two parts of the directions' images in the plane (3, m); none along normals."""
        directions = carried(self.directions[side.objects], self.rest[side.corners], starts[side.corners])
        lengths = np.linalg.norm(directions, axis=1)
        directions = np.divide(directions, lengths[:, None], out=directions, where=lengths[:, None] > 0.0)
        x, y = np.einsum("mai,mi->am", plane, directions)
        squares = x * x + y * y
        is_seen = squares > PARALLEL
        by = np.divide(1.0, np.sqrt(squares), out=np.zeros_like(squares), where=is_seen)
        return np.stack([np.where(is_seen, self.strengths[side.objects], 0.0), by * x, by * y])

    def _turning(self, normals, sides, starts, velocities, time_step):
        """Of colliders that move, of A against B along the normals (m,) [rad/s]."""
        total = np.zeros(len(normals))
        for side in sides:
            rows = np.flatnonzero(self.is_given[side.objects] & velocities[side.corners].any(axis=(1, 2)))
            corners = side.corners[rows]
            rates = turning(starts[corners], velocities[corners], time_step)
            total[rows] += side.sign * np.einsum("mi,mi->m", rates, normals[rows])
        return total
