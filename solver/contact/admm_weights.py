"""How firmly ADMM ties velocities to their copies: weights of the nodes [Daviet 2020, section 6.2.6].

A weight says how hard a node is to move: the smallest eigenvalue η of its block in A, but no more than β times its
mass, because nodes that are stiffly joined move together, and no less than σ η (docs/theory/friction.md, 7).
"""

import math

import numpy as np
from numba import float64, prange

from ..jit_cache import compiled, kernel

SIGMA = 0.001
BETA = 25.0
AS_ONE = 5.0  # instead, for nodes that move as one body whatever their stiffness
WITHOUT_MASS = 0.1  # of η, where masses are not known [section 7.1]


def node_weights(blocks: np.ndarray, masses: np.ndarray | None, moves_as_one: np.ndarray | None = None) -> np.ndarray:
    """W (n,) [kg] from the diagonal blocks of A (n, 3, 3) [kg] and the nodes' masses (n,) [kg], if known.

    `moves_as_one` (n,) bool are nodes of affine bodies: however stiffly they are joined, the body is as easy to move as
    its mass is. By their stiffness, thin cards would need thousands of iterations to begin to fall.
    """
    smallest = smallest_eigenvalues(blocks)
    if masses is None:
        return WITHOUT_MASS * smallest
    smallest = np.maximum(smallest, masses)  # less is rounding, beside stiffnesses of 10¹⁶ times the mass
    weights = np.maximum(SIGMA * smallest, np.minimum(BETA * masses, smallest))
    return weights if moves_as_one is None else np.where(moves_as_one, np.minimum(AS_ONE * masses, smallest), weights)


def smallest_eigenvalues(blocks: np.ndarray) -> np.ndarray:
    """Of symmetric 3 × 3 matrices (n, 3, 3)."""
    smallest = np.empty(len(blocks))
    put_smallest(np.ascontiguousarray(blocks), smallest)
    return smallest


@kernel((float64[:, :, ::1], float64[::1]), parallel=True)
def put_smallest(blocks, smallest_out):
    for block in prange(len(blocks)):
        smallest_out[block] = _smallest(blocks[block])


@compiled
def _smallest(a):
    """By the cosine formula of cubic equations, of the matrix less its mean and over its size."""
    mean = (a[0, 0] + a[1, 1] + a[2, 2]) / 3.0
    x, y, z = a[0, 0] - mean, a[1, 1] - mean, a[2, 2] - mean
    radius = math.sqrt((x * x + y * y + z * z + 2.0 * (a[1, 0] ** 2 + a[2, 0] ** 2 + a[2, 1] ** 2)) / 6.0)
    if radius == 0.0:
        return mean
    x, y, z = x / radius, y / radius, z / radius
    d, e, f = a[1, 0] / radius, a[2, 0] / radius, a[2, 1] / radius
    determinant = x * (y * z - f * f) - d * (d * z - f * e) + e * (d * f - y * e)
    angle = math.acos(min(max(0.5 * determinant, -1.0), 1.0)) / 3.0
    return mean + 2.0 * radius * math.cos(angle + 2.0 * math.pi / 3.0)
