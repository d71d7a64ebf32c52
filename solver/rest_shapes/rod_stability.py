"""How stiff a strand must be for its balance to be stable.

The Hessian at the pose is s Gᵀ k G of bending and twisting, plus that of stretching, plus what the stresses do as the
strains bend, σ ∇²ε (docs/theory/sag_free.md, equation 5). The last is the load's, and does not change when bending and
twisting become s times stiffer: so the least s that makes the whole positive definite is found by trying.
"""

import numpy as np
from numba import float64, prange

from ..jit_cache import compiled, compiled_with_arrays, kernel
from ..linear_algebra.small_band import factorize_band
from ..rods.rods import RodFrames
from ..rods.strains import vertex_strain_gradients
from ..rods.stresses import STRESS_TYPES
from ..rods.transport import edge_of, transport_strand
from .balanced_rods import free_unknowns
from .rod_statics import AROUND_VERTEX, POSE_TYPES, STIFFNESS_TYPES, strand_gradients

MARGIN = 1.25  # of the load: a strand at its very limit would be slow to come back
SLOW = 0.01  # [1/s²]; what grows slower than this, such as a turn about the vertical, is no instability
MOST_DOUBLINGS = 20
HALVINGS = 4  # after which the stiffening is known to 5 %
DIFFERENCE = 1e-5  # of an edge or a radian, in central differences of exact gradients


@kernel((*POSE_TYPES, STIFFNESS_TYPES, STRESS_TYPES, float64[::1]), parallel=True)
def find_stiffening(rods, frames, positions, stiffness, stresses, stiffening_out):
    """The factor s (s,), at least 1, by which bending and twisting must be stiffer; infinite where none helps."""
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        bending, rest = _strand_hessian(rods, frames, positions, stiffness, stresses, first, end)
        is_free = free_unknowns(rods, first, end)
        _hold_spin(is_free)
        stiffening_out[strand] = _least_stiffening(bending, rest, is_free)


@compiled
def _least_stiffening(bending, rest, is_free):
    too_soft, enough = 1.0, 1.0
    for _ in range(MOST_DOUBLINGS):
        if _is_stable(bending, rest, is_free, enough):
            break
        too_soft, enough = enough, 2.0 * enough
    else:
        return np.inf
    if enough == 1.0:
        return 1.0
    for _ in range(HALVINGS):
        middle = np.sqrt(too_soft * enough)
        if _is_stable(bending, rest, is_free, middle):
            enough = middle
        else:
            too_soft = middle
    return enough


@compiled_with_arrays
def _is_stable(bending, rest, is_free, stiffening):
    band = stiffening * bending + rest
    for row in range(len(band)):
        if not is_free[row]:
            _hold(band, row)
    return factorize_band(band)


@compiled
def _hold(band_out, row):
    """The row and the column of an unknown that does not move become those of the identity."""
    band_out[row] = 0.0
    for before in range(1, min(row, AROUND_VERTEX - 1) + 1):
        band_out[row - before, before] = 0.0
    band_out[row, 0] = 1.0


@compiled
def _hold_spin(is_free_out):
    """Where no twist is given, all edges may turn together: that is no instability."""
    count = len(is_free_out) // 4
    for edge in range(count - 1):
        if not is_free_out[4 * edge + 3]:
            return
    is_free_out[3] = False


@compiled_with_arrays
def _strand_hessian(rods, frames, positions, stiffness, stresses, first, end):
    """The lower bands (4 p, 11) of bending and twisting without stress, and of all the rest."""
    gradients = strand_gradients(frames, positions, np.zeros(len(positions)), first, end)
    bending, rest = np.zeros((4 * (end - first), AROUND_VERTEX)), np.zeros((4 * (end - first), AROUND_VERTEX))
    curved = np.empty((AROUND_VERTEX, AROUND_VERTEX))
    for point in range(first, end):
        for axis in range(3):
            rest[4 * (point - first) + axis, 0] = SLOW * rods.masses[point]
    for edge in range(first, end - 1):
        _add_stretching(
            positions, edge, stiffness.edges[edge], MARGIN * stresses.tensions[edge], 4 * (edge - first), rest
        )
    for vertex in range(first + 1, end - 1):
        row = 4 * (vertex - 1 - first)
        for k in range(3):
            _add_square(stiffness.vertices[vertex, k], gradients.vertices[vertex - first, k], row, bending)
        _curvature_of_strains(frames, positions, vertex, stresses.moments[vertex], curved)
        for i in range(AROUND_VERTEX):
            for j in range(i + 1):
                rest[row + j, i - j] += 0.5 * MARGIN * (curved[i, j] + curved[j, i])
    return bending, rest


@compiled
def _add_square(factor, gradient, row, band_out):
    for i in range(AROUND_VERTEX):
        for j in range(i + 1):
            band_out[row + j, i - j] += factor * gradient[i] * gradient[j]


@compiled
def _add_stretching(positions, edge, stiffness, tension, row, band_out):
    """α t tᵀ + β (I − t tᵀ), with the tension across the edge."""
    tangent, length = edge_of(positions, edge)
    across = tension / length
    for i in range(3):
        for j in range(3):
            value = (stiffness - across) * tangent[i] * tangent[j] + (across if i == j else 0.0)
            band_out[row + j, 4 + i - j] -= value
            if j <= i:
                band_out[row + j, i - j] += value
                band_out[row + 4 + j, i - j] += value


@compiled_with_arrays
def _curvature_of_strains(frames, positions, vertex, moments, hessian_out):
    """Σ σ ∇²ε of one vertex (11, 11); symmetric where the torques on the twists are in balance."""
    points, angles = positions[vertex - 1 : vertex + 2].copy(), np.zeros(3)
    around = RodFrames(
        frames.tangents[vertex - 1 : vertex + 2],
        frames.directors[vertex - 1 : vertex + 2],
        frames.turns[vertex - 1 : vertex + 2],
    )
    moved = RodFrames(around.tangents.copy(), around.directors.copy(), around.turns.copy())
    rows = np.empty((3, AROUND_VERTEX))
    _, length = edge_of(points, 0)
    for unknown in range(AROUND_VERTEX):
        is_twist = unknown % 4 == 3
        step = DIFFERENCE if is_twist else DIFFERENCE * length
        hessian_out[unknown] = 0.0
        for sign in (-1.0, 1.0):
            if is_twist:
                angles[unknown // 4] = sign * step
            else:
                points[unknown // 4, unknown % 4] = positions[vertex - 1 + unknown // 4, unknown % 4] + sign * step
            transport_strand(0, 3, points, around, moved)
            vertex_strain_gradients(moved, points, angles, 1, rows)
            for k in range(3):
                for other in range(AROUND_VERTEX):
                    hessian_out[unknown, other] += sign * moments[k] * rows[k, other] / (2.0 * step)
        angles[:] = 0.0
        points[unknown // 4] = positions[vertex - 1 + unknown // 4]
