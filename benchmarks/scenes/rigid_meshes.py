"""Meshes of rigid props: positions (n, 3) [m] around the origin, and triangles (t, 3) int32, all closed."""

import numpy as np
from scipy.spatial import ConvexHull

from .shapes import Mesh, box, closed_tube, ellipses

GOLDEN = (1.0 + 5.0**0.5) / 2.0


def brick(size) -> Mesh:
    """A box of this size (3,) [m]."""
    return box(np.asarray(size), np.zeros(3))


def icosphere(radius: float, level: int = 1) -> Mesh:
    """A ball of 20 · 4^level triangles."""
    corners = np.array([(-1.0, GOLDEN, 0.0), (1.0, GOLDEN, 0.0), (-1.0, -GOLDEN, 0.0), (1.0, -GOLDEN, 0.0)])
    points = np.concatenate([np.roll(corners, shift, axis=1) for shift in range(3)])
    triangles = _outward(points, ConvexHull(points).simplices)
    for _ in range(level):
        points, triangles = _quartered(points, triangles)
    return radius * points / np.linalg.norm(points, axis=1)[:, None], triangles.astype(np.int32)


def jack(size: float) -> Mesh:
    """Three bars across each other, of this length [m] and a third as thick."""
    cells = np.array([(0, 0, 0), *(sign * axis for axis in np.eye(3, dtype=int) for sign in (-1, 1))])
    return cell_surface(cells, size / 3.0)


def cell_surface(cells: np.ndarray, size: float) -> Mesh:
    """The outside of cubes with sides of `size` [m] at whole numbers (c, 3)."""
    filled = {tuple(cell) for cell in cells.tolist()}
    quads = [quad for cell in filled for quad in _open_faces(cell, filled)]
    corners, numbers = np.unique(np.array(quads).reshape(-1, 3), axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 4)
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    return size * (corners - 0.5), triangles.astype(np.int32)


def _open_faces(cell, filled):
    """Corners of the faces of a cube that no other one covers, seen from outside against the clock."""
    for axis in range(3):
        second, third = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            neighbour = list(cell)
            neighbour[axis] += 2 * side - 1
            if tuple(neighbour) in filled:
                continue
            around = ((0, 0), (1, 0), (1, 1), (0, 1))
            face = []
            for a, b in around if side else around[::-1]:
                corner = list(cell)
                corner[axis], corner[second], corner[third] = cell[axis] + side, cell[second] + a, cell[third] + b
                face.append(corner)
            yield face


def _outward(points, triangles):
    """Triangles around the origin, seen from outside against the clock."""
    is_inward = np.linalg.det(points[triangles]) < 0.0
    return np.where(is_inward[:, None], triangles[:, ::-1], triangles)


def divided(mesh: Mesh, longest: float) -> Mesh:
    """The same shape, all triangles cut into four until no edge is longer than this [m]."""
    points, triangles = mesh
    while np.linalg.norm(points[triangles] - points[np.roll(triangles, 1, axis=1)], axis=2).max() > longest:
        points, triangles = _quartered(points, triangles)
    return points, triangles.astype(np.int32)


def _quartered(points, triangles):
    """Each triangle cut into four; edges of two triangles have one middle."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, numbers = np.unique(edges, axis=0, return_inverse=True)
    middles = numbers.reshape(-1, 3) + len(points)
    a, b, c = triangles.T
    ab, bc, ca = middles.T
    parts = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    return np.concatenate([points, points[unique].mean(axis=1)]), np.concatenate([np.column_stack(p) for p in parts])


def turned_profile(radii, heights, count: int = 16) -> Mesh:
    """A profile of radii and heights [m], turned about z; it begins and ends on the axis, which its ends leave out."""
    rings = ellipses(radii[1:-1], radii[1:-1], heights[1:-1], count)
    return closed_tube(rings, (0.0, 0.0, heights[0]), (0.0, 0.0, heights[-1]))


def drum(radius: float, height: float, count: int = 12) -> Mesh:
    """A short cylinder that stands."""
    return turned_profile([0.0, radius, radius, 0.0], [0.5 * height, 0.5 * height, -0.5 * height, -0.5 * height], count)


def glass(height: float) -> Mesh:
    """A tumbler: a wall, a thick bottom, and a room inside."""
    radii = np.array([0.0, 0.24, 0.33, 0.38, 0.3, 0.0])
    heights = np.array([-0.38, -0.38, 0.5, 0.5, -0.5, -0.5])
    return turned_profile(height * radii, height * heights)


def chalice(height: float) -> Mesh:
    """A cup on a stem with a foot."""
    radii = np.array([0.0, 0.16, 0.28, 0.33, 0.22, 0.06, 0.06, 0.27, 0.27, 0.0])
    heights = np.array([0.05, 0.08, 0.5, 0.5, 0.02, -0.08, -0.38, -0.46, -0.5, -0.5])
    return turned_profile(height * radii, height * heights)
