"""How firmly the copies of edges are tied to the points, and the points' linear systems that follow.

docs/theory/relaxation.md, equations 8 to 10.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, prange

from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.small_band import factorize_band
from .rods import ROD_TYPES
from .stresses import STRAIN_TYPES, STRESS_TYPES

BENDING_SHARE = 0.3  # of the bending stiffness: moments settle in fewer iterations than with all of it
LEAST = 1e-300  # against division by zero where strands end


class SplitWeights(NamedTuple):
    lengths: np.ndarray  # of the edges, which copies are measured by            (n,) [m]
    edges: np.ndarray  # of copies that edges stretch                            (n,) [N/m]
    bends: np.ndarray  # of the difference of the directions around vertices     (n,) [N m]
    means: np.ndarray  # of their mean                                           (n,) [N m]


WEIGHT_TYPES = tuple_of(SplitWeights, float64[::1], float64[::1], float64[::1], float64[::1])


@kernel((ROD_TYPES, STRAIN_TYPES, STRESS_TYPES, float64[::1], float64[::1], WEIGHT_TYPES), parallel=True)
def put_weights(rods, strains, stresses, inertia, loads, weights_out):
    """Weights for a step with inertia (n,) [N/m] from strains and stresses at its start; `loads` (n,) [N] will act."""
    lengths_out, edges_out = weights_out.lengths, weights_out.edges  # numba drops what a parallel loop writes to fields
    bends_out, means_out = weights_out.bends, weights_out.means
    for strand in prange(len(rods.offsets) - 1):
        first, end = rods.offsets[strand], rods.offsets[strand + 1]
        load = 0.0
        for point in range(first, end):
            load += 0.5 * loads[point]
        for edge in range(first, end - 1):
            length, both = strains.lengths[edge], 0.5 * (inertia[edge] + inertia[edge + 1])
            pull = (load + abs(stresses.tensions[edge])) / length
            lengths_out[edge] = length
            edges_out[edge] = min(rods.stretching[edge] / rods.rest_lengths[edge], (end - first) * both + pull)
        for vertex in range(first + 1, end - 1):
            present, natural = strains.bends[vertex], rods.rest_curvatures[vertex]
            curved = max(present[0] ** 2 + present[1] ** 2, natural[0] ** 2 + natural[1] ** 2)
            turned = inertia[vertex] * strains.lengths[vertex] ** 2
            bends_out[vertex] = max(BENDING_SHARE * max(rods.bending[vertex, 0], rods.bending[vertex, 1]), LEAST)
            means_out[vertex] = rods.twisting[vertex] * curved + turned + LEAST


@kernel((ROD_TYPES, float64[::1], WEIGHT_TYPES, float64[:, ::1]), parallel=True)
def factorize_points(rods, inertia, weights, factor_out):
    """Factors (n, 3) of the points' matrices [N/m], the same for each axis: a band of two below the diagonal."""
    for strand in prange(len(rods.offsets) - 1):
        factorize_strand(rods, inertia, weights, rods.offsets[strand], rods.offsets[strand + 1], factor_out)


@compiled
def factorize_strand(rods, inertia, weights, first, end, factor_out):
    band = factor_out[first:end]
    for point in range(first, end):
        band[point - first] = 0.0
        band[point - first, 0] = inertia[point]
    for edge in range(first, end - 1):
        _add_square(weights.edges[edge], (-1.0, 1.0, 0.0), edge - first, band)
    for vertex in range(first + 1, end - 1):
        before, after = 1.0 / weights.lengths[vertex - 1], 1.0 / weights.lengths[vertex]
        _add_square(weights.bends[vertex], (before, -before - after, after), vertex - 1 - first, band)
        mean = -0.5 * before, 0.5 * (before - after), 0.5 * after
        _add_square(weights.means[vertex], mean, vertex - 1 - first, band)
    for point in range(first, end):
        if not rods.is_free[point]:
            _hold(band, point - first)
    factorize_band(band)


@compiled
def tighten_strand(rods, inertia, first, end, weights_out, factor_out):
    """Twice the weights: strands that begin to fly apart need them."""
    for point in range(first, end):
        weights_out.edges[point] *= 2.0
        weights_out.bends[point] *= 2.0
        weights_out.means[point] *= 2.0
    factorize_strand(rods, inertia, weights_out, first, end, factor_out)


@compiled
def _add_square(factor, gradient, row, band_out):
    for i in range(3):
        for j in range(i + 1):
            if gradient[i] != 0.0:
                band_out[row + j, i - j] += factor * gradient[i] * gradient[j]


@compiled
def _hold(band_out, row):
    band_out[row, 1], band_out[row, 2] = 0.0, 0.0
    for before in range(1, min(row, 2) + 1):
        band_out[row - before, before] = 0.0
    band_out[row, 0] = 1.0
