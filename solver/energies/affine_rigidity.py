"""What keeps an affine body, given by four nodes, near a rigid one (docs/theory/solids.md, 12).

E = V κ ‖FᵀF − I‖² [Lan et al. 2022, "Affine body dynamics", equation 3], in principal stretches V κ Σ (σᵢ² − 1)².
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import matrix3_at
from .isotropic import (
    corner_gradients,
    mode_stiffness,
    principal_frame,
    principal_stretches,
    put_corner_gradients,
    put_corner_hessian,
    without_negative,
)
from .law import (
    INDEX_ROWS,
    MATRICES,
    NUMBERS,
    ElementLaw,
    derivatives_signature,
    element_rows,
    energies_signature,
    per_element,
)
from .tetrahedron import four_corners, rest_shapes


class AffineRigidityElements(NamedTuple):
    nodes: np.ndarray  # control nodes of the body                                (e, 4) int32
    rest_inverses: np.ndarray  # rows: gradients of the weights of nodes 1, 2, 3   (e, 3, 3) [1/m]
    stiffness: np.ndarray  # κ times the volume of the body                       (e,) [J]


FIELDS = (AffineRigidityElements, INDEX_ROWS, MATRICES, NUMBERS)


def affine_rigidity_elements(nodes, rest_positions, volumes, stiffness) -> AffineRigidityElements:
    """Bodies of four control nodes (e, 4) that are not in one plane, the volumes of the bodies [m³], and κ [Pa]."""
    nodes = element_rows(nodes, 4)
    rest_inverses, spans = rest_shapes(nodes, rest_positions)
    stiffness = per_element(np.multiply(volumes, stiffness), len(nodes))
    return AffineRigidityElements(nodes, rest_inverses, np.where(spans > 0.0, stiffness, 0.0))


@compiled
def affine_rigidity_energy(corners, rest_inverse, stiffness):
    """Energy [J] of four control nodes."""
    s = principal_stretches(corners, rest_inverse)
    first, second, third = s[0] * s[0] - 1.0, s[1] * s[1] - 1.0, s[2] * s[2] - 1.0
    return stiffness * (first * first + second * second + third * third)


@compiled
def affine_rigidity_gradient(corners, rest_inverse, stiffness):
    """Derivative by the four control nodes [N]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    return corner_gradients(stiffness, u, weights, affine_rigidity_stress(stretches))


@compiled
def affine_rigidity_hessian(corners, rest_inverse, stiffness, hessian_out):
    """Exact second derivative (4, 4, 3, 3) [N/m]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    modes = mode_stiffness(stretches, affine_rigidity_stress(stretches), affine_rigidity_scaling(stretches))
    put_corner_hessian(stiffness, u, weights, modes, hessian_out)


@compiled
def affine_rigidity_stress(s):
    """∂/∂σᵢ of Σ (σᵢ² − 1)²."""
    return (
        4.0 * s[0] * (s[0] * s[0] - 1.0),
        4.0 * s[1] * (s[1] * s[1] - 1.0),
        4.0 * s[2] * (s[2] * s[2] - 1.0),
    )


@compiled
def affine_rigidity_scaling(s):
    diagonal = 12.0 * s[0] * s[0] - 4.0, 12.0 * s[1] * s[1] - 4.0, 12.0 * s[2] * s[2] - 4.0
    return diagonal, (0.0, 0.0, 0.0)


@kernel(energies_signature(*FIELDS), parallel=True)
def affine_rigidity_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        energies_out[e] = affine_rigidity_energy(corners, rest_inverse, elements.stiffness[e])


@kernel(derivatives_signature(*FIELDS), parallel=True)
def affine_rigidity_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        stiffness = elements.stiffness[e]
        u, stretches, weights = principal_frame(corners, rest_inverse)
        stress = affine_rigidity_stress(stretches)
        modes = mode_stiffness(stretches, stress, affine_rigidity_scaling(stretches))
        put_corner_gradients(stiffness, u, weights, stress, gradients_out[e])
        put_corner_hessian(stiffness, u, weights, without_negative(modes), hessians_out[e])


class AffineRigidity(ElementLaw):
    """Near-rigid bodies and frames of four nodes; elements: `affine_rigidity_elements`."""

    node_count = 4
    energies_kernel = affine_rigidity_energies
    derivatives_kernel = affine_rigidity_derivatives
