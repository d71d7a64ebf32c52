"""Co-rotated linear tetrahedra [Müller & Gross 2004], the solids of Verschoor & Jalba 2019 and Otaduy et al. 2009.

ψ = μ ‖S − I‖² + λ/2 tr(S − I)² with F = R S. Forces are those of linear elasticity in the turned frame, R K (Rᵀx − X);
Newton's method takes the warped stiffness R K Rᵀ, which is positive semi-definite and leaves out how R turns.
"""

import numba

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import diagonal3, matrix3_at, matrix_add3, matrix_scale3, matrix_vector3, outer3
from ..linear_algebra.vector3 import dot3
from .isotropic import (
    corner_gradients,
    mode_stiffness,
    principal_frame,
    principal_stretches,
    put_corner_gradients,
    put_corner_hessian,
)
from .law import ElementLaw, derivatives_signature, energies_signature, put_block
from .solid_densities import corotated_density, corotated_scaling, corotated_stress
from .tetrahedron import TETRAHEDRA, four_corners


@compiled
def corotated_energy(corners, rest_inverse, volume, mu, lam):
    """Energy [J] of four corners; Lamé's μ and λ [Pa]."""
    return volume * corotated_density(principal_stretches(corners, rest_inverse), mu, lam)


@compiled
def corotated_gradient(corners, rest_inverse, volume, mu, lam):
    """Derivative by the four corners [N]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    return corner_gradients(volume, u, weights, corotated_stress(stretches, mu, lam))


@compiled
def corotated_hessian(corners, rest_inverse, volume, mu, lam, hessian_out):
    """Exact second derivative (4, 4, 3, 3) [N/m]."""
    u, stretches, weights = principal_frame(corners, rest_inverse)
    modes = mode_stiffness(stretches, corotated_stress(stretches, mu, lam), corotated_scaling(mu, lam))
    put_corner_hessian(volume, u, weights, modes, hessian_out)


@compiled
def put_warped_stiffness(u, weights, mu, lam, hessian_out):
    """R Kᵢⱼ Rᵀ = μ (bᵢ·bⱼ I + R bⱼ (R bᵢ)ᵀ) + λ R bᵢ (R bⱼ)ᵀ, with Lamé moduli times volume and R b = U (Vᵀ b)."""
    for i in range(4):
        a = matrix_vector3(u, weights[i])
        for j in range(i + 1):
            b = matrix_vector3(u, weights[j])
            alike = mu * dot3(a, b)
            crossed = matrix_add3(matrix_scale3(mu, outer3(b, a)), matrix_scale3(lam, outer3(a, b)))
            put_block(hessian_out, i, j, matrix_add3(diagonal3((alike, alike, alike)), crossed))


@kernel(energies_signature(*TETRAHEDRA), parallel=True)
def corotated_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam = elements.shear_moduli[e], elements.first_moduli[e]
        energies_out[e] = corotated_energy(corners, rest_inverse, elements.volumes[e], mu, lam)


@kernel(derivatives_signature(*TETRAHEDRA), parallel=True)
def corotated_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners, rest_inverse = four_corners(positions, elements.nodes, e), matrix3_at(elements.rest_inverses, e)
        mu, lam, volume = elements.shear_moduli[e], elements.first_moduli[e], elements.volumes[e]
        u, stretches, weights = principal_frame(corners, rest_inverse)
        stress = corotated_stress(stretches, mu, lam)
        put_corner_gradients(volume, u, weights, stress, gradients_out[e])
        put_warped_stiffness(u, weights, volume * mu, volume * lam, hessians_out[e])


class Corotated(ElementLaw):
    """Linear solids that may turn freely; elements: `tetrahedron_elements`."""

    node_count = 4
    energies_kernel = corotated_energies
    derivatives_kernel = corotated_derivatives
