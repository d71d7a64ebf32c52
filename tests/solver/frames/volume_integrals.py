"""Integrals over tetrahedra that the tests compare with, straight from the definition."""

import numpy as np

from stiction.solver.volume.mesh import tetrahedron_volumes

# Mean over a tetrahedron of any quadratic function: four points on the way from its middle to the corners.
INWARDS = 1.0 / np.sqrt(5.0)


def quadrature(mesh):
    """Points (q, 3) [m] and volumes (q,) [m³] that integrate quadratic functions over the material of a mesh."""
    corners = mesh.nodes[mesh.tetrahedra]
    middles = corners.mean(axis=1, keepdims=True)
    volumes = 0.25 * mesh.fractions * tetrahedron_volumes(mesh.nodes, mesh.tetrahedra)
    return (middles + INWARDS * (corners - middles)).reshape(-1, 3), np.repeat(volumes, 4)


def inverse_tetrahedron(nodes):
    """Matrix (4, 4) from (x, y, z, 1) to the barycentric weights of four nodes (4, 3)."""
    return np.linalg.inv(np.vstack([nodes.T, np.ones(4)]))
