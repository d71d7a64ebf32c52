"""The elastic forces of every strand."""

import numpy as np
from numba import float64, prange

from ..energies.rod_stretch import rod_stretch_gradient
from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import row3, sub3
from .rods import FRAME_TYPES, ROD_TYPES
from .strains import vertex_strain_gradients

AROUND_VERTEX = 11  # unknowns that its curvatures and twist depend on


@kernel((ROD_TYPES, FRAME_TYPES, float64[:, ::1], float64[::1], float64[:, ::1], float64[::1]), parallel=True)
def rod_forces(rods, frames, positions, twists, forces_out, torques_out):
    """Forces on all points (n, 3) [N] and torques on all twists (n,) [N m] at `positions`, where the frames are."""
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        rows = np.empty((3, AROUND_VERTEX))
        forces_out[first:end] = 0.0
        torques_out[first:end] = 0.0
        for point in range(first, end - 1):
            edge = sub3(row3(positions, point + 1), row3(positions, point))
            pull = rod_stretch_gradient(edge, rods.rest_lengths[point], rods.stretching[point])
            for axis in range(3):
                forces_out[point, axis] += pull[axis]
                forces_out[point + 1, axis] -= pull[axis]
        for vertex in range(first + 1, end - 1):
            strains = vertex_strain_gradients(frames, positions, twists, vertex, rows)
            for k in range(3):
                _subtract_row(rows[k], _moment(rods, strains, vertex, k), vertex - 1, forces_out, torques_out)


@compiled
def _moment(rods, strains, vertex, k):
    if k == 2:
        return rods.twisting[vertex] * (strains[2] - rods.rest_twists[vertex])
    return rods.bending[vertex, k] * (strains[k] - rods.rest_curvatures[vertex, k])


@compiled
def _subtract_row(row, factor, first, forces_out, torques_out):
    """Of the eleven unknowns from the point `first` on: x, θ, x, θ, x."""
    for unknown in range(AROUND_VERTEX):
        point, axis = first + unknown // 4, unknown % 4
        if axis == 3:
            torques_out[point] -= factor * row[unknown]
        else:
            forces_out[point, axis] -= factor * row[unknown]
