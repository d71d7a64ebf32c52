"""How firmly ADMM ties velocities to their copies: weights of the nodes [Daviet 2020, section 6.2.6].

A weight says how hard a node is to move: the smallest eigenvalue η of its block in A, but no more than β times its
mass, because nodes that are stiffly joined move together, and no less than σ η (docs/theory/friction.md, 7).
"""

import numpy as np

SIGMA = 0.001
BETA = 25.0
WITHOUT_MASS = 0.1  # of η, where masses are not known [section 7.1]


def node_weights(blocks: np.ndarray, masses: np.ndarray | None) -> np.ndarray:
    """W (n,) [kg] from the diagonal blocks of A (n, 3, 3) [kg] and the nodes' masses (n,) [kg], if known."""
    smallest = smallest_eigenvalues(blocks)
    if masses is None:
        return WITHOUT_MASS * smallest
    return np.maximum(SIGMA * smallest, np.minimum(BETA * masses, smallest))


def smallest_eigenvalues(blocks: np.ndarray) -> np.ndarray:
    """Of symmetric 3 × 3 matrices (n, 3, 3), by the cosine formula of cubic equations."""
    mean = np.trace(blocks, axis1=1, axis2=2) / 3.0
    deviator = blocks - mean[:, None, None] * np.eye(3)
    radius = np.sqrt((deviator**2).sum(axis=(1, 2)) / 6.0)
    unit = deviator / np.where(radius > 0.0, radius, 1.0)[:, None, None]
    angle = np.arccos(np.clip(0.5 * np.linalg.det(unit), -1.0, 1.0)) / 3.0
    return mean + 2.0 * radius * np.cos(angle + 2.0 * np.pi / 3.0)
