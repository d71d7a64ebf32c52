"""What solids are made of: energy densities ψ of the principal stretches σ, and their derivatives.

docs/theory/solids.md, 4 to 8.

| law | ψ | source |
|---|---|---|
| co-rotated | μ Σ (σᵢ − 1)² + λ/2 (Σ (σᵢ − 1))² | [Müller & Gross 2004] |
| fixed co-rotated | μ Σ (σᵢ − 1)² + λ/2 (J − 1)², J = σ₀ σ₁ σ₂ | [Stomakhin et al. 2012, section 3.4] |
| neo-Hookean | Σ (μ/2 (σᵢ² − 1) − μ ln σᵢ) + λ/2 (Σ ln σᵢ)² | |

Below a threshold a the neo-Hookean energy is continued axis by axis, after [Stomakhin, Howes, Schroeder, Teran 2012,
"Energetically consistent invertible elasticity"]: linearly from σᵢ = a, in every term that holds σᵢ, plus
k/2 (σᵢ − a)². The energy and its forces are continuous and finite for any deformation, and push inverted elements
back. The stiffness k is that of ψ at (a, 1, 1), so that compression along one axis meets no jump in stiffness either.
With l(σ) the continued logarithm and s(σ) the continued rest, ψ = Σ s(σᵢ) + λ (l₀ l₁ + l₁ l₂ + l₂ l₀).

Elements of any kind take their laws from here; no kernels, so that a scene compiles those of its own elements only.
"""

import math

from ..jit_cache import compiled

THRESHOLD = 0.4  # of the rest length: where real materials have long been crushed, and before ln σ grows steep


@compiled
def corotated_density(s, mu, lam):
    """ψ [Pa]; Lamé's μ and λ [Pa]."""
    first, second, third = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
    trace = first + second + third
    return mu * (first * first + second * second + third * third) + 0.5 * lam * trace * trace


@compiled
def corotated_stress(s, mu, lam):
    """∂ψ/∂σᵢ [Pa]."""
    push = lam * (s[0] + s[1] + s[2] - 3.0)
    return 2.0 * mu * (s[0] - 1.0) + push, 2.0 * mu * (s[1] - 1.0) + push, 2.0 * mu * (s[2] - 1.0) + push


@compiled
def corotated_scaling(mu, lam):
    """∂²ψ/∂σᵢ∂σⱼ [Pa]: on the diagonal, and off it."""
    own = 2.0 * mu + lam
    return (own, own, own), (lam, lam, lam)


@compiled
def warped_modes(mu, lam):
    """Scaling, flip and twist stiffness [Pa] of the warped stiffness R K Rᵀ: that of linear elasticity."""
    shear = 2.0 * mu
    return corotated_scaling(mu, lam), (shear, shear, shear), (0.0, 0.0, 0.0)


@compiled
def fixed_corotated_density(s, mu, lam):
    """ψ [Pa]; Lamé's μ and λ [Pa]."""
    growth = s[0] * s[1] * s[2] - 1.0
    square = (s[0] - 1.0) ** 2 + (s[1] - 1.0) ** 2 + (s[2] - 1.0) ** 2
    return mu * square + 0.5 * lam * growth * growth


@compiled
def fixed_corotated_stress(s, mu, lam):
    """∂ψ/∂σᵢ [Pa]."""
    push = lam * (s[0] * s[1] * s[2] - 1.0)
    return (
        2.0 * mu * (s[0] - 1.0) + push * s[1] * s[2],
        2.0 * mu * (s[1] - 1.0) + push * s[0] * s[2],
        2.0 * mu * (s[2] - 1.0) + push * s[0] * s[1],
    )


@compiled
def fixed_corotated_scaling(s, mu, lam):
    """∂²ψ/∂σᵢ∂σⱼ [Pa]: on the diagonal, and off it."""
    faces = s[1] * s[2], s[0] * s[2], s[0] * s[1]
    push = lam * (2.0 * s[0] * s[1] * s[2] - 1.0)
    diagonal = 2.0 * mu + lam * faces[0] ** 2, 2.0 * mu + lam * faces[1] ** 2, 2.0 * mu + lam * faces[2] ** 2
    return diagonal, (push * s[0], push * s[1], push * s[2])


@compiled
def neo_hookean_density(stretches, mu, lam, threshold):
    """ψ [Pa]; Lamé's μ and λ [Pa]."""
    s0, l0 = _continued(stretches[0], mu, lam, threshold)
    s1, l1 = _continued(stretches[1], mu, lam, threshold)
    s2, l2 = _continued(stretches[2], mu, lam, threshold)
    return s0 + s1 + s2 + lam * (l0 * l1 + l1 * l2 + l2 * l0)


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
