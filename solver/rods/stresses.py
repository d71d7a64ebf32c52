"""Strains of strands, and the forces in them: tensions of edges, moments of vertices."""

from typing import NamedTuple

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel, tuple_of
from .rods import FRAME_TYPES, ROD_TYPES, RodFrames, Rods
from .strains import vertex_strains
from .transport import edge_of


class RodStrains(NamedTuple):
    lengths: np.ndarray  # of the edges                                                       (n,) [m]
    bends: np.ndarray  # both curvatures and the twist of the vertices                        (n, 3)


class RodStresses(NamedTuple):
    tensions: np.ndarray  # of the edges                                                      (n,) [N]
    moments: np.ndarray  # of the vertices: about both axes of the section, and about the rod (n, 3) [N m]


STRAIN_TYPES = tuple_of(RodStrains, float64[::1], float64[:, ::1])
STRESS_TYPES = tuple_of(RodStresses, float64[::1], float64[:, ::1])


def strains_at(rods: Rods, frames: RodFrames, positions: np.ndarray, twists: np.ndarray) -> RodStrains:
    """Of strands at positions (n, 3) [m], where the frames are, with twists (n,) [rad]."""
    strains = RodStrains(np.ones(len(positions)), np.zeros((len(positions), 3)))
    put_strains(rods, frames, positions, twists, strains)
    return strains


def stresses_of(rods: Rods, strains: RodStrains) -> RodStresses:
    """k (ε − ε̄); zero in the rows where strands end."""
    moments = np.empty_like(strains.bends)
    moments[:, :2] = rods.bending * (strains.bends[:, :2] - rods.rest_curvatures)
    moments[:, 2] = rods.twisting * (strains.bends[:, 2] - rods.rest_twists)
    tensions = rods.stretching * (strains.lengths / rods.rest_lengths - 1.0)
    tensions[rods.offsets[1:] - 1] = 0.0
    return RodStresses(tensions, moments)


@kernel((ROD_TYPES, FRAME_TYPES, float64[:, ::1], float64[::1], STRAIN_TYPES), parallel=True)
def put_strains(rods, frames, positions, twists, strains_out):
    lengths_out, bends_out = strains_out.lengths, strains_out.bends  # numba drops what a parallel loop writes to fields
    for strand in prange(len(rods.offsets) - 1):
        for edge in range(rods.offsets[strand], rods.offsets[strand + 1] - 1):
            _, lengths_out[edge] = edge_of(positions, edge)
        for vertex in range(rods.offsets[strand] + 1, rods.offsets[strand + 1] - 1):
            first, second, twist = vertex_strains(frames, positions, twists, vertex)
            bends_out[vertex, 0], bends_out[vertex, 1], bends_out[vertex, 2] = first, second, twist
