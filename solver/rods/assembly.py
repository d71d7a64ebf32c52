"""The Newton system of every strand: A = M + Δt² K and the gradient of the incremental potential.

Each strand writes its own band and its own part of the gradient, so any number of threads gives the same
bits. The Hessians of bending and twisting keep the product of first derivatives (Gauss-Newton), which is
positive semi-definite; stretching drops the negative stiffness across compressed edges.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64, prange

from ..energies.rod_stretch import rod_stretch_gradient, rod_stretch_projected_hessian
from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.band_columns import BAND, COLUMN
from ..linear_algebra.lanes import LANES
from ..linear_algebra.vector3 import scale3
from .bound_points import NONE
from .condensation import COUPLING
from .rods import FRAME_TYPES, ROD_TYPES
from .strains import vertex_strain_gradients
from .transport import edge_of

UNKNOWNS = 11  # around a vertex


class RodTrial(NamedTuple):
    """A guess of the step's end."""

    positions: np.ndarray  # (n, 3) [m]
    velocities: np.ndarray  # (n, 3) [m/s]
    twists: np.ndarray  # θ of the edges (n,) [rad]
    twist_velocities: np.ndarray  # (n,) [rad/s]


class RodInertia(NamedTuple):
    """The inertial part of the potential, ½ d v² − p·v: d is a mass with drag, p a momentum with forces."""

    diagonal: np.ndarray  # of the points (n,) [kg]
    momentum: np.ndarray  # of the points (n, 3) [kg m/s]
    twist_momentum: np.ndarray  # of the edges (n,) [kg m²/s]


TRIAL_TYPES = tuple_of(RodTrial, float64[:, ::1], float64[:, ::1], float64[::1], float64[::1])
INERTIA_TYPES = tuple_of(RodInertia, float64[::1], float64[:, ::1], float64[::1])


@kernel(
    (ROD_TYPES, FRAME_TYPES, TRIAL_TYPES, INERTIA_TYPES, float64, int64[::1], int64[::1], COUPLING)
    + (float64[::1], float64[::1]),
    parallel=True,
)
def assemble_rods(
    rods, frames, trial, inertia, time_step, matrix_starts, vector_starts, coupling_out, matrix_out, gradient_out
):
    """Write the matrix and the gradient of all strands into their interleaved storage; bound points' rows apart.

    A strand is put together in a band of its own, which stays in the nearest cache, and copied once.
    """
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        count = 4 * (end - first) - 1
        band, gradient, rows = np.zeros((count, COLUMN)), np.empty(count), np.empty((3, UNKNOWNS))
        _add_inertia(rods, trial, inertia, first, band, gradient)
        for point in range(first, end - 1):
            _add_stretching(rods, trial, time_step, point, 4 * (point - first), band, gradient)
        for vertex in range(first + 1, end - 1):
            strains = vertex_strain_gradients(frames, trial.positions, trial.twists, vertex, rows)
            _add_bending(rods, vertex, strains, rows, time_step, 4 * (vertex - 1 - first), band, gradient)
        _keep_bound(coupling_out, strand, first, band, gradient)
        _hold_given(rods, first, band, gradient)
        _put_strand(band, gradient, matrix_starts[strand], vector_starts[strand], matrix_out, gradient_out)


@compiled
def _add_inertia(rods, trial, inertia, first, band_out, gradient_out):
    for row in range(len(gradient_out)):
        point, axis = first + row // 4, row % 4
        if axis < 3:
            mass, speed = inertia.diagonal[point], trial.velocities[point, axis]
            momentum = inertia.momentum[point, axis]
        else:
            mass, speed = rods.inertias[point], trial.twist_velocities[point]
            momentum = inertia.twist_momentum[point]
        band_out[row, 0] = mass
        gradient_out[row] = mass * speed - momentum


@compiled
def _add_stretching(rods, trial, time_step, point, row, band_out, gradient_out):
    """One edge, between the points in rows `row` and `row + 4`."""
    tangent, length = edge_of(trial.positions, point)
    rest, stiffness = rods.rest_lengths[point], rods.stretching[point]
    edge = scale3(length, tangent)
    force = scale3(time_step, rod_stretch_gradient(edge, rest, stiffness))
    along, across = rod_stretch_projected_hessian(edge, rest, stiffness)
    along, across = along * time_step * time_step, across * time_step * time_step
    for j in range(3):
        gradient_out[row + j] -= force[j]
        gradient_out[row + 4 + j] += force[j]
        for i in range(3):
            value = (along - across) * tangent[i] * tangent[j] + (across if i == j else 0.0)
            band_out[row + j, 4 + i - j] -= value
            if i >= j:
                band_out[row + j, i - j] += value
                band_out[row + 4 + j, i - j] += value


@compiled
def _add_bending(rods, vertex, strains, rows, time_step, row, band_out, gradient_out):
    """Both curvatures and the twist of one vertex; its eleven unknowns begin at `row`."""
    stiffness = (rods.bending[vertex, 0], rods.bending[vertex, 1], rods.twisting[vertex])
    rest = (rods.rest_curvatures[vertex, 0], rods.rest_curvatures[vertex, 1], rods.rest_twists[vertex])
    for k in range(3):
        force = time_step * stiffness[k] * (strains[k] - rest[k])
        for i in range(UNKNOWNS):
            gradient_out[row + i] += force * rows[k, i]
    scale = time_step * time_step
    for j in range(UNKNOWNS):
        first, second = scale * stiffness[0] * rows[0, j], scale * stiffness[1] * rows[1, j]
        third = scale * stiffness[2] * rows[2, j]
        for i in range(j, UNKNOWNS):
            band_out[row + j, i - j] += first * rows[0, i] + second * rows[1, i] + third * rows[2, i]


@compiled
def _keep_bound(coupling_out, strand, first, band, gradient):
    """Copy the rows of the strand's bound points before they are held."""
    bound = np.searchsorted(coupling_out.strands, strand)
    if bound == len(coupling_out.strands) or coupling_out.strands[bound] != strand:
        return
    for slot in coupling_out.slots[bound]:
        if slot == NONE:
            continue
        for axis in range(3):
            row = 4 * (coupling_out.points[slot] - first) + axis
            coupling_out.gradients[slot, axis] = gradient[row]
            for other in range(row - BAND, row + BAND + 1):
                value = 0.0
                if 0 <= other < len(gradient):
                    value = band[min(row, other), abs(row - other)]
                coupling_out.rows[slot, axis, other - row + BAND] = value


@compiled
def _hold_given(rods, first, band_out, gradient_out):
    """Unknowns with a given motion do not change in the solve: their rows become those of the identity."""
    count = len(gradient_out)
    for row in range(count):
        point, axis = first + row // 4, row % 4
        is_free = rods.is_free_edge[point] if axis == 3 else rods.is_free[point]
        if is_free:
            continue
        for other in range(max(0, row - BAND), min(count, row + BAND + 1)):
            band_out[min(row, other), abs(row - other)] = 0.0
        band_out[row, 0] = 1.0
        gradient_out[row] = 0.0


@compiled
def _put_strand(band, gradient, matrix, vector, matrix_out, gradient_out):
    """Into the lane of the strand, which begins at `matrix` and `vector`."""
    for row in range(len(gradient)):
        gradient_out[vector + row * LANES] = gradient[row]
        for entry in range(COLUMN):
            matrix_out[matrix + (row * COLUMN + entry) * LANES] = band[row, entry]
