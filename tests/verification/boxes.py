"""Boxes of tetrahedra."""

import numpy as np

from stiction.solver.volume.lattice import CORNERS, cube_tetrahedra
from stiction.solver.volume.mesh import VolumeMesh


def box_of_tetrahedra(counts, size) -> VolumeMesh:
    """A box of cubes cut into six tetrahedra each; `counts` along the axes, edges of one size [m]."""
    cells = np.stack(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    shape = np.array(counts) + 1
    corners = np.ravel_multi_index(tuple((cells[:, None] + CORNERS).reshape(-1, 3).T), shape).reshape(-1, 8)
    tetrahedra = np.take_along_axis(corners[:, None, :], cube_tetrahedra(cells), axis=2).reshape(-1, 4)
    nodes = size * np.stack(np.unravel_index(np.arange(shape.prod()), shape), axis=1)
    return VolumeMesh(nodes, tetrahedra.astype(np.int32), np.ones(len(tetrahedra)))
