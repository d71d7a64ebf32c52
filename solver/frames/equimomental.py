"""Four equal masses that move as a body does, and bodies that they move (docs/theory/frames.md).

Any distribution of mass has the mass, the center and the second moments of four equal masses at the corners of a
tetrahedron (equation 1). An affine motion x = A X + t is fixed by where these four nodes are, and its kinetic
energy, momentum and angular momentum are exactly theirs (equation 3).
"""

from typing import NamedTuple

import numpy as np

from ..energies.law import Law
from ..volume.embedding import Embedding
from .moments import Moments, moments_of_surface

# Corners of a regular tetrahedron: rows add up to zero, columns are orthogonal.
SIGNS = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], float)
# Flat and line-like bodies would have flat tetrahedra, in which nothing can be placed: no spread is smaller than this
# share of the largest, or than this length. The moment of inertia then grows, by 1e-6 of the largest.
LEAST_SPREAD_SHARE = 1e-3
LEAST_SPREAD = 1e-6  # [m]
# Rate of the slowest vibration of a body that passes for rigid [rad/s]. Under an acceleration a it gives way by about
# 2 a / Ω²: 0.2 µm when it lies still, 0.1 mm when 10 m/s end within 2 ms. The ratio of stiffness to mass, on which the
# condition of the equations depends, is Ω² whatever its size and mass. A meter of wood comes to some 1e9 Pa.
RIGID_RATE = 1e4


class Frames(NamedTuple):
    """Affine frames; the nodes of frame f are 4 f … 4 f + 3."""

    centers: np.ndarray  # of their masses                        (f, 3) [m]
    axes: np.ndarray  # principal axes, as rows                   (f, 3, 3)
    spreads: np.ndarray  # root mean square distance along each   (f, 3) [m]

    @property
    def nodes(self) -> np.ndarray:
        """Rest positions (4 f, 3) [m]: equation 1."""
        offsets = np.einsum("ik,fk,fkx->fix", SIGNS, self.spreads, self.axes)
        return (self.centers[:, None] + offsets).reshape(-1, 3)

    @property
    def weight_gradients(self) -> np.ndarray:
        """Of the barycentric weights (f, 4, 3) [1/m]."""
        return 0.25 * np.einsum("ik,fkx->fix", SIGNS, self.axes / self.spreads[:, :, None])

    def weights(self, frames: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Barycentric weights (…, 4) of points (…, 3) [m] in the nodes of frames (…,): equation 2."""
        offsets = (points - self.centers[frames])[..., None, :]
        local = (self.axes[frames] * offsets).sum(axis=-1) / self.spreads[frames]
        return 0.25 * (1.0 + local @ SIGNS.T)


def equimomental_frames(moments: Moments) -> Frames:
    """Frames whose nodes have the mass, center and second moments of each of (f,) distributions."""
    squares, axes = np.linalg.eigh(moments.second_moments / moments.volume[:, None, None])
    spreads = np.sqrt(np.maximum(squares, 0.0))
    least = np.maximum(LEAST_SPREAD_SHARE * spreads.max(axis=1, keepdims=True), LEAST_SPREAD)
    return Frames(moments.center, np.ascontiguousarray(axes.swapaxes(1, 2)), np.maximum(spreads, least))


class AffineBody(NamedTuple):
    nodes: np.ndarray  # where its mass is           (4, 3) [m]
    masses: np.ndarray  # a quarter each             (4,) [kg]
    embedding: Embedding  # of the surface's vertices (v, 4)
    volume: float  # of its material                 [m³]


def affine_body(positions: np.ndarray, triangles: np.ndarray, density: float) -> AffineBody:
    """The solid inside a surface of positions (n, 3) [m] and triangles (t, 3), of one density [kg/m³]."""
    volume, center, second_moments = moments_of_surface(positions, triangles)
    frames = equimomental_frames(Moments(np.array([volume]), center[None], second_moments[None]))
    weights = frames.weights(np.zeros(len(positions), int), positions)
    nodes = np.tile(np.arange(4, dtype=np.int32), (len(positions), 1))
    masses = np.full(4, 0.25 * density * volume)
    return AffineBody(frames.nodes, masses, Embedding(nodes, weights), float(volume))


def affine_laws(body: AffineBody, density: float) -> list[Law]:
    """What makes a body of a density [kg/m³] pass for rigid: κ = ρ r² Ω²/8 with its radius of gyration (equation 4)."""
    from ..energies.affine_rigidity import AffineRigidity, affine_rigidity_elements  # compiled only where it is used

    gyration_square = ((body.nodes - body.nodes.mean(axis=0)) ** 2).sum() / 4.0
    stiffness = density * gyration_square * RIGID_RATE**2 / 8.0
    return [AffineRigidity(affine_rigidity_elements([[0, 1, 2, 3]], body.nodes, body.volume, stiffness))]
