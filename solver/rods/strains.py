"""Curvatures and twist at a vertex, with their derivatives by the eleven unknowns around it.

The unknowns of a vertex lie next to each other in a strand: x, θ of the edge before, x, θ of the edge
after, x. So the derivative of a strain is a row of eleven, and its part of the matrix is a small dense block.
"""

import numpy as np
from numba import float64, int32

from ..energies.rod_bend import curvature_binormal, curvature_gradient, rod_bend_curvatures
from ..energies.rod_twist import twist_gradient
from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import cross3, row3, sub3
from .frames import turned_about
from .rods import FRAME_TYPES
from .transport import edge_of


@compiled
def material_axes(frames, twists, edge):
    """m₁, m₂ of an edge: the reference frame turned by θ."""
    tangent = row3(frames.tangents, edge)
    first = turned_about(row3(frames.directors, edge), tangent, twists[edge])
    return first, cross3(tangent, first)


@compiled
def vertex_strains(frames, positions, twists, vertex):
    """κ₁, κ₂, m at a vertex."""
    tangent_e, _ = edge_of(positions, vertex - 1)
    tangent_f, _ = edge_of(positions, vertex)
    m1_e, m2_e = material_axes(frames, twists, vertex - 1)
    m1_f, m2_f = material_axes(frames, twists, vertex)
    curvatures = rod_bend_curvatures(curvature_binormal(tangent_e, tangent_f), m1_e, m2_e, m1_f, m2_f)
    return curvatures[0], curvatures[1], twists[vertex] - twists[vertex - 1] + frames.turns[vertex]


@compiled
def vertex_strain_gradients(frames, positions, twists, vertex, rows_out):
    """κ₁, κ₂, m at a vertex; their derivatives go to `rows_out` (3, 11)."""
    tangent_e, length_e = edge_of(positions, vertex - 1)
    tangent_f, length_f = edge_of(positions, vertex)
    m1_e, m2_e = material_axes(frames, twists, vertex - 1)
    m1_f, m2_f = material_axes(frames, twists, vertex)
    binormal = curvature_binormal(tangent_e, tangent_f)
    first, second = rod_bend_curvatures(binormal, m1_e, m2_e, m1_f, m2_f)
    tangents, lengths = (tangent_e, tangent_f), (length_e, length_f)
    _write_row(rows_out, 0, curvature_gradient(first, 1.0, tangents, lengths, (m2_e, m2_f, m1_e, m1_f), binormal))
    _write_row(rows_out, 1, curvature_gradient(second, -1.0, tangents, lengths, (m1_e, m1_f, m2_e, m2_f), binormal))
    _write_row(rows_out, 2, twist_gradient(lengths, binormal))
    return first, second, twists[vertex] - twists[vertex - 1] + frames.turns[vertex]


@compiled
def _write_row(rows_out, row, derivatives):
    """From derivatives by e, f, θᵉ, θᶠ to those by x, θᵉ, x, θᶠ, x."""
    by_e, by_f, by_theta_e, by_theta_f = derivatives
    middle = sub3(by_e, by_f)
    for axis in range(3):
        rows_out[row, axis] = -by_e[axis]
        rows_out[row, 4 + axis] = middle[axis]
        rows_out[row, 8 + axis] = by_f[axis]
    rows_out[row, 3] = by_theta_e
    rows_out[row, 7] = by_theta_f


@kernel((int32[::1], float64[:, ::1], FRAME_TYPES, float64[:, ::1], float64[::1]))
def rest_strains(offsets, positions, frames, curvatures_out, twists_out):
    """Curvatures (n, 2) and twists (n,) of strands whose material frames are their reference frames."""
    angles = np.zeros(len(positions))
    for strand in range(len(offsets) - 1):
        for vertex in range(offsets[strand] + 1, offsets[strand + 1] - 1):
            first, second, twist = vertex_strains(frames, positions, angles, vertex)
            curvatures_out[vertex, 0], curvatures_out[vertex, 1] = first, second
            twists_out[vertex] = twist
