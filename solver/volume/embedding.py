"""Surface points as weighted sums of nodes (paper 001, assumption 1)."""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import kernel


class Embedding(NamedTuple):
    """Where the vertices of a surface sit among the nodes that move them, w for each.

    w is 1 where vertices are nodes, 4 in tetrahedra and affine bodies, 4 a frame in bodies of frames.
    """

    nodes: np.ndarray  # of each vertex; unused places repeat the first  (v, w) int32
    weights: np.ndarray  # of these nodes; each row sums to one          (v, w) [1]


def identity_embedding(vertex_count: int) -> Embedding:
    """Every vertex is a node itself, under the same number."""
    return Embedding(np.arange(vertex_count, dtype=np.int32)[:, None], np.ones((vertex_count, 1)))


def embed(embedding: Embedding, node_values: np.ndarray) -> np.ndarray:
    """Positions (or velocities) of the vertices (v, 3) from those of the nodes (n, 3): W x."""
    vertex_values = np.empty((len(embedding.nodes), 3))
    _embed(*embedding, np.ascontiguousarray(node_values, dtype=np.float64), vertex_values)
    return vertex_values


def spread(embedding: Embedding, vertex_forces: np.ndarray, node_count: int) -> np.ndarray:
    """Forces on the nodes (n, 3) that do the work of forces on the vertices (v, 3): Wᵀ f."""
    node_forces = np.zeros((node_count, 3))
    _spread(*embedding, np.ascontiguousarray(vertex_forces, dtype=np.float64), node_forces)
    return node_forces


@kernel("void(int32[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def _embed(nodes, weights, node_values, vertex_values_out):
    for vertex in numba.prange(len(nodes)):
        for axis in range(3):
            value = 0.0
            for place in range(nodes.shape[1]):
                value += weights[vertex, place] * node_values[nodes[vertex, place], axis]
            vertex_values_out[vertex, axis] = value


@kernel("void(int32[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def _spread(nodes, weights, vertex_forces, node_forces_out):
    for vertex in range(len(nodes)):
        for place in range(nodes.shape[1]):
            for axis in range(3):
                node_forces_out[nodes[vertex, place], axis] += weights[vertex, place] * vertex_forces[vertex, axis]
