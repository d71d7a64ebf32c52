"""Bodies that frames move: x(X) = Σ w_f(X) (affine map of frame f) [Faure et al. 2011, Martin et al. 2010].

Each frame is the four nodes of the part of the mass that it moves (docs/theory/frames.md, equations 5 and 6).
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..energies.law import Law
from ..materials import SolidMaterial
from ..volume.embedding import Embedding
from ..volume.mesh import VolumeMesh
from .blending import largest_weights, node_weights
from .cells import FrameCells, frame_cells
from .equimomental import Frames, equimomental_frames
from .moments import moments_of_weights
from .placement import frame_regions


class FrameBody(NamedTuple):
    nodes: np.ndarray  # four a frame                                     (4 f, 3) [m]
    masses: np.ndarray  # of the nodes                                    (4 f,) [kg]
    embedding: Embedding  # of the surface's vertices                     (v, 16)
    cells: list[FrameCells]  # where strain is measured, a number of frames each


def frame_body(mesh: VolumeMesh, embedding: Embedding, frame_count: int, density: float) -> FrameBody:
    """At most so many frames for a mesh of one density [kg/m³], and the vertices' places among them.

    The vertices are embedded in the mesh. A coarse mesh has fewer frames; each of its separate parts has at least one.
    """
    regions = frame_regions(mesh, frame_count)
    weights = node_weights(mesh, regions)
    moments = moments_of_weights(mesh, weights)
    frames = equimomental_frames(moments)
    return FrameBody(
        nodes=frames.nodes,
        masses=np.repeat(0.25 * density * moments.volume, 4),
        embedding=_surface_embedding(mesh, embedding, frames, weights),
        cells=frame_cells(mesh, frames, weights),
    )


def frame_laws(body: FrameBody, material: SolidMaterial) -> list[Law]:
    """The material's elasticity, a law for each number of frames that move a cell."""
    from ..energies.frame_solid import FrameSolid, frame_solid_elements  # compiled only where it is used

    shear, first = _moduli_of_roles(material.youngs_modulus, material.poisson_ratio)
    return [
        FrameSolid(
            frame_solid_elements(
                *(cells.nodes, cells.gradients, cells.volumes, shear[cells.roles], first[cells.roles]),
                material.solid_law,
            )
        )
        for cells in body.cells
    ]


def _moduli_of_roles(youngs_modulus, poisson_ratio):
    """Lamé's μ (3,) and λ (3,) [Pa] of the cells by their roles (equation 12).

    Only the mean of a group resists a change of volume with all of λ. Its parts take 2 μ ν: then a stretch that
    changes across the group, as in bending, has Young's modulus, although frames cannot thin out one side.
    """
    from ..energies.tetrahedron import lame_moduli

    shear, first = lame_moduli(youngs_modulus, poisson_ratio)
    varying = 2.0 * shear * poisson_ratio if poisson_ratio > 0.0 else first
    return np.array([shear, 0.0, shear]), np.array([varying, first - varying, first])


def _surface_embedding(mesh, embedding, frames: Frames, weights):
    """Frames that move the vertices (v, 16), by weights that are linear between the nodes of the mesh."""
    vertex_count, width = embedding.nodes.shape
    places = np.repeat(np.arange(vertex_count), width)
    shape = (vertex_count, len(mesh.nodes))
    in_mesh = csr_matrix((embedding.weights.ravel(), (places, embedding.nodes.ravel())), shape=shape)
    blend = largest_weights(in_mesh @ weights)
    barycentric = frames.weights(blend.frames, (in_mesh @ mesh.nodes)[:, None, :])
    nodes = 4 * blend.frames[:, :, None] + np.arange(4, dtype=np.int32)
    node_weights = blend.weights[:, :, None] * barycentric
    return Embedding(nodes.reshape(vertex_count, -1), node_weights.reshape(vertex_count, -1))
