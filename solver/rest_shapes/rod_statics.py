"""Statics of one strand at a given pose: tensions and moments, and the forces that they exert.

With G the derivatives of lengths, curvatures and twists by the unknowns, the force on them is −Gᵀ σ, and a small
displacement λ changes σ by k G λ (docs/theory/sag_free.md, equations 1 and 3). The unknowns of a strand are four a
point, x and θ; the θ after the last point is held. No material frame is turned against its reference frame.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import float64

from ..jit_cache import compiled, compiled_with_arrays, tuple_of
from ..linear_algebra.band_rotations import insert_row
from ..rods.rods import FRAME_TYPES, ROD_TYPES
from ..rods.strains import vertex_strain_gradients
from ..rods.transport import edge_of

AROUND_VERTEX = 11  # unknowns that its curvatures and twist depend on


class RodStiffness(NamedTuple):
    """How stresses answer to lengths, curvatures and twists."""

    edges: np.ndarray  # (n,) [N/m]
    vertices: np.ndarray  # (n, 3) [N m]


class StrandGradients(NamedTuple):
    """G of one strand of p points."""

    edges: np.ndarray  # tangents                                                             (p, 3)
    vertices: np.ndarray  # derivatives by the unknowns from the point before on              (p, 3, 11)


POSE_TYPES = (ROD_TYPES, FRAME_TYPES, float64[:, ::1])
STIFFNESS_TYPES = tuple_of(RodStiffness, float64[::1], float64[:, ::1])


@compiled_with_arrays
def strand_gradients(frames, positions, twists, first, end):
    tangents, rows = np.zeros((end - first, 3)), np.zeros((end - first, 3, AROUND_VERTEX))
    for edge in range(first, end - 1):
        tangent, _ = edge_of(positions, edge)
        for axis in range(3):
            tangents[edge - first, axis] = tangent[axis]
    for vertex in range(first + 1, end - 1):
        vertex_strain_gradients(frames, positions, twists, vertex, rows[vertex - first])
    return StrandGradients(tangents, rows)


@compiled
def subtract_stress_forces(gradients, stresses, first, vector_out):
    """f −= Gᵀ σ, for a strand's unknowns (4 p,)."""
    count = len(gradients.edges)
    for edge in range(count - 1):
        for axis in range(3):
            pull = stresses.tensions[first + edge] * gradients.edges[edge, axis]
            vector_out[4 * edge + axis] += pull
            vector_out[4 * edge + 4 + axis] -= pull
    for vertex in range(1, count - 1):
        for k in range(3):
            for unknown in range(AROUND_VERTEX):
                force = stresses.moments[first + vertex, k] * gradients.vertices[vertex, k, unknown]
                vector_out[4 * (vertex - 1) + unknown] -= force


@compiled
def add_stresses(gradients, stiffness, first, displacement, stresses_out):
    """σ += k G λ, for displacements (4 p,)."""
    count = len(gradients.edges)
    for edge in range(count - 1):
        growth = 0.0
        for axis in range(3):
            growth += gradients.edges[edge, axis] * (displacement[4 * edge + 4 + axis] - displacement[4 * edge + axis])
        stresses_out.tensions[first + edge] += stiffness.edges[first + edge] * growth
    for vertex in range(1, count - 1):
        for k in range(3):
            growth = 0.0
            for unknown in range(AROUND_VERTEX):
                growth += gradients.vertices[vertex, k, unknown] * displacement[4 * (vertex - 1) + unknown]
            stresses_out.moments[first + vertex, k] += stiffness.vertices[first + vertex, k] * growth


@compiled_with_arrays
def triangular_factor(gradients, stiffness, first, is_free):
    """R with Rᵀ R = Gᵀ k G for the free unknowns (4 p,), and the lengths of the columns of √k G (4 p,)."""
    count = len(gradients.edges)
    factor, row = np.zeros((4 * count, AROUND_VERTEX)), np.zeros(AROUND_VERTEX)
    squares = np.zeros(4 * count)
    for edge in range(count - 1):
        scale = math.sqrt(stiffness.edges[first + edge])
        row[:] = 0.0
        for axis in range(3):
            row[axis], row[4 + axis] = -scale * gradients.edges[edge, axis], scale * gradients.edges[edge, axis]
        _insert_free(factor, 4 * edge, row, is_free, squares)
        for k in range(3):
            scale = math.sqrt(stiffness.vertices[first + edge + 1, k])
            for unknown in range(AROUND_VERTEX):
                row[unknown] = scale * gradients.vertices[edge + 1, k, unknown]
            _insert_free(factor, 4 * edge, row, is_free, squares)
    return factor, np.sqrt(squares)


@compiled
def _insert_free(factor_out, column, row, is_free, squares_out):
    for unknown in range(min(AROUND_VERTEX, len(squares_out) - column)):
        if not is_free[column + unknown]:
            row[unknown] = 0.0
        squares_out[column + unknown] += row[unknown] ** 2
    insert_row(factor_out, column, row)
