"""Ends of strands that ride on a deforming surface, in position and direction."""

import numpy as np

from .nearest_triangles import nearest_triangles


class RootBinding:
    """Ties the end segments of strands to the triangles nearest to them when the binding is made.

    A segment keeps its place within its triangle, its distance from it, its length and its direction
    seen from the triangle: it turns with it, but is not stretched by it.
    """

    def __init__(self, segments: np.ndarray, positions: np.ndarray, triangles: np.ndarray):
        """Segments (e, 2, 3), the end itself first; the surface's positions (n, 3); all in metres."""
        place = nearest_triangles(segments[:, 0], positions, triangles)
        self.triangles = triangles[place.triangles]  # (e, 3)
        self.weights = place.weights  # (e, 3)
        corners = positions[self.triangles]
        self.rest_shape = _flat_shape(corners)
        offsets = segments - self._feet(corners)[:, None]
        self.local_offsets = offsets @ _frames(corners)  # (e, 2, 3)
        along = np.abs(self.local_offsets[:, 1] - self.local_offsets[:, 0])
        self.axes = along[:, :2].argmin(axis=1)  # axis in the triangle's plane that lies rather across the segment

    def segments(self, positions: np.ndarray) -> np.ndarray:
        """The segments (e, 2, 3) on the deformed surface; not finite where its triangle has collapsed."""
        corners = positions[self.triangles]
        return self._feet(corners)[:, None] + self.local_offsets @ self._turned_frames(corners).transpose(0, 2, 1)

    def directors(self, positions: np.ndarray) -> np.ndarray:
        """For each segment a unit vector (e, 3) that turns with the surface and does not lie along the segment."""
        frames = self._turned_frames(positions[self.triangles])
        return frames[np.arange(len(frames)), :, self.axes]

    def _turned_frames(self, corners):
        with np.errstate(divide="ignore", invalid="ignore"):
            return _turned(_frames(corners), self._turns(corners))

    def _feet(self, corners):
        return np.einsum("ec,ecx->ex", self.weights, corners)

    def _turns(self, corners):
        """Rotation [rad] within the plane beyond that of the first edge: the polar part of the deformation.

        The first edge alone would turn the hair with every shear, by which corner the edge starts at.
        """
        length, along, height = _flat_shape(corners)
        rest_length, rest_along, rest_height = self.rest_shape
        stretch = length / rest_length
        return np.arctan2((stretch * rest_along - along) / rest_height, stretch + height / rest_height)


def _frames(corners):
    """Axes of triangles (e, 3, 3) as columns: along the first edge, across it, normal."""
    edge, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    tangent = _normalised(edge)
    normal = _normalised(np.cross(edge, other))
    return np.stack([tangent, np.cross(normal, tangent), normal], axis=2)


def _flat_shape(corners):
    """A triangle in its plane: length of the first edge, third corner along and above it; each (e,)."""
    edge, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    length = np.linalg.norm(edge, axis=1)
    along = np.einsum("ex,ex->e", other, edge) / length
    height = np.linalg.norm(np.cross(edge, other), axis=1) / length
    return length, along, height


def _turned(frames, angles):
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    tangent, across, normal = frames.transpose(2, 0, 1)
    return np.stack([cosine * tangent + sine * across, cosine * across - sine * tangent, normal], axis=2)


def _normalised(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]
