"""Tetrahedra that a soft body brings along, instead of those that are made for its surface."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .volume.mesh import FACES, VolumeMesh, tetrahedron_qualities

FLAT = 1e-6  # quality of a tetrahedron that has no inside to speak of


@dataclass
class Filling:
    """Tetrahedra whose boundary is the surface of the body, all with positive volume."""

    tetrahedra: np.ndarray  # of the surface's vertices, and after them the points inside  (t, 4) int32
    inner_points: np.ndarray  # (i, 3) [m]

    def __post_init__(self):
        self.tetrahedra = np.ascontiguousarray(self.tetrahedra, dtype=np.int32)
        self.inner_points = np.ascontiguousarray(self.inner_points, dtype=np.float64).reshape(-1, 3)

    def mesh(self, positions: np.ndarray) -> VolumeMesh:
        """With the vertices of the surface at positions (n, 3) [m]."""
        nodes = np.concatenate([positions, self.inner_points])
        return VolumeMesh(nodes, self.tetrahedra, np.ones(len(self.tetrahedra)))


def filling_troubles(filling: Filling, positions: np.ndarray, triangles: np.ndarray) -> Iterator[str]:
    """What is wrong with the tetrahedra of a surface of positions (n, 3) [m] and triangles (t, 3); the first of it."""
    tetrahedra, node_count = filling.tetrahedra, len(positions) + len(filling.inner_points)
    if tetrahedra.ndim != 2 or tetrahedra.shape[1] != 4 or not len(tetrahedra):
        yield f"its tetrahedra must be rows of four nodes, not an array of shape {tetrahedra.shape}."
    elif not np.isfinite(filling.inner_points).all():
        yield "its points inside are not finite."
    elif tetrahedra.min() < 0 or tetrahedra.max() >= node_count:
        yield f"a tetrahedron names node {tetrahedra.max()}, but there are only {node_count} nodes."
    elif len(unused := np.setdiff1d(np.arange(node_count), tetrahedra)):
        yield f"{len(unused)} of its nodes are in no tetrahedron (first: {unused[0]})."
    elif len(bad := np.flatnonzero(tetrahedron_qualities(*filling.mesh(positions)[:2]) < FLAT)):
        yield f"{len(bad)} of its tetrahedra are flat or turned inside out (first: {bad[0]})."
    elif not np.array_equal(_boundary(tetrahedra), _sorted_rows(triangles)):
        yield "the boundary of its tetrahedra is not its surface."


def _boundary(tetrahedra):
    """Faces of one tetrahedron only, as ascending rows in ascending order."""
    faces, counts = np.unique(np.sort(tetrahedra[:, FACES].reshape(-1, 3), axis=1), axis=0, return_counts=True)
    return faces[counts == 1]


def _sorted_rows(triangles):
    return np.unique(np.sort(triangles, axis=1), axis=0)
