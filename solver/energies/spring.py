"""Springs between two nodes: the cloth of Otaduy et al. 2009 (after Provot 1995), seams, and ties between bodies.

E = ½ k (|d| − L)² with d = x₁ − x₀, stiffness k [N/m] and rest length L ≥ 0 [m] (docs/theory/attachments.md, 4 to 6).
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import diagonal3, matrix_add3, matrix_scale3, outer3
from ..linear_algebra.vector3 import norm3, row3, scale3, sub3
from .hinges import find_edges, find_hinges
from .law import (
    INDEX_ROWS,
    NUMBERS,
    ElementLaw,
    derivatives_signature,
    element_rows,
    energies_signature,
    per_element,
    put_block,
    put_vector,
)

COINCIDENT = 1e-100  # [m] a shorter spring has no direction


class SpringElements(NamedTuple):
    nodes: np.ndarray  # ends                (e, 2) int32
    rest_lengths: np.ndarray  # zero allowed (e,) [m]
    stiffness: np.ndarray  #                 (e,) [N/m]


FIELDS = (SpringElements, INDEX_ROWS, NUMBERS, NUMBERS)


def spring_elements(pairs, rest_lengths, stiffness) -> SpringElements:
    """Springs between pairs of nodes (e, 2)."""
    nodes = element_rows(pairs, 2)
    return SpringElements(nodes, per_element(rest_lengths, len(nodes)), per_element(stiffness, len(nodes)))


def cloth_spring_elements(triangles, rest_positions, stretching, bending) -> SpringElements:
    """Mass-spring cloth of triangles (t, 3): springs of one stiffness [N/m] along the edges, of another across them."""
    edges, across = find_edges(triangles), find_hinges(triangles).nodes[:, 2:]
    pairs = np.concatenate([edges, across])
    stiffness = np.repeat([float(stretching), float(bending)], [len(edges), len(across)])
    return spring_elements(pairs, rest_lengths(pairs, rest_positions), stiffness)


def rest_lengths(pairs, rest_positions) -> np.ndarray:
    """Distances (e,) [m] between pairs of nodes."""
    ends = np.asarray(rest_positions, float)[element_rows(pairs, 2)]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)


@compiled
def spring_energy(ends, rest_length, stiffness):
    """Energy [J] of two ends."""
    extension = norm3(sub3(ends[1], ends[0])) - rest_length
    return 0.5 * stiffness * extension * extension


@compiled
def spring_gradient(ends, rest_length, stiffness):
    """Derivative by the two ends [N]."""
    direction, length = _direction(ends)
    pull = scale3(stiffness * (length - rest_length), direction)
    return scale3(-1.0, pull), pull


@compiled
def spring_hessian(ends, rest_length, stiffness, hessian_out):
    """Exact second derivative (2, 2, 3, 3) [N/m]; at zero length, where there is none, the one below."""
    direction, length = _direction(ends)
    across = 1.0 - rest_length / length if length > COINCIDENT else 1.0
    put_spring_hessian(spring_block(direction, stiffness, stiffness * across), hessian_out)


@compiled
def spring_projected_hessian(ends, rest_length, stiffness, hessian_out):
    """The same without the negative stiffness across a compressed spring.

    At zero length any direction is along the spring: it is stiff in all.
    """
    put_spring_hessian(spring_projected_block(ends, rest_length, stiffness), hessian_out)


@compiled
def spring_projected_block(ends, rest_length, stiffness):
    """The block of one end [N/m], never negative."""
    direction, length = _direction(ends)
    across = max(1.0 - rest_length / length, 0.0) if length > COINCIDENT else 1.0
    return spring_block(direction, stiffness, stiffness * across)


@compiled
def spring_block(direction, along, across):
    """α t tᵀ + β (I − t tᵀ)."""
    block = matrix_scale3(along - across, outer3(direction, direction))
    return matrix_add3(block, diagonal3((across, across, across)))


@compiled
def put_spring_hessian(block, hessian_out):
    put_block(hessian_out, 0, 0, block)
    put_block(hessian_out, 1, 1, block)
    put_block(hessian_out, 0, 1, matrix_scale3(-1.0, block))


@compiled
def _direction(ends):
    """Unit vector and length [m]; no direction where the ends coincide."""
    difference = sub3(ends[1], ends[0])
    length = norm3(difference)
    if length > COINCIDENT:
        return scale3(1.0 / length, difference), length
    return (0.0, 0.0, 0.0), 0.0


@compiled
def _two_ends(positions, nodes, element):
    return row3(positions, nodes[element, 0]), row3(positions, nodes[element, 1])


@kernel(energies_signature(*FIELDS), parallel=True)
def spring_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        ends = _two_ends(positions, elements.nodes, e)
        energies_out[e] = spring_energy(ends, elements.rest_lengths[e], elements.stiffness[e])


@kernel(derivatives_signature(*FIELDS), parallel=True)
def spring_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        ends = _two_ends(positions, elements.nodes, e)
        first, second = spring_gradient(ends, elements.rest_lengths[e], elements.stiffness[e])
        put_vector(gradients_out[e], 0, first)
        put_vector(gradients_out[e], 1, second)
        spring_projected_hessian(ends, elements.rest_lengths[e], elements.stiffness[e], hessians_out[e])


class Spring(ElementLaw):
    """Springs, seams and ties; elements: `spring_elements`."""

    node_count = 2
    elements: SpringElements
    energies_kernel = spring_energies
    derivatives_kernel = spring_derivatives
