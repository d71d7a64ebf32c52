"""Solids that frames move: elements of any number of nodes (docs/theory/frames.md).

A point of the body is x(X) = Σ Wᵢ(X) nᵢ; an element is a place where the gradients gᵢ = ∇Wᵢ are known, so that
F = Σ nᵢ gᵢᵀ (equation 9), and a volume for which it stands. The densities are those of the tetrahedra.
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import diagonal3, matrix_add3, outer3, vector_matrix3
from ..linear_algebra.svd3 import svd3
from ..linear_algebra.vector3 import row3, sub3
from .isotropic import mode_stiffness, put_corner_gradients, put_corner_hessian, without_negative
from .law import (
    INDEX_ROWS,
    MATRICES,
    NUMBERS,
    ElementLaw,
    derivatives_signature,
    energies_signature,
    per_element,
    put_vector,
)
from .solid_densities import (
    THRESHOLD,
    corotated_density,
    corotated_stress,
    fixed_corotated_density,
    fixed_corotated_scaling,
    fixed_corotated_stress,
    neo_hookean_density,
    neo_hookean_stress_and_scaling,
    warped_modes,
)

COROTATED, FIXED_COROTATED, NEO_HOOKEAN = range(3)
LAW_NUMBERS = {"corotated": COROTATED, "fixed_corotated": FIXED_COROTATED, "neo_hookean": NEO_HOOKEAN}


class FrameSolidElements(NamedTuple):
    nodes: np.ndarray  # of the frames that move the place      (e, k) int32
    weight_gradients: np.ndarray  # of these nodes, gᵢ          (e, k, 3) [1/m]
    volumes: np.ndarray  # for which the place stands           (e,) [m³]
    shear_moduli: np.ndarray  # Lamé's μ                        (e,) [Pa]
    first_moduli: np.ndarray  # Lamé's λ                        (e,) [Pa]
    laws: np.ndarray  # one of LAW_NUMBERS                      (e,) int32


FIELDS = (FrameSolidElements, INDEX_ROWS, MATRICES, NUMBERS, NUMBERS, NUMBERS, numba.types.int32[::1])


def frame_solid_elements(
    nodes, weight_gradients, volumes, shear_moduli, first_moduli, solid_law: str
) -> FrameSolidElements:
    """Nodes (e, k) with gradients (e, k, 3) [1/m] that add up to zero, volumes [m³], Lamé's μ and λ [Pa]."""
    nodes = np.array(nodes, np.int32, order="C")
    count = len(nodes)
    return FrameSolidElements(
        nodes=nodes,
        weight_gradients=np.array(weight_gradients, float, order="C"),
        volumes=per_element(volumes, count),
        shear_moduli=per_element(shear_moduli, count),
        first_moduli=per_element(first_moduli, count),
        laws=np.full(count, LAW_NUMBERS[solid_law], np.int32),
    )


@compiled
def frame_deformation_gradient(positions, nodes, weight_gradients):
    """F = Σ (nᵢ − n₀) gᵢᵀ: the same as Σ nᵢ gᵢᵀ, and keeps its digits far from the origin."""
    origin = row3(positions, nodes[0])
    f = diagonal3((0.0, 0.0, 0.0))
    for i in range(1, len(nodes)):
        f = matrix_add3(f, outer3(sub3(row3(positions, nodes[i]), origin), row3(weight_gradients, i)))
    return f


@compiled
def solid_density(law, stretches, mu, lam):
    """ψ [Pa] of one of LAW_NUMBERS."""
    if law == COROTATED:
        return corotated_density(stretches, mu, lam)
    if law == FIXED_COROTATED:
        return fixed_corotated_density(stretches, mu, lam)
    return neo_hookean_density(stretches, mu, lam, THRESHOLD)


@compiled
def solid_response(law, stretches, mu, lam):
    """∂ψ/∂σᵢ [Pa] and the stiffness of the modes, made positive semi-definite as the tetrahedra do it."""
    if law == COROTATED:
        return corotated_stress(stretches, mu, lam), warped_modes(mu, lam)
    if law == FIXED_COROTATED:
        stress, scaling = fixed_corotated_stress(stretches, mu, lam), fixed_corotated_scaling(stretches, mu, lam)
    else:
        stress, scaling = neo_hookean_stress_and_scaling(stretches, mu, lam, THRESHOLD)
    return stress, without_negative(mode_stiffness(stretches, stress, scaling))


@kernel(energies_signature(*FIELDS), parallel=True)
def frame_solid_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        f = frame_deformation_gradient(positions, elements.nodes[e], elements.weight_gradients[e])
        density = solid_density(elements.laws[e], svd3(f)[1], elements.shear_moduli[e], elements.first_moduli[e])
        energies_out[e] = elements.volumes[e] * density


@kernel(derivatives_signature(*FIELDS), parallel=True)
def frame_solid_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        weights, volume = elements.weight_gradients[e], elements.volumes[e]
        u, stretches, v = svd3(frame_deformation_gradient(positions, elements.nodes[e], weights))
        stress, modes = solid_response(elements.laws[e], stretches, elements.shear_moduli[e], elements.first_moduli[e])
        # Seen from V they wait where the gradients will be: nothing is allocated in the loop.
        seen = gradients_out[e]
        for i in range(len(weights)):
            put_vector(seen, i, vector_matrix3(row3(weights, i), v))
        put_corner_hessian(volume, u, seen, modes, hessians_out[e])
        put_corner_gradients(volume, u, seen, stress, seen)


class FrameSolid(ElementLaw):
    """Solids moved by frames; elements: `frame_solid_elements`."""

    energies_kernel = frame_solid_energies
    derivatives_kernel = frame_solid_derivatives
