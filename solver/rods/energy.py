"""The elastic energy of every strand."""

from numba import float64, prange

from ..energies.rod_bend import rod_bend_energy
from ..energies.rod_stretch import rod_stretch_energy
from ..energies.rod_twist import rod_twist_energy
from ..jit_cache import kernel
from ..linear_algebra.vector3 import row3, sub3
from .rods import FRAME_TYPES, ROD_TYPES
from .strains import vertex_strains


@kernel((ROD_TYPES, FRAME_TYPES, float64[:, ::1], float64[::1], float64[::1]), parallel=True)
def rod_energies(rods, frames, positions, twists, energies_out):
    """Energies (s,) [J] of strands at `positions`, whose frames were transported there."""
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        total = 0.0
        for point in range(first, end - 1):
            edge = sub3(row3(positions, point + 1), row3(positions, point))
            total += rod_stretch_energy(edge, rods.rest_lengths[point], rods.stretching[point])
        for vertex in range(first + 1, end - 1):
            kappa_1, kappa_2, twist = vertex_strains(frames, positions, twists, vertex)
            rest = (rods.rest_curvatures[vertex, 0], rods.rest_curvatures[vertex, 1])
            stiffness = (rods.bending[vertex, 0], rods.bending[vertex, 1])
            total += rod_bend_energy((kappa_1, kappa_2), rest, stiffness)
            total += rod_twist_energy(twist, rods.rest_twists[vertex], rods.twisting[vertex])
        energies_out[strand] = total
