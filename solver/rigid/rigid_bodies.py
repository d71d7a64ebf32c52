"""True rigid bodies among the nodes: four equal masses each, whose arrangement never changes.

docs/theory/rigid.md. Where the nodes are tells where a body is and how it is turned; nothing else is kept of it.
"""

from typing import NamedTuple

import numpy as np

from .turning import nearest_quaternions, turned_by_quaternions

NODES = 4  # of a body


class RigidBodies(NamedTuple):
    nodes: np.ndarray  # of each                                         (b, 4) int32
    offsets: np.ndarray  # of the nodes from the center, at the start    (b, 4, 3) [m]
    radii: np.ndarray  # root mean square distance of the nodes from it  (b,) [m]


def rigid_bodies(nodes: np.ndarray, positions: np.ndarray) -> RigidBodies:
    """Of nodes (b, 4) that start at positions (n, 3) [m]."""
    _, offsets = around_centers(positions[nodes])
    return RigidBodies(nodes, offsets, np.sqrt((offsets**2).sum(axis=2).mean(axis=1)))


def around_centers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means (b, 3) of nodes' vectors (b, 4, 3), and what is left of the vectors."""
    means = values.mean(axis=1)
    return means, values - means[:, None]


def quaternions_at(bodies: RigidBodies, positions: np.ndarray) -> np.ndarray:
    """How the bodies are turned against their start (b, 4), by positions (n, 3) [m] of all nodes."""
    return nearest_quaternions(bodies.offsets, around_centers(positions[bodies.nodes])[1])


def keep_shapes(bodies: RigidBodies | None, positions: np.ndarray) -> np.ndarray:
    """Put the nodes of all bodies where the nearest rigid placement has them; in place, positions (n, 3) [m]."""
    if bodies is not None:
        centers = positions[bodies.nodes].mean(axis=1)
        arms = turned_by_quaternions(bodies.offsets, quaternions_at(bodies, positions))
        positions[bodies.nodes] = centers[:, None] + arms
    return positions
