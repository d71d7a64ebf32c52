"""Points of strands that bodies carry: the roots of hair on a simulated surface, the ends of ropes tied to a prop.

A bound point is a weighted sum of body nodes, plus a height along the normal of a triangle of the surface,
whose corners are weighted sums themselves: x = Σ wᵢ xᵢ + h n (docs/theory/time_step.md, 3). The weights are the
point's place in the triangle, carried on beyond its edges, so that a root's first segment keeps its slant.
"""

from typing import NamedTuple

import numpy as np

NONE = -1  # in `slots`: no bound point


class BoundPoints(NamedTuple):
    points: np.ndarray  # of the strands                                           (p,) int32
    nodes: np.ndarray  # of bodies, that carry each                                (p, w) int32
    weights: np.ndarray  # of these nodes; each row sums to one                    (p, w)
    corner_nodes: np.ndarray  # of the triangle's corners                          (p, 3, c) int32
    corner_weights: np.ndarray  # of these nodes; each corner's sum to one         (p, 3, c)
    heights: np.ndarray  # above the triangle                                      (p,) [m]
    strands: np.ndarray  # with bound points                                       (b,) int32
    slots: np.ndarray  # which bound points each of these has, NONE where fewer    (b, k) int32
    directors: np.ndarray  # of the strands' first edges, along the triangle's axes (b, 3)

    @property
    def width(self) -> int:
        """Most bound points of a strand, k."""
        return self.slots.shape[1]


def corner_positions(bound: BoundPoints, positions: np.ndarray) -> np.ndarray:
    """The triangles' corners (p, 3, 3) [m], from positions of the bodies' nodes (n, 3) [m]."""
    return np.einsum("pck,pckx->pcx", bound.corner_weights, positions[bound.corner_nodes])


def triangle_axes(corners: np.ndarray) -> np.ndarray:
    """Unit axes of triangles (p, 3, 3), as rows: along the first edge, in the plane across it, and the normal."""
    first = _unit(corners[:, 1] - corners[:, 0])
    normal = _unit(np.cross(first, corners[:, 2] - corners[:, 0]))
    return np.stack([first, np.cross(normal, first), normal], axis=1)


def bound_positions(bound: BoundPoints, positions: np.ndarray) -> np.ndarray:
    """Where bodies with nodes at `positions` (n, 3) [m] carry the bound points (p, 3) [m]."""
    normals = triangle_axes(corner_positions(bound, positions))[:, 2]
    return carried(bound, positions) + bound.heights[:, None] * normals


def carried(bound: BoundPoints, values: np.ndarray) -> np.ndarray:
    """Σ wᵢ xᵢ (p, 3) of values of the bodies' nodes (n, 3)."""
    return np.einsum("pw,pwx->px", bound.weights, values[bound.nodes])


def bound_jacobians(bound: BoundPoints, positions: np.ndarray) -> np.ndarray:
    """∂x/∂xᵢ of the bound points by the nodes that carry them (p, w, 3, 3): wᵢ and how the normal turns."""
    corners = corner_positions(bound, positions)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = np.cross(first, second)
    areas = np.linalg.norm(normals, axis=1)
    normals = _unit(normals)
    across = np.eye(3) - normals[:, :, None] * normals[:, None, :]
    lever = np.divide(bound.heights, areas, out=np.zeros_like(areas), where=areas > 0.0)
    by_first, by_second = -_cross_matrices(second), _cross_matrices(first)
    by_corners = np.stack([-by_first - by_second, by_first, by_second], axis=1)  # of the product of the edges
    turned = np.einsum("p,pab,pcbx->pcax", lever, across, by_corners)
    of_normal = (bound.corner_weights[..., None, None] * turned[:, :, None]).reshape(*bound.nodes.shape, 3, 3)
    return bound.weights[..., None, None] * np.eye(3) + of_normal


def _cross_matrices(vectors):
    """[v]× of vectors (p, 3): [v]× a = v × a."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    return np.stack([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)


def bound_directors(bound: BoundPoints, positions: np.ndarray) -> np.ndarray:
    """Where the sections of the strands' first edges point (b, 3)."""
    axes = triangle_axes(corner_positions(bound, positions)[bound.slots[:, 0]])
    return np.einsum("ba,bax->bx", bound.directors, axes)


def local_directors(axes: np.ndarray, directors: np.ndarray) -> np.ndarray:
    """Directions (b, 3) by triangles' axes (b, 3, 3)."""
    return np.einsum("bax,bx->ba", axes, directors)


def _unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
