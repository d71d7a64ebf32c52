"""Tethers: a weighted sum of nodes is drawn to a point, or kept at a distance from it.

docs/theory/attachments.md, 4 to 6.

E = ½ k (|d| − L)² with d = Σ wᵢ xᵢ − t. Weights that sum to one make a pin of a surface point to the target t; those
of one point minus those of another make a seam (L = 0) or a spring between two bodies, with t = 0.
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import matrix_scale3
from ..linear_algebra.vector3 import add3, row3, scale3
from .law import (
    INDEX_ROWS,
    NUMBERS,
    VECTORS,
    ElementLaw,
    derivatives_signature,
    energies_signature,
    per_element,
    put_block,
    put_vector,
)
from .spring import spring_energy, spring_gradient, spring_projected_block

ORIGIN = (0.0, 0.0, 0.0)


class TetherElements(NamedTuple):
    nodes: np.ndarray  # unused places have no weight     (e, k) int32
    weights: np.ndarray  #                                (e, k)
    targets: np.ndarray  # written anew as pins move      (e, 3) [m]
    rest_lengths: np.ndarray  # zero allowed              (e,) [m]
    stiffness: np.ndarray  #                              (e,) [N/m]


FIELDS = (TetherElements, INDEX_ROWS, VECTORS, VECTORS, NUMBERS, NUMBERS)


def tether_elements(nodes, weights, targets, stiffness, rest_lengths=0.0) -> TetherElements:
    """Nodes (e, k) with weights (e, k), targets [m], stiffness [N/m] and rest lengths [m] for all or for each."""
    nodes = np.array(nodes, np.int32, order="C")
    count = len(nodes)
    return TetherElements(
        nodes=nodes,
        weights=np.array(weights, float, order="C"),
        targets=np.array(np.broadcast_to(targets, (count, 3)), float, order="C"),
        rest_lengths=per_element(rest_lengths, count),
        stiffness=per_element(stiffness, count),
    )


@compiled
def _offset(elements, positions, e):
    offset = scale3(-1.0, row3(elements.targets, e))
    for corner in range(elements.nodes.shape[1]):
        offset = add3(offset, scale3(elements.weights[e, corner], row3(positions, elements.nodes[e, corner])))
    return offset


@kernel(energies_signature(*FIELDS), parallel=True)
def tether_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        ends = ORIGIN, _offset(elements, positions, e)
        energies_out[e] = spring_energy(ends, elements.rest_lengths[e], elements.stiffness[e])


@kernel(derivatives_signature(*FIELDS), parallel=True)
def tether_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        ends = ORIGIN, _offset(elements, positions, e)
        _, pull = spring_gradient(ends, elements.rest_lengths[e], elements.stiffness[e])
        block = spring_projected_block(ends, elements.rest_lengths[e], elements.stiffness[e])
        for i in range(elements.nodes.shape[1]):
            weight = elements.weights[e, i]
            put_vector(gradients_out[e], i, scale3(weight, pull))
            for j in range(i + 1):
                put_block(hessians_out[e], i, j, matrix_scale3(weight * elements.weights[e, j], block))


class Tether(ElementLaw):
    """Elements: `tether_elements`. Between steps write new targets into `elements.targets`."""

    is_of_sheets = True
    elements: TetherElements
    energies_kernel = tether_energies
    derivatives_kernel = tether_derivatives
