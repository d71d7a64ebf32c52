"""Soft pins: a node is drawn to a point.

E = ½ k |x − t|² with stiffness k [N/m] and target t [m].
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import diagonal3
from ..linear_algebra.vector3 import dot3, row3, scale3, sub3
from .law import (
    INDEX_ROWS,
    NUMBERS,
    VECTORS,
    ElementLaw,
    derivatives_signature,
    element_rows,
    energies_signature,
    per_element,
    put_block,
    put_vector,
)


class PinElements(NamedTuple):
    nodes: np.ndarray  #                                 (e, 1) int32
    targets: np.ndarray  # written anew as the pins move (e, 3) [m]
    stiffness: np.ndarray  #                             (e,) [N/m]


FIELDS = (PinElements, INDEX_ROWS, VECTORS, NUMBERS)


def pin_elements(nodes, targets, stiffness) -> PinElements:
    """Nodes (e,), targets (e, 3) [m], and stiffness [N/m] for all or for each."""
    nodes = element_rows(nodes, 1)
    return PinElements(nodes, np.array(targets, float).reshape(-1, 3), per_element(stiffness, len(nodes)))


@compiled
def pin_energy(point, target, stiffness):
    """Energy [J]."""
    offset = sub3(point, target)
    return 0.5 * stiffness * dot3(offset, offset)


@compiled
def pin_gradient(point, target, stiffness):
    """Derivative by the point [N]."""
    return scale3(stiffness, sub3(point, target))


@compiled
def pin_hessian(stiffness, hessian_out):
    """Second derivative (1, 1, 3, 3) [N/m], never negative."""
    put_block(hessian_out, 0, 0, diagonal3((stiffness, stiffness, stiffness)))


@kernel(energies_signature(*FIELDS), parallel=True)
def pin_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        point = row3(positions, elements.nodes[e, 0])
        energies_out[e] = pin_energy(point, row3(elements.targets, e), elements.stiffness[e])


@kernel(derivatives_signature(*FIELDS), parallel=True)
def pin_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        point = row3(positions, elements.nodes[e, 0])
        put_vector(gradients_out[e], 0, pin_gradient(point, row3(elements.targets, e), elements.stiffness[e]))
        pin_hessian(elements.stiffness[e], hessians_out[e])


class Pin(ElementLaw):
    """Soft pins; elements: `pin_elements`. Between steps write the new targets into `elements.targets`."""

    node_count = 1
    energies_kernel = pin_energies
    derivatives_kernel = pin_derivatives
