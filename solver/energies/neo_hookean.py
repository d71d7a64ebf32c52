"""Neo-Hookean tetrahedra, continued below a chosen compression so that inverted elements recover.

ψ = Σ (μ/2 (σᵢ² − 1) − μ ln σᵢ) + λ/2 (Σ ln σᵢ)² with the principal stretches σ. Below a threshold a the energy is
continued axis by axis, after [Stomakhin, Howes, Schroeder, Teran 2012, "Energetically consistent invertible
elasticity"]: linearly from σᵢ = a, in every term that holds σᵢ, plus k/2 (σᵢ − a)². The energy and its forces are
continuous and finite for any deformation, and push inverted elements back. The stiffness k is that of ψ at (a, 1, 1),
so that compression along one axis meets no jump in stiffness either.

With l(σ) the continued logarithm and s(σ) the continued rest, ψ = Σ s(σᵢ) + λ (l₀ l₁ + l₁ l₂ + l₂ l₀).
"""

import math
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
from .tetrahedron import four_corners, tetrahedron_elements

THRESHOLD = 0.4  # of the rest length: where real materials have long been crushed, and before ln σ grows steep


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
    stretches = principal_stretches(corners, rest_inverse)
    s0, l0 = _continued(stretches[0], mu, lam, threshold)
    s1, l1 = _continued(stretches[1], mu, lam, threshold)
    s2, l2 = _continued(stretches[2], mu, lam, threshold)
    return volume * (s0 + s1 + s2 + lam * (l0 * l1 + l1 * l2 + l2 * l0))


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


@compiled
def neo_hookean_stress_and_scaling(stretches, mu, lam, threshold):
    """∂ψ/∂σᵢ and ∂²ψ/∂σᵢ∂σⱼ [Pa], the latter on the diagonal and off it."""
    l0, dl0, ddl0, ds0, dds0 = _continued_slopes(stretches[0], mu, lam, threshold)
    l1, dl1, ddl1, ds1, dds1 = _continued_slopes(stretches[1], mu, lam, threshold)
    l2, dl2, ddl2, ds2, dds2 = _continued_slopes(stretches[2], mu, lam, threshold)
    stress = ds0 + lam * dl0 * (l1 + l2), ds1 + lam * dl1 * (l0 + l2), ds2 + lam * dl2 * (l0 + l1)
    diagonal = dds0 + lam * ddl0 * (l1 + l2), dds1 + lam * ddl1 * (l0 + l2), dds2 + lam * ddl2 * (l0 + l1)
    return stress, (diagonal, (lam * dl1 * dl2, lam * dl0 * dl2, lam * dl0 * dl1))


@compiled
def _continued(stretch, mu, lam, threshold):
    """s(σ) [Pa] and l(σ)."""
    kept = max(stretch, threshold)
    below = stretch - kept
    log = math.log(kept)
    log_slope = 1.0 / kept
    own = 0.5 * mu * (kept * kept - 1.0) - mu * log + 0.5 * lam * log * log
    slope = mu * (kept - log_slope) + lam * log * log_slope
    return own + (slope + 0.5 * _bulwark(mu, lam, threshold) * below) * below, log + log_slope * below


@compiled
def _continued_slopes(stretch, mu, lam, threshold):
    """l, l′, l″, and s′, s″ [Pa]."""
    kept = max(stretch, threshold)
    log, log_slope = math.log(kept), 1.0 / kept
    slope = mu * (kept - log_slope) + lam * log * log_slope
    if stretch >= threshold:
        curvature = mu * (1.0 + log_slope * log_slope) + lam * (1.0 - log) * log_slope * log_slope
        return log, log_slope, -log_slope * log_slope, slope, curvature
    below, stiffness = stretch - threshold, _bulwark(mu, lam, threshold)
    return log + log_slope * below, log_slope, 0.0, slope + stiffness * below, stiffness


@compiled
def _bulwark(mu, lam, threshold):
    """k = ∂²ψ/∂σ₀² at (a, 1, 1) [Pa]."""
    return mu + (mu + lam * (1.0 - math.log(threshold))) / (threshold * threshold)


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
        put_corner_gradients(corner_gradients(volume, u, weights, stress), gradients_out[e])
        put_corner_hessian(volume, u, weights, without_negative(modes), hessians_out[e])


class NeoHookean(ElementLaw):
    """Rubber-like solids; elements: `neo_hookean_elements`."""

    node_count = 4
    energies_kernel = neo_hookean_energies
    derivatives_kernel = neo_hookean_derivatives
