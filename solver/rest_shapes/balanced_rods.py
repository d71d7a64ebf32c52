"""Forces in strands that balance those from outside, with the least change of the natural shape.

Minimise ½ Δσᵀ k⁻¹ Δσ under Gᵀ (σ₀ + Δσ) = f: with multipliers λ it is Δσ = k G λ and (Gᵀ k G) λ = f − Gᵀ σ₀
(equation 3 of docs/theory/sag_free.md). What rounding leaves of the force is solved for again while that helps.
"""

import numpy as np
from numba import boolean, float64, prange

from ..jit_cache import compiled, compiled_with_arrays, kernel
from ..linear_algebra.band_rotations import solve_rotated
from ..rods.stresses import STRESS_TYPES, RodStresses
from .rod_statics import (
    POSE_TYPES,
    STIFFNESS_TYPES,
    add_stresses,
    strand_gradients,
    subtract_stress_forces,
    triangular_factor,
)

SOLVES = 4  # the first leaves rounding times the condition, the second hardly any


@kernel((*POSE_TYPES, float64[:, ::1], STIFFNESS_TYPES, STRESS_TYPES, boolean[::1]), parallel=True)
def balance_strands(rods, frames, positions, forces, stiffness, stresses_out, is_balanced_out):
    """Change the stresses so that they balance the forces (n, 3) [N] on free points, or come nearer to it.

    Strands that cannot come nearer, such as one that swings on a single pin, keep theirs: is_balanced_out (s,).
    """
    tensions_out, moments_out = stresses_out.tensions, stresses_out.moments
    twists = np.zeros(len(positions))
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        stresses = RodStresses(tensions_out, moments_out)
        kept_tensions, kept_moments = tensions_out[first:end].copy(), moments_out[first:end].copy()
        gradients = strand_gradients(frames, positions, twists, first, end)
        is_free = free_unknowns(rods, first, end)
        factor, column_lengths = triangular_factor(gradients, stiffness, first, is_free)
        left = _unbalanced(gradients, is_free, forces, first, stresses)
        before = _largest(rods, first, left)
        for _ in range(SOLVES):
            solve_rotated(factor, column_lengths, left)
            add_stresses(gradients, stiffness, first, left, stresses)
            left = _unbalanced(gradients, is_free, forces, first, stresses)
        is_balanced_out[strand] = _largest(rods, first, left) <= before
        if not is_balanced_out[strand]:
            tensions_out[first:end], moments_out[first:end] = kept_tensions, kept_moments


@kernel((*POSE_TYPES, STRESS_TYPES, float64[:, ::1], float64[::1]), parallel=True)
def subtract_balance(rods, frames, positions, stresses, forces_out, torques_out):
    """What stresses leave of forces (n, 3) [N], in place, and of torques about edges (n,) [N m]; none where given."""
    twists = np.zeros(len(positions))
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        gradients = strand_gradients(frames, positions, twists, first, end)
        left = _unbalanced(gradients, free_unknowns(rods, first, end), forces_out, first, stresses)
        for point in range(first, end):
            for axis in range(3):
                forces_out[point, axis] = left[4 * (point - first) + axis]
            torques_out[point] = left[4 * (point - first) + 3]


@compiled_with_arrays
def _unbalanced(gradients, is_free, forces, first, stresses):
    """f − Gᵀ σ of a strand's unknowns (4 p,), zero where they are given."""
    left = np.zeros(len(is_free))
    for row in range(len(left)):
        if row % 4 < 3:
            left[row] = forces[first + row // 4, row % 4]
    subtract_stress_forces(gradients, stresses, first, left)
    for row in range(len(left)):
        if not is_free[row]:
            left[row] = 0.0
    return left


@compiled
def _largest(rods, first, left):
    """The largest force [N], a torque counted as a force at the end of its edge."""
    largest = 0.0
    for row in range(len(left)):
        lever = rods.rest_lengths[first + row // 4] if row % 4 == 3 else 1.0
        largest = max(largest, abs(left[row]) / lever)
    return largest


@compiled_with_arrays
def free_unknowns(rods, first, end):
    """Which of a strand's unknowns (4 p,) are not given; the twist after its last point is none."""
    is_free = np.zeros(4 * (end - first), np.bool_)
    for point in range(first, end):
        for axis in range(3):
            is_free[4 * (point - first) + axis] = rods.is_free[point]
        is_free[4 * (point - first) + 3] = point < end - 1 and rods.is_free_edge[point]
    return is_free
