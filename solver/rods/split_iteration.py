"""One iteration of strands by the alternating direction method of multipliers [Narain et al. 2016].

Edges and vertices have their own copies of the edges around them, tied to the points by weights and multipliers. In the
end the multipliers are the forces in the strand. They are kept as such: tensions along the edges and moments in the
material frame, which turn with the strand (docs/theory/relaxation.md, equations 5 to 8).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import float64, prange

from ..jit_cache import compiled, compiled_with_arrays, kernel, tuple_of
from ..linear_algebra.small_band import factorize_band, solve_band
from .quasi_static_twist import relax_strand_twists
from .rods import FRAME_TYPES, ROD_TYPES
from .split_weights import WEIGHT_TYPES, tighten_strand
from .strains import vertex_strain_gradients
from .stresses import STRESS_TYPES
from .transport import edge_of, transport_strand

AROUND_VERTEX = 11  # unknowns that its curvatures and twist depend on
DIVERGING = 4.0  # a motion over the least before, beyond which a strand is tied more firmly


class StrandMotions(NamedTuple):
    """How far the farthest point of each strand went, or copies of its edges are from them."""

    last: np.ndarray  # in the last iteration               (s,) [m]
    least: np.ndarray  # the least in this step, as a rule  (s,) [m]


MOTION_TYPES = tuple_of(StrandMotions, float64[::1], float64[::1])


@kernel(
    (ROD_TYPES, float64[::1], float64[:, ::1], WEIGHT_TYPES, float64[:, ::1], FRAME_TYPES, STRESS_TYPES)
    + (float64[:, ::1], float64[::1], MOTION_TYPES),
    parallel=True,
)
def iterate_strands(
    rods, inertia, targets, weights_out, factor_out, frames_out, stresses_out, positions_out, twists_out, motions_out
):
    """Local steps, then the global step of every strand, whose inertia (n,) [N/m] draws it to `targets` (n, 3) [m]."""
    last_out, least_out = motions_out.last, motions_out.least  # numba drops what a parallel loop writes to fields
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        relax_strand_twists(rods, frames_out, positions_out, first, end, 1, twists_out)
        forces = np.zeros((end - first, 3))
        _add_inertia(inertia, targets, positions_out, first, forces)
        apart = _add_edges(rods, weights_out, positions_out, first, end, stresses_out, forces)
        _add_vertices(rods, weights_out, frames_out, positions_out, twists_out, first, end, stresses_out, forces)
        motion = max(apart, _move_points(rods, factor_out, first, end, forces, positions_out))
        transport_strand(first, end, positions_out, frames_out, frames_out)
        if motion > DIVERGING * least_out[strand]:
            tighten_strand(rods, inertia, first, end, weights_out, factor_out)
            least_out[strand] = motion
        least_out[strand] = min(least_out[strand], motion)
        last_out[strand] = motion


@compiled_with_arrays
def _move_points(rods, factor, first, end, forces, positions_out):
    """The global step, from forces (p, 3) [N], which are used up; returns the largest motion [m]."""
    for point in range(first, end):
        if not rods.is_free[point]:
            forces[point - first] = 0.0
    _solve_axes(factor, first, forces)
    motion, length = np.abs(forces).max(), 0.0
    for edge in range(first, end - 1):
        length += rods.rest_lengths[edge]
    share = min(1.0, length / max(motion, length))  # a strand that would fly apart goes no farther than its length
    for point in range(first, end):
        for axis in range(3):
            positions_out[point, axis] += share * forces[point - first, axis]
    return motion


@compiled
def _solve_axes(factor, first, vectors_out):
    """`solve_band` for a band of two and three vectors (p, 3) at once."""
    count = len(vectors_out)
    for row in range(count):
        for below in range(1, min(3, count - row)):
            share = factor[first + row, below]
            for axis in range(3):
                vectors_out[row + below, axis] -= share * vectors_out[row, axis]
    for row in range(count - 1, -1, -1):
        for axis in range(3):
            vectors_out[row, axis] *= factor[first + row, 0]
        for below in range(1, min(3, count - row)):
            share = factor[first + row, below]
            for axis in range(3):
                vectors_out[row, axis] -= share * vectors_out[row + below, axis]


@compiled
def _add_inertia(inertia, targets, positions, first, forces_out):
    for point in range(len(forces_out)):
        for axis in range(3):
            away = targets[first + point, axis] - positions[first + point, axis]
            forces_out[point, axis] += inertia[first + point] * away


@compiled
def _add_edges(rods, weights, positions, first, end, stresses_out, forces_out):
    apart = 0.0
    for edge in range(first, end - 1):
        tangent, length = edge_of(positions, edge)
        rest, before = rods.rest_lengths[edge], stresses_out.tensions[edge]
        softness = rest / rods.stretching[edge]
        change = (length - rest - softness * before) / (softness + 1.0 / weights.edges[edge])
        stresses_out.tensions[edge] = before + change
        apart = max(apart, abs(change) / weights.edges[edge])
        for axis in range(3):
            pull = (before + 2.0 * change) * tangent[axis]
            forces_out[edge - first, axis] += pull
            forces_out[edge + 1 - first, axis] -= pull
    return apart


@compiled_with_arrays
def _add_vertices(rods, weights, frames, positions, twists, first, end, stresses_out, forces_out):
    scratch = np.empty((3, AROUND_VERTEX)), np.empty((3, 6)), np.empty((3, 3)), np.empty(3)
    rows, _, _, change = scratch
    for vertex in range(first + 1, end - 1):
        strains = vertex_strain_gradients(frames, positions, twists, vertex, rows)
        _put_moment_change(rods, weights, strains, vertex, stresses_out.moments, scratch)
        for k in range(3):
            moment = stresses_out.moments[vertex, k] + 2.0 * change[k]
            stresses_out.moments[vertex, k] += change[k]
            for place in range(3):
                for axis in range(3):
                    forces_out[vertex - 1 + place - first, axis] -= moment * rows[k, 4 * place + axis]


@compiled
def _put_moment_change(rods, weights, strains, vertex, moments, scratch):
    """(k⁻¹ + S)⁻¹ (ε − ε̄ − k⁻¹ f) into the last of the scratch arrays, with the softness S of the ties (equation 7)."""
    rows, ties, softness, change = scratch
    stiffness = rods.bending[vertex, 0], rods.bending[vertex, 1], rods.twisting[vertex]
    rest = rods.rest_curvatures[vertex, 0], rods.rest_curvatures[vertex, 1], rods.rest_twists[vertex]
    before, after = weights.lengths[vertex - 1], weights.lengths[vertex]
    of_bend, of_mean = 0.5 / math.sqrt(weights.bends[vertex]), 1.0 / math.sqrt(weights.means[vertex])
    for i in range(3):
        change[i] = strains[i] - rest[i] - moments[vertex, i] / stiffness[i]
        for axis in range(3):
            by_e, by_f = -before * rows[i, axis], after * rows[i, 8 + axis]
            ties[i, axis], ties[i, 3 + axis] = of_bend * (by_f - by_e), of_mean * (by_f + by_e)
        for j in range(i + 1):
            soft = 1.0 / stiffness[i] if i == j else 0.0
            for axis in range(6):
                soft += ties[i, axis] * ties[j, axis]
            softness[j, i - j] = soft
    factorize_band(softness)
    solve_band(softness, change)
