"""The triangles on both sides of contacts: how they turn in a step, and where they carry directions."""

from typing import NamedTuple

import numpy as np

from ..rigid.turning import inertias
from .contact_features import POINT_TRIANGLE
from .proximity import SurfaceContacts
from .surface import CollisionSurface


class TouchedSide(NamedTuple):
    """One side of some contacts."""

    sign: float  # 1 for side A, −1 for side B
    objects: np.ndarray  # that are touched                                   (m,) int32
    corners: np.ndarray  # points of the touched triangle                     (m, 3) int32


def touched_sides(
    surface: CollisionSurface, largest: np.ndarray, contacts: SurfaceContacts
) -> tuple[TouchedSide, TouchedSide]:
    """A, then B; a side that is a point or an edge has the largest triangle (p, 3) of its nearest point."""
    rows = np.arange(len(contacts.kinds))
    points = [contacts.points[rows, place(contacts.weights, axis=1)] for place in (np.argmax, np.argmin)]
    is_face = (contacts.kinds == POINT_TRIANGLE)[:, None]
    corners = largest[points[0]], np.where(is_face, contacts.points[:, 1:], largest[points[1]])
    first, second = (surface.points.objects[own] for own in points)
    return TouchedSide(1.0, first, corners[0]), TouchedSide(-1.0, second, corners[1])


def largest_triangles(surface: CollisionSurface, rest: np.ndarray) -> np.ndarray:
    """Corners (p, 3) int32 of the largest triangle at each point, with points at rest (p, 3) [m].

    A point without triangles stands for itself, three times.
    """
    corners = rest[surface.triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    largest = np.repeat(np.arange(len(rest), dtype=np.int32)[:, None], 3, axis=1)
    by_size = surface.triangles[np.argsort(areas, kind="stable")]
    largest[by_size.ravel()] = np.repeat(by_size, 3, axis=0)  # of those that are put at the same point the last stays
    return largest


def turning(starts: np.ndarray, velocities: np.ndarray, time_step: float) -> np.ndarray:
    """Cayley's vectors (m, 3) [rad/s] of triangles whose corners (m, 3, 3) [m] move so in a step (m, 3, 3) [m/s].

    As those of rigid bodies: w̃ × r̄ is the velocity of the way, with arms r̄ in the middle of it. What is no triangle
    but a line does not turn about itself.
    """
    means = starts + 0.5 * time_step * velocities
    arms = means - means.mean(axis=1, keepdims=True)
    moments = np.cross(arms, velocities).sum(axis=1)
    inverses = np.linalg.pinv(inertias(arms, np.ones(arms.shape[:2])), hermitian=True)
    return np.einsum("mij,mj->mi", inverses, moments)


def carried(directions: np.ndarray, rest: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Directions (m, 3) of triangles at rest (m, 3, 3) [m], where their corners are now (m, 3, 3) [m]; lengths change.

    They keep their shares along two edges and the normal.
    """
    shares = np.einsum("mij,mj->mi", np.linalg.pinv(_edges_and_normals(rest)), directions)
    return np.einsum("mij,mj->mi", _edges_and_normals(corners), shares)


def _edges_and_normals(corners):
    """Columns (m, 3, 3): two edges, and the normal of length one; zero where there is none."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(first, second)
    lengths = np.linalg.norm(normals, axis=1)[:, None]
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    return np.stack([first, second, normals], axis=2)
