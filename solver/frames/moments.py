"""Volume, center and second moments of what a surface encloses, and of parts of a volume mesh."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..volume.mesh import VolumeMesh, tetrahedron_volumes

THINNEST_SHELL = 1e-3  # [m]; a surface that encloses nothing has the mass of a shell
# Volume over area^(3/2), 0.09 for a ball: a sheet of two coincident sides has less, but for rounding.
FLAT = 1e-6
# Of the square of a triangle's longest edge, added to its area: where all triangles are lines, these are what there is.
LINE_AREA = 1e-9


class Moments(NamedTuple):
    """Of one or more distributions of volume."""

    volume: np.ndarray  # (…,) [m³]
    center: np.ndarray  # (…, 3) [m]
    second_moments: np.ndarray  # ∫ (x − c)(x − c)ᵀ dV (…, 3, 3) [m⁵]


def moments_of_surface(positions: np.ndarray, triangles: np.ndarray) -> Moments:
    """Of the solid inside positions (n, 3) [m] and triangles (t, 3); exact, whichever way the faces are turned.

    A surface that is open, or encloses hardly anything, counts as a shell of THINNEST_SHELL.
    """
    # Far from the origin the terms would be huge and cancel.
    origin = 0.5 * (positions.min(axis=0) + positions.max(axis=0))
    triangles = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
    solid, shell = _solid_moments(positions - origin, triangles), _shell_moments(positions - origin, triangles)
    area = shell.volume / THINNEST_SHELL
    volume, center, second_moments = solid if solid.volume > FLAT * area**1.5 else shell
    return Moments(volume, origin + center, second_moments)


def _solid_moments(positions, triangles):
    """Sum over the tetrahedra from the origin to each triangle; none if there is a way in."""
    from ..volume.orientation import surface_edges, turned_triangles

    if not len(triangles):
        return Moments(np.zeros(()), np.zeros(3), np.zeros((3, 3)))
    outward, _, is_closed = turned_triangles(positions, triangles, surface_edges(triangles))
    corners = positions[outward]
    volumes = np.linalg.det(corners) / 6.0 if is_closed else np.zeros(len(outward))
    return _central(volumes.sum(), *_simplex_sums(volumes, corners, 4))


def _shell_moments(positions, triangles):
    corners = positions[triangles] if len(triangles) else np.repeat(positions[:, None], 3, axis=1)
    edges = np.roll(corners, -1, axis=1) - corners
    areas = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    areas += LINE_AREA * ((edges**2).sum(axis=2).max(axis=1) + THINNEST_SHELL**2)
    volumes = THINNEST_SHELL * max(1.0, THINNEST_SHELL**2 / areas.sum()) * areas  # never without mass
    return _central(volumes.sum(), *_simplex_sums(volumes, corners, 3))


def _simplex_sums(volumes, corners, corner_count):
    """∫ x and ∫ x xᵀ over simplices whose corners, but for one at the origin if any is missing, are (t, 3, 3)."""
    sums = corners.sum(axis=1)
    first = volumes @ sums / corner_count
    second = np.einsum("t,ti,tj->ij", volumes, sums, sums) + np.einsum("t,tci,tcj->ij", volumes, corners, corners)
    return first, second / (corner_count * (corner_count + 1))


def _central(volume, first, second):
    center = first / volume if volume > 0.0 else np.zeros(3)
    return Moments(volume, center, second - volume * np.outer(center, center))


def moments_of_weights(mesh: VolumeMesh, weights) -> Moments:
    """Of each part of a mesh (f,), given as a sparse matrix of weights (n, f) that are linear in each tetrahedron.

    Integrals of products of linear functions over a tetrahedron are exact: ∫ w = V/4 Σ wₐ,
    ∫ w x = V/20 (Σ wₐ Σ xₐ + Σ wₐ xₐ), and so on (docs/theory/frames.md, equation 7).
    """
    origin = 0.5 * (mesh.nodes.min(axis=0) + mesh.nodes.max(axis=0))
    volume, first, second = (weights.T @ values for values in _node_integrals(mesh, mesh.nodes - origin))
    center = first / volume
    second_moments = (second - volume * _squares(center)).reshape(-1, 3, 3)
    return Moments(volume[:, 0], origin + center, second_moments)


def _node_integrals(mesh, nodes):
    """∫ N (n, 1), ∫ N x (n, 3) and ∫ N x xᵀ (n, 9) for the linear function N of each node."""
    corners = nodes[mesh.tetrahedra]
    sums = corners + corners.sum(axis=1, keepdims=True)
    squares = _squares(corners)
    integrals = np.concatenate(
        [
            np.full((*sums.shape[:2], 1), 1.0 / 4.0),
            sums / 20.0,
            (_squares(sums) + squares + squares.sum(axis=1, keepdims=True)) / 120.0,
        ],
        axis=2,
    )
    integrals *= (mesh.fractions * tetrahedron_volumes(nodes, mesh.tetrahedra))[:, None, None]
    corner = np.arange(mesh.tetrahedra.size)
    to_nodes = csr_matrix((np.ones(len(corner)), (mesh.tetrahedra.ravel(), corner)), shape=(len(nodes), len(corner)))
    return np.split(to_nodes @ integrals.reshape(len(corner), -1), [1, 4], axis=1)


def _squares(vectors):
    """x xᵀ as rows of nine."""
    return (vectors[..., :, None] * vectors[..., None, :]).reshape(*vectors.shape[:-1], 9)
