"""Twist in equilibrium: angles θ for which no edge feels a torque about itself [Bergou 2008, section 5.1].

Twist runs along a strand much faster than bending, so that its inertia may be forgotten: given the points, θ minimises
the energy of bending and twisting. A strand's Hessian is tridiagonal, and Newton's method needs a few iterations
(docs/theory/relaxation.md, equation 3).
"""

import numpy as np
from numba import float64, int64, prange

from ..energies.rod_bend import curvature_binormal, rod_bend_curvatures, rod_bend_energy
from ..energies.rod_twist import rod_twist_energy
from ..jit_cache import compiled, compiled_with_arrays, kernel
from ..linear_algebra.small_band import factorize_band, solve_band
from ..linear_algebra.vector3 import dot3
from .rods import FRAME_TYPES, ROD_TYPES
from .strains import material_axes, vertex_strains
from .transport import edge_of

LOOSE = 1e-12  # of the stiffness: holds a strand whose twist is nowhere given
CONVERGED = 1e-12  # [rad]
MOST_HALVINGS = 10
SMALL_TURN = 0.05  # [rad]; Newton's method does not need to look down from here
LARGEST_TURN = 1.0  # [rad] of an edge in one iteration


@kernel((ROD_TYPES, FRAME_TYPES, float64[:, ::1], int64, float64[::1]), parallel=True)
def relax_twists(rods, frames, positions, most_iterations, twists_out):
    """Turn the edges of strands at `positions`, where the frames are, into equilibrium; given edges stay."""
    for strand in prange(len(rods.offsets) - 1):
        relax_strand_twists(
            rods, frames, positions, rods.offsets[strand], rods.offsets[strand + 1], most_iterations, twists_out
        )


@compiled_with_arrays
def relax_strand_twists(rods, frames, positions, first, end, most_iterations, twists_out):
    """Newton's method with a line search; where the Hessian is not positive its negative parts are left out."""
    count = end - first - 1
    band, change = np.empty((count, 2)), np.empty(count)
    for _ in range(most_iterations):
        _linearize(rods, frames, positions, first, end, twists_out, -np.inf, band, change)
        if not factorize_band(band):
            _linearize(rods, frames, positions, first, end, twists_out, 0.0, band, change)
            factorize_band(band)
        solve_band(band, change)
        largest = np.abs(change).max()
        if largest > SMALL_TURN:
            change *= min(1.0, LARGEST_TURN / largest)
            _step_down(rods, frames, positions, first, end, change, twists_out)
        else:
            twists_out[first : end - 1] -= change
        if largest < CONVERGED:
            break


@compiled_with_arrays
def _step_down(rods, frames, positions, first, end, change, twists_out):
    """Take the change, halved until the energy does not rise."""
    before = _energy(rods, frames, positions, first, end, twists_out)
    twists_out[first : end - 1] -= change
    for _ in range(MOST_HALVINGS):
        if not _energy(rods, frames, positions, first, end, twists_out) > before:
            return
        change *= 0.5
        twists_out[first : end - 1] += change


@compiled
def _energy(rods, frames, positions, first, end, twists):
    """Of bending and twisting [J]."""
    total = 0.0
    for vertex in range(first + 1, end - 1):
        kappa_1, kappa_2, twist = vertex_strains(frames, positions, twists, vertex)
        rest = (rods.rest_curvatures[vertex, 0], rods.rest_curvatures[vertex, 1])
        total += rod_bend_energy((kappa_1, kappa_2), rest, (rods.bending[vertex, 0], rods.bending[vertex, 1]))
        total += rod_twist_energy(twist, rods.rest_twists[vertex], rods.twisting[vertex])
    return total


@compiled
def _linearize(rods, frames, positions, first, end, twists, least, band_out, gradient_out):
    """The gradient by a strand's angles, and its Hessian (e, 2), whose terms of the stress are at `least` that."""
    band_out[:] = 0.0
    gradient_out[:] = 0.0
    for vertex in range(first + 1, end - 1):
        _add_vertex(rods, frames, positions, vertex, first, twists, least, band_out, gradient_out)
    for edge in range(end - 1 - first):
        if rods.is_free_edge[first + edge]:
            band_out[edge, 0] *= 1.0 + LOOSE
        else:
            band_out[edge, 0], band_out[edge, 1], gradient_out[edge] = 1.0, 0.0, 0.0
            if edge > 0:
                band_out[edge - 1, 1] = 0.0


@compiled
def _add_vertex(rods, frames, positions, vertex, first, twists, least, band_out, gradient_out):
    tangent_e, _ = edge_of(positions, vertex - 1)
    tangent_f, _ = edge_of(positions, vertex)
    m1_e, m2_e = material_axes(frames, twists, vertex - 1)
    m1_f, m2_f = material_axes(frames, twists, vertex)
    binormal = curvature_binormal(tangent_e, tangent_f)
    kappa = rod_bend_curvatures(binormal, m1_e, m2_e, m1_f, m2_f)
    e = vertex - 1 - first
    twist = twists[vertex] - twists[vertex - 1] + frames.turns[vertex]
    torque = rods.twisting[vertex] * (twist - rods.rest_twists[vertex])
    _add_term(rods.twisting[vertex], torque, (-1.0, 1.0), (0.0, 0.0), least, e, band_out, gradient_out)
    along = dot3(binormal, m1_e), dot3(binormal, m1_f)
    across = dot3(binormal, m2_e), dot3(binormal, m2_f)
    for k in range(2):
        stiffness = rods.bending[vertex, k]
        moment = stiffness * (kappa[k] - rods.rest_curvatures[vertex, k])
        if k == 0:
            slopes, bends = along, (-0.5 * across[0], -0.5 * across[1])
        else:
            slopes, bends = across, (0.5 * along[0], 0.5 * along[1])
        _add_term(stiffness, moment, (-0.5 * slopes[0], -0.5 * slopes[1]), bends, least, e, band_out, gradient_out)


@compiled
def _add_term(stiffness, stress, slopes, bends, least, edge, band_out, gradient_out):
    """½ k (ε − ε̄)² by the angles of an edge and the next: first and second derivatives of ε in each."""
    for i in range(2):
        gradient_out[edge + i] += stress * slopes[i]
        band_out[edge + i, 0] += stiffness * slopes[i] * slopes[i] + max(stress * bends[i], least)
    band_out[edge, 1] += stiffness * slopes[0] * slopes[1]
