"""Fixed co-rotated tetrahedra.

ψ = μ Σ (σᵢ − 1)² + λ/2 (J − 1)² with the principal stretches σ and J = σ₀ σ₁ σ₂
[Stomakhin, Howes, Schroeder, Teran 2012, "Energetically consistent invertible elasticity", section 3.4].
"""

import numba

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
from .law import ElementLaw, derivatives_signature, energies_signature
from .solid_densities import fixed_corotated_density, fixed_corotated_scaling, fixed_corotated_stress
from .tetrahedron import TETRAHEDRA, four_corners


@compiled
def fixed_corotated_energy(corners, rest_inverse, volume, mu, lam):
    """Energy [J] of four corners; Lamé's μ and λ [Pa]."""
    return volume * fixed_corotated_density(principal_stretches(corners, rest_inverse), mu, lam)


@compiled
def fixed_corotated_gradient(corners, rest_inverse, volume, mu, lam):
    """Derivative by the four corners [N]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    return corner_gradients(volume, u, weights, fixed_corotated_stress(stretches, mu, lam))


@compiled
def fixed_corotated_hessian(corners, rest_inverse, volume, mu, lam, hessian_out):
    """Exact second derivative (4, 4, 3, 3) [N/m]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    stress = fixed_corotated_stress(stretches, mu, lam)
    modes = mode_stiffness(stretches, stress, fixed_corotated_scaling(stretches, mu, lam))
    put_corner_hessian(volume, u, weights, modes, hessian_out)


@kernel(energies_signature(*TETRAHEDRA), parallel=True)
def fixed_corotated_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam = elements.shear_moduli[e], elements.first_moduli[e]
        energies_out[e] = fixed_corotated_energy(corners, rest_inverse, elements.volumes[e], mu, lam)


@kernel(derivatives_signature(*TETRAHEDRA), parallel=True)
def fixed_corotated_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam, volume = elements.shear_moduli[e], elements.first_moduli[e], elements.volumes[e]
        u, stretches, weights = principal_frame(corners, rest_inverse)
        stress = fixed_corotated_stress(stretches, mu, lam)
        modes = mode_stiffness(stretches, stress, fixed_corotated_scaling(stretches, mu, lam))
        put_corner_gradients(volume, u, weights, stress, gradients_out[e])
        put_corner_hessian(volume, u, weights, without_negative(modes), hessians_out[e])


class FixedCorotated(ElementLaw):
    """Solids that resist a change of volume however they are deformed; elements: `tetrahedron_elements`."""

    node_count = 4
    energies_kernel = fixed_corotated_energies
    derivatives_kernel = fixed_corotated_derivatives
