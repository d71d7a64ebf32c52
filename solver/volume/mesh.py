"""Tetrahedral meshes: volumes, shape qualities and lumped masses."""

from typing import NamedTuple

import numpy as np

EDGES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))  # of a tetrahedron, as corners
FACES = ((1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1))  # opposite each corner, seen counter-clockwise from outside


class VolumeMesh(NamedTuple):
    """Nodes joined by tetrahedra, all with positive volume."""

    nodes: np.ndarray  # rest positions                                                (n, 3) [m]
    tetrahedra: np.ndarray  # nodes of each                                            (t, 4) int32
    fractions: np.ndarray  # share of each tetrahedron that is material, 1 when filled (t,) [1]


def tetrahedron_volumes(nodes: np.ndarray, tetrahedra: np.ndarray) -> np.ndarray:
    """Signed volumes (t,) [m³]; positive when corners 1, 2, 3 turn counter-clockwise seen from outside."""
    a, b, c, d = (nodes[tetrahedra[:, corner]] for corner in range(4))
    return np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6.0


def tetrahedron_qualities(nodes: np.ndarray, tetrahedra: np.ndarray) -> np.ndarray:
    """Shape 6√2 V / ℓ³ with the root mean square ℓ of the edges: 1 if regular, 0 if flat (t,)."""
    squares = [((nodes[tetrahedra[:, i]] - nodes[tetrahedra[:, j]]) ** 2).sum(axis=1) for i, j in EDGES]
    mean = np.mean(squares, axis=0)
    cubes = np.where(mean > 0.0, mean, 1.0) ** 1.5
    return 6.0 * np.sqrt(2.0) * tetrahedron_volumes(nodes, tetrahedra) / cubes


def dihedral_angles(nodes: np.ndarray, tetrahedra: np.ndarray) -> np.ndarray:
    """The six angles between the faces of each tetrahedron (t, 6) [rad]."""
    corners = nodes[tetrahedra]
    angles = []
    for i, j in EDGES:
        k, m = (corner for corner in range(4) if corner not in (i, j))
        axis = corners[:, j] - corners[:, i]
        first, second = (np.cross(axis, corners[:, corner] - corners[:, i]) for corner in (k, m))
        sine = np.linalg.norm(np.cross(first, second), axis=1)
        angles.append(np.arctan2(sine, np.einsum("ij,ij->i", first, second)))
    return np.stack(angles, axis=1)


def node_volumes(mesh: VolumeMesh) -> np.ndarray:
    """The volume of material that each node stands for (n,) [m³]: a quarter of each tetrahedron around it."""
    quarters = 0.25 * mesh.fractions * tetrahedron_volumes(mesh.nodes, mesh.tetrahedra)
    return np.bincount(mesh.tetrahedra.ravel(), np.repeat(quarters, 4), minlength=len(mesh.nodes))


def lumped_masses(mesh: VolumeMesh, density: float) -> np.ndarray:
    """Masses (n,) [kg] of the nodes of a mesh of one density [kg/m³]."""
    return density * node_volumes(mesh)


def enclosed_volume(positions: np.ndarray, triangles: np.ndarray) -> float:
    """Signed volume [m³] inside a closed surface; positive when its normals point outwards."""
    # Far from the origin the terms would be huge and cancel.
    corners = positions[triangles] - 0.5 * (positions.min(axis=0) + positions.max(axis=0))
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0)


def outward_faces(tetrahedra: np.ndarray) -> np.ndarray:
    """The four faces of each tetrahedron, counter-clockwise seen from outside (t, 4, 3)."""
    return tetrahedra[:, FACES]
