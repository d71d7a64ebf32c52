"""Neo-Hookean tetrahedra, continued below a chosen compression so that inverted elements recover.

ψ = Σ (μ/2 (σᵢ² − 1) − μ ln σᵢ) + λ/2 (Σ ln σᵢ)² with the principal stretches σ, and below a threshold what
`solid_densities.py` says.
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
from .law import INDEX_ROWS, MATRICES, NUMBERS, ElementLaw, derivatives_signature, energies_signature, per_element
from .solid_densities import THRESHOLD, neo_hookean_density, neo_hookean_stress_and_scaling
from .tetrahedron import four_corners, tetrahedron_elements


class NeoHookeanElements(NamedTuple):
    nodes: np.ndarray  # corners                                                  (e, 4) int32
    rest_inverses: np.ndarray  # rows: gradients of the weights of corners 1, 2, 3 (e, 3, 3) [1/m]
    volumes: np.ndarray  # at rest                                                (e,) [m³]
    shear_moduli: np.ndarray  # Lamé's μ                                          (e,) [Pa]
    first_moduli: np.ndarray  # Lamé's λ                                          (e,) [Pa]
    thresholds: np.ndarray  # stretch below which the law is continued            (e,)


FIELDS = (NeoHookeanElements, INDEX_ROWS, MATRICES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


def neo_hookean_elements(
    tetrahedra, rest_positions, youngs_modulus, poisson_ratio, threshold=THRESHOLD
) -> NeoHookeanElements:
    """Tetrahedra (e, 4) of rest positions (n, 3) [m], Young's modulus [Pa], Poisson's ratio, threshold in (0, 1)."""
    elements = tetrahedron_elements(tetrahedra, rest_positions, youngs_modulus, poisson_ratio)
    return NeoHookeanElements(*elements, per_element(threshold, len(elements.nodes)))


@compiled
def neo_hookean_energy(corners, rest_inverse, volume, mu, lam, threshold):
    """Energy [J] of four corners; Lamé's μ and λ [Pa]."""
    return volume * neo_hookean_density(principal_stretches(corners, rest_inverse), mu, lam, threshold)


@compiled
def neo_hookean_gradient(corners, rest_inverse, volume, mu, lam, threshold):
    """Derivative by the four corners [N]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    stress, _ = neo_hookean_stress_and_scaling(stretches, mu, lam, threshold)
    return corner_gradients(volume, u, weights, stress)


@compiled
def neo_hookean_hessian(corners, rest_inverse, volume, mu, lam, threshold, hessian_out):
    """Exact second derivative (4, 4, 3, 3) [N/m]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    stress, scaling = neo_hookean_stress_and_scaling(stretches, mu, lam, threshold)
    put_corner_hessian(volume, u, weights, mode_stiffness(stretches, stress, scaling), hessian_out)


@kernel(energies_signature(*FIELDS), parallel=True)
def neo_hookean_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam, threshold = elements.shear_moduli[e], elements.first_moduli[e], elements.thresholds[e]
        energies_out[e] = neo_hookean_energy(corners, rest_inverse, elements.volumes[e], mu, lam, threshold)


@kernel(derivatives_signature(*FIELDS), parallel=True)
def neo_hookean_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam, volume = elements.shear_moduli[e], elements.first_moduli[e], elements.volumes[e]
        u, stretches, weights = principal_frame(corners, rest_inverse)
        stress, scaling = neo_hookean_stress_and_scaling(stretches, mu, lam, elements.thresholds[e])
        modes = mode_stiffness(stretches, stress, scaling)
        put_corner_gradients(volume, u, weights, stress, gradients_out[e])
        put_corner_hessian(volume, u, weights, without_negative(modes), hessians_out[e])


class NeoHookean(ElementLaw):
    """Rubber-like solids; elements: `neo_hookean_elements`."""

    node_count = 4
    energies_kernel = neo_hookean_energies
    derivatives_kernel = neo_hookean_derivatives
