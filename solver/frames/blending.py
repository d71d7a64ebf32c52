"""How much each frame moves each node of a mesh: weights that are positive, smooth, and sum to one."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix, diags, hstack
from scipy.sparse.linalg import LinearOperator, cg

from ..volume.mesh import VolumeMesh, node_volumes, tetrahedron_volumes
from .placement import Regions, mesh_edges

MOST_FRAMES = 4  # that move one place
# Of the distance between frames, by which the weights are blurred. Wider weights bend more freely; narrower ones have
# less mass in common, which the nodes' lumped masses count twice. Measured: docs/theory/frames.md.
BLUR = 0.3
FAINT = 1e-4  # weights that are left out before the largest are taken
TOLERANCE = 1e-6  # of the linear systems: far finer than any weight matters


class Blend(NamedTuple):
    """Places that several frames move."""

    frames: np.ndarray  # of each place; unused ones repeat the first      (p, MOST_FRAMES) int32
    weights: np.ndarray  # of these frames; each row sums to one           (p, MOST_FRAMES)

    def matrix(self, frame_count: int) -> csr_matrix:
        """Weights as a sparse matrix (p, f)."""
        places = np.repeat(np.arange(len(self.frames)), MOST_FRAMES)
        shape = (len(self.frames), frame_count)
        return csr_matrix((self.weights.ravel(), (places, self.frames.ravel())), shape=shape)


def node_weights(mesh: VolumeMesh, regions: Regions) -> csr_matrix:
    """How much each frame moves each node (n, f); at most MOST_FRAMES a node."""
    return largest_weights(diffused_weights(mesh, regions)).matrix(len(regions.spacings))


def diffused_weights(mesh: VolumeMesh, regions: Regions) -> csr_matrix:
    """A backward Euler step of heat that starts as one in a frame's region and zero elsewhere (n, f) (equation 8)."""
    volumes, system = node_volumes(mesh), _heat_matrix(mesh, regions)
    diagonal = system.diagonal()
    preconditioner = LinearOperator(system.shape, matvec=lambda x: x / diagonal, dtype=float)
    columns = []
    for frame in range(len(regions.spacings)):
        is_own = regions.of_node == frame
        weights, _ = cg(system, volumes * is_own, x0=is_own.astype(float), rtol=TOLERANCE, M=preconditioner)
        columns.append(csc_matrix(np.where(weights > FAINT, weights, 0.0)[:, None]))
    return hstack(columns, format="csr")


def _heat_matrix(mesh, regions):
    """M + L: node volumes, and a Laplacian of the edges that cannot have entries of the wrong sign.

    Each edge of a tetrahedron takes up half its volume: Σ V/2 ((uᵢ − uⱼ)/ℓ)² is ∫ |∇u|² on the average of all
    directions, whatever the shape of the tetrahedra.
    """
    edges, edge_of = mesh_edges(mesh)
    volumes = mesh.fractions * tetrahedron_volumes(mesh.nodes, mesh.tetrahedra)
    shares = np.bincount(edge_of.ravel(), np.repeat(0.5 * volumes, 6))
    (first, second), count = edges.T, len(mesh.nodes)
    squares = ((mesh.nodes[first] - mesh.nodes[second]) ** 2).sum(axis=1)
    blur_squares = (BLUR * regions.spacings[regions.of_node]) ** 2
    flows = 0.5 * (blur_squares[first] + blur_squares[second]) * shares / squares
    flow_matrix = coo_matrix((flows, (first, second)), shape=(count, count)).tocsr()
    flow_matrix = flow_matrix + flow_matrix.T
    return (diags(node_volumes(mesh) + np.asarray(flow_matrix.sum(axis=1)).ravel()) - flow_matrix).tocsr()


def largest_weights(matrix: csr_matrix) -> Blend:
    """The largest weights of each row, less the first that is left out, so that they change without jumps."""
    entries = matrix.tocoo()
    order = np.lexsort((entries.col, -entries.data, entries.row))
    rows, frames, values = entries.row[order], entries.col[order], entries.data[order]
    places = np.arange(len(rows)) - np.searchsorted(rows, rows)
    is_kept = places <= MOST_FRAMES
    shape = (matrix.shape[0], MOST_FRAMES + 1)
    kept_frames, kept = np.zeros(shape, np.int32), np.zeros(shape)
    kept_frames[rows[is_kept], places[is_kept]] = frames[is_kept]
    kept[rows[is_kept], places[is_kept]] = values[is_kept]
    left_out = np.minimum(kept[:, -1:], 0.5 * kept[:, :1])  # where many are alike, a jump is better than nothing left
    weights = np.maximum(kept[:, :-1] - left_out, 0.0)
    frames = np.where(weights > 0.0, kept_frames[:, :-1], kept_frames[:, :1])
    return Blend(np.ascontiguousarray(frames), weights / weights.sum(axis=1, keepdims=True))
